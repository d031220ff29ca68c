// RUN: %clang_cc1 -verify -fopenmp -std=c++20 -triple x86_64-unknown-linux-gnu -emit-llvm -disable-llvm-passes %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -std=c++20 -triple x86_64-unknown-linux-gnu -O1 -emit-llvm %s -o /dev/null
// RUN: %clang_cc1 -verify=suspend -DSUSPEND -fopenmp -std=c++20 -triple x86_64-unknown-linux-gnu -emit-llvm %s -o /dev/null
// expected-no-diagnostics

// A loop with a placement in a coroutine: what is named lives in its frame.

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

void body(int);

// CHECK-LABEL: define {{.*}}@_Z9coroutineiPi(
Coroutine coroutine(int n, int *p) {
  co_await Ready();
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 3,
#pragma omp taskloop affinity(data: p[i])
  for (int i = 0; i < n; ++i)
    body(i);
  co_await Ready();
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 2,
#pragma omp taskloop affinity(node: n + i, strict)
  for (int i = 0; i < n; ++i)
    body(i);
#ifdef SUSPEND
  // It may be evaluated on behalf of many tasks, so it cannot wait.
#pragma omp taskloop affinity(node: co_await Ready()) // suspend-error {{'co_await' cannot be used outside a function}}
  for (int i = 0; i < n; ++i)
    body(i);
#endif
}
