// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -fblocks -emit-llvm %s -o - | FileCheck %s

// The clause names what the block captures that has the loop. (In stock Clang the
// body of the loop cannot.)

void body(int);

void block(double *a) {
  // CHECK-LABEL: define internal void @__block_block_invoke(
  // CHECK: [[FIELD:%.+]] = getelementptr inbounds nuw <{ {{.+}} }>, ptr %{{.+}}, i32 0, i32 5
  // CHECK: [[A:%.+]] = load ptr, ptr [[FIELD]]
  // CHECK: getelementptr inbounds double, ptr [[A]],
  // CHECK: call void @__kmpc_taskloop_places_set(
  ^{
#pragma omp taskloop affinity(data: a[i])
    for (int i = 0; i < 9; ++i)
      body(i);
  }();
}
