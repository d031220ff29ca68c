// RUN: %clang_cc1 -verify -fopenmp -std=c++20 -triple x86_64-unknown-linux-gnu -emit-llvm -disable-llvm-passes %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -std=c++20 -triple x86_64-unknown-linux-gnu -O1 -emit-llvm %s -o /dev/null
// expected-no-diagnostics

// In a coroutine a placement may wait for what it is computed from.

namespace std {
template <typename R, typename...> struct coroutine_traits {
  using promise_type = typename R::promise_type;
};
template <typename P = void> struct coroutine_handle {
  static coroutine_handle from_address(void *) noexcept;
};
} // namespace std

struct Ready {
  bool await_ready() noexcept;
  template <typename H> void await_suspend(H) noexcept;
  int await_resume() noexcept;
};
struct Coroutine {
  struct promise_type {
    Coroutine get_return_object();
    Ready initial_suspend() noexcept;
    Ready final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
};

void body();

// CHECK-LABEL: define {{.*}}@_Z9coroutineiPi(
Coroutine coroutine(int n, int *p) {
  co_await Ready();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(node: n)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: p[0:n])
  body();
  // CHECK: call {{.*}}i32 @_ZN5Ready12await_resumeEv(
  // CHECK: call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 %{{.+}}, i64 0, i32 1)
#pragma omp task affinity(thread: co_await Ready(), strict)
  body();
}
