// The host's code of an offloading compilation asks the loop, the device's does
// not: it has no places, and runs the tasks one after the other.

// RUN: %clang_cc1 -verify -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %clang_cc1 -verify -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm-bc %s -o %t-host.bc
// RUN: %clang_cc1 -verify -fopenmp -x c++ -triple nvptx64-nvidia-cuda -fopenmp-targets=nvptx64-nvidia-cuda -emit-llvm %s -fopenmp-is-target-device -fopenmp-host-ir-file-path %t-host.bc -o - | FileCheck %s --check-prefix=DEVICE
// expected-no-diagnostics

#pragma omp declare target
void body(int);
int index(int);
void loop() {
#pragma omp taskloop affinity(node: index(i), strict)
  for (int i = 0; i < 9; ++i)
    body(i);
}
void chain(int *p) {
#pragma omp taskloop
  for (int i = 0; i < 9; ++i) {
#pragma omp task_iteration depend(inout: p[index(i)])
    body(i);
  }
}
#pragma omp end declare target

void target() {
#pragma omp target
  loop();
}

// HOST-LABEL: define {{.*}}@_Z4loopv(
// HOST: call ptr @__kmpc_taskloop_places(
// HOST: call {{.*}}i32 @_Z5indexi(
// HOST: call void @__kmpc_taskloop_placed(
// HOST-LABEL: define {{.*}}@_Z5chainPi(
// HOST: call ptr @__kmpc_taskloop_dependent(
// HOST: call {{.*}}i32 @_Z5indexi(
// HOST: call void @__kmpc_taskloop_depend_add(

// DEVICE-LABEL: define {{.*}}@_Z4loopv(
// DEVICE-NOT: {{__kmpc_taskloop_place|@_Z5indexi}}
// DEVICE: call void @__kmpc_taskloop(
// DEVICE-NOT: {{__kmpc_taskloop_place|@_Z5indexi}}
// DEVICE-LABEL: define {{.*}}@_Z5chainPi(
// DEVICE-NOT: {{__kmpc_taskloop_dep|@_Z5indexi}}
// DEVICE: call void @__kmpc_taskloop(
// DEVICE-NOT: {{__kmpc_taskloop_dep|@_Z5indexi}}
