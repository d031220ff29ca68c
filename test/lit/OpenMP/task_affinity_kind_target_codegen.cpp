// The host's code of an offloading compilation has the call, the device's has
// the side effects of the expressions only.

// RUN: %clang_cc1 -verify -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %clang_cc1 -verify -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm-bc %s -o %t-host.bc
// RUN: %clang_cc1 -verify -fopenmp -x c++ -triple nvptx64-nvidia-cuda -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm %s -fopenmp-is-target-device -fopenmp-host-ir-file-path %t-host.bc -o - | FileCheck %s --check-prefix=DEVICE

// RUN: %clang_cc1 -verify -fopenmp -x c -triple x86_64-unknown-linux-gnu -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %clang_cc1 -verify -fopenmp -x c -triple x86_64-unknown-linux-gnu -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm-bc %s -o %t-host.bc
// RUN: %clang_cc1 -verify -fopenmp -x c -triple nvptx64-nvidia-cuda -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm %s -fopenmp-is-target-device -fopenmp-host-ir-file-path %t-host.bc -o - | FileCheck %s --check-prefix=DEVICE
// expected-no-diagnostics

#pragma omp declare target
int next(void);
void body(void);
void task(void) {
#pragma omp task affinity(node: next(), strict)
  body();
}
#pragma omp end declare target

void target(void) {
#pragma omp target
  task();
}

// HOST-LABEL: define {{.*}}@{{(_Z4taskv|task)}}(
// HOST: call {{.*}}i32 @{{(_Z4nextv|next)}}()
// HOST: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 1)

// DEVICE-NOT: __kmpc_omp_task_affinity
// DEVICE-LABEL: define {{.*}}@{{(_Z4taskv|task)}}(
// DEVICE: call {{.*}}i32 @{{(_Z4nextv|next)}}()
// DEVICE-NOT: __kmpc_omp_task_affinity
