// The runtime function is declared like the others: it does not unwind, and its
// 32-bit parameters are extended where the target's calling convention asks for.

// RUN: %clang_cc1 -fopenmp -triple x86_64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,X86
// RUN: %clang_cc1 -fopenmp -triple aarch64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,X86
// RUN: %clang_cc1 -fopenmp -triple powerpc64le-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,EXT
// RUN: %clang_cc1 -fopenmp -triple s390x-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,EXT
// RUN: %clang_cc1 -fopenmp -triple riscv64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,EXT
// RUN: %clang_cc1 -fopenmp -triple i386-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,I386
// RUN: %clang_cc1 -fopenmp -triple mips-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefixes=ATTR,MIPS

void body(void);
void test(int n) {
#pragma omp task affinity(node: n, strict)
  body();
}

// X86: declare void @__kmpc_omp_task_affinity(ptr, i32, ptr, i32, i64, i64, i32) #[[#A:]]
// EXT: declare void @__kmpc_omp_task_affinity(ptr, i32 signext, ptr, i32 signext, i64, i64, i32 signext) #[[#A:]]
// I386: declare void @__kmpc_omp_task_affinity(ptr, i32, ptr, i32, i32, i32, i32) #[[#A:]]
// MIPS: declare void @__kmpc_omp_task_affinity(ptr, i32 signext, ptr, i32 signext, i32 signext, i32 signext, i32 signext) #[[#A:]]
// The others.
// X86: declare i32 @__kmpc_omp_task(ptr, i32, ptr) #[[#A]]
// ATTR: attributes #[[#]] = { nounwind }
