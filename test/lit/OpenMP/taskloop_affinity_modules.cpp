// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -emit-module-interface %t/placed.cppm -o %t/placed.pcm
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -fmodule-file=placed=%t/placed.pcm -emit-llvm %t/use.cpp -o - | FileCheck %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -fmodule-file=placed=%t/placed.pcm -verify -DERROR %t/use.cpp

// A loop's clause is written to a module, read from it and instantiated.

//--- placed.cppm
export module placed;
export void body();
export template <typename T> void on_data(T t) {
#pragma omp taskloop affinity(data: t[i])
  for (int i = 0; i < 10; ++i)
    body();
}
export template <typename T> void on_node(T t) {
#pragma omp taskloop
  for (int i = 0; i < 10; ++i)
#pragma omp task_iteration affinity(node: t + i, strict)
    body();
}
export inline void on_thread(int n) {
#pragma omp taskloop affinity(thread: i + n)
  for (int i = 0; i < 10; ++i)
    body();
}

//--- use.cpp
import placed;

void use(int *p, double d) {
  on_data(p);
  on_node(7UL);
  on_thread(3);
#ifdef ERROR
  on_node(d); // expected-note {{in instantiation of function template specialization 'on_node<double>' requested here}}
  // expected-error@placed.cppm:11 {{expression must have integral or unscoped enumeration type, not 'double'}}
#endif
}

// CHECK-LABEL: define {{.*}}@_ZW6placed7on_dataIPiEvT_(
// CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 3, i64 0, i64 9, i64 1, i32 0, i64 0, i32 0)
// CHECK: call void @__kmpc_taskloop_placed(
// CHECK-LABEL: define {{.*}}@_ZW6placed7on_nodeImEvT_(
// CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 2, i64 0, i64 9, i64 1, i32 0, i64 0, i32 0)
// CHECK-LABEL: define {{.*}}@_ZW6placed9on_threadi(
// CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 1, i64 0, i64 9, i64 1, i32 0, i64 0, i32 0)
