// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -emit-module-interface %t/order.cppm -o %t/order.pcm
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -fmodule-file=order=%t/order.pcm -emit-llvm %t/use.cpp -o - | FileCheck %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -triple x86_64-unknown-linux-gnu -fmodule-file=order=%t/order.pcm -verify -DERROR %t/use.cpp

// Dependences of iterations, and conditions, are written to a module, read from it and
// instantiated.

//--- order.cppm
export module order;
export void body();
export template <typename T> void chain(T t) {
#pragma omp taskloop
  for (int i = 1; i < 10; ++i) {
#pragma omp task_iteration depend(in : t[i - 1]) depend(out : t[i]) if (t[i])
    body();
  }
}

//--- use.cpp
import order;

struct Odd {
  struct No {};
  No &operator[](int);
};
void use(int *p, Odd odd) {
  chain(p);
#ifdef ERROR
  chain(odd); // expected-note {{in instantiation of function template specialization 'chain<Odd>' requested here}}
  // expected-error@order.cppm:6 {{value of type 'No' is not contextually convertible to 'bool'}}
#endif
}

// CHECK-LABEL: define {{.*}}@_ZW5order5chainIPiEvT_(
// CHECK: call ptr @__kmpc_taskloop_dependent(
// CHECK: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
// CHECK: call void @__kmpc_taskloop_depend_add(
