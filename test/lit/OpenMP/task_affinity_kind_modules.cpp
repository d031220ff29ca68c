// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -emit-module-interface %t/placed.cppm -o %t/placed.pcm
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -fmodule-file=placed=%t/placed.pcm -emit-llvm %t/use.cpp -o - | FileCheck %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -fmodule-file=placed=%t/placed.pcm -verify -DERROR %t/use.cpp

// A placement is written to a module, read from it and instantiated.

//--- placed.cppm
export module placed;
export void body();
export template <typename T, int N> void on_data(T t) {
#pragma omp task affinity(data: t, N)
  body();
}
export template <typename T> void on_node(T t) {
#pragma omp task affinity(node: t, strict)
  body();
}
export inline void on_thread(int i) {
#pragma omp task affinity(thread: i) affinity(i)
  body();
}

//--- use.cpp
import placed;

void use(int *p, double d) {
  on_data<int *, 1>(p);
  on_data<double, 0>(d);
  on_node(7UL);
  on_thread(3);
#ifdef ERROR
  on_node(d); // expected-note {{in instantiation of function template specialization 'on_node<double>' requested here}}
  // expected-error@placed.cppm:8 {{expression must have integral or unscoped enumeration type, not 'double'}}
#endif
}

// CHECK-LABEL: define {{.*}}@_ZW6placed7on_dataIPiLi1EEvT_(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 1)
// CHECK-LABEL: define {{.*}}@_ZW6placed7on_dataIdLi0EEvT_(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 8, i32 0)
// CHECK-LABEL: define {{.*}}@_ZW6placed7on_nodeImEvT_(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 1)
// CHECK-LABEL: define {{.*}}@_ZW6placed9on_threadi(
// CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 1,
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 %{{.+}}, i64 0, i32 0)
