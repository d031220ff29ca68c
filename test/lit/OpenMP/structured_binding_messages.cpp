// RUN: %clang_cc1 -verify -std=c++20 -fopenmp -ferror-limit 100 %s
// RUN: %clang_cc1 -verify -std=c++20 -fopenmp-simd -ferror-limit 100 %s

// Bindings that a reference can be bound to may be captured and named in
// clauses. The others are refused by name.

struct P {
  int x, y;
};
struct Bits {
  int a : 3, b : 5;
};
struct NoCopy {
  NoCopy();
  NoCopy(const NoCopy &) = delete; // expected-note {{'NoCopy' has been explicitly marked deleted here}}
};
struct Holder {
  NoCopy n;
  int i;
};
P get();
void use(int);
void use(const NoCopy &);

void accepted(P &p, int *a) {
  auto [x, y] = get();
  auto &[rx, ry] = p;
  auto &&[fx, fy] = get();
  int q[2];
  auto [q0, q1] = q;
#pragma omp task
  use(x + rx + fx + q0);
#pragma omp task firstprivate(x, rx) private(fx) shared(q0)
  use(x + rx + q0 + (fx = 1));
#pragma omp parallel for reduction(+ : x) lastprivate(y) linear(ry)
  for (int i = 0; i < q1; ++i)
    x += y = ry++;
#pragma omp task affinity(node : y) depend(out : a[x]) priority(x) if (y)
  use(1);
#pragma omp taskgroup task_reduction(+ : x)
#pragma omp task in_reduction(+ : x)
  x++;
#pragma omp single copyprivate(x)
  use(x);
#pragma omp target map(tofrom : x) firstprivate(y)
  x += y;
  static_assert(__is_same(decltype(x), int));
#pragma omp parallel
  static_assert(__is_same(decltype(x), int) && sizeof(y) == sizeof(int));
}

void dsa() {
  auto [x, y] = get();
  (void)y;
  const auto [cx, cy] = get(); // expected-note {{variable 'cx' declared const here}}
#pragma omp parallel default(none) // expected-note {{explicit data sharing attribute requested here}}
  use(x); // expected-error {{variable 'x' must have explicitly specified data sharing attributes}}
#pragma omp parallel shared(x) private(x) // expected-error {{shared variable cannot be private}} expected-note {{defined as shared}}
  use(x);
#pragma omp task firstprivate(cx)
  cx = 1; // expected-error {{cannot assign to variable 'cx' with const-qualified type}}
#pragma omp task shared(cy)
  use(cy);
}

void refused(Bits b) {
  auto [x, y] = b; // expected-note 5 {{'x' declared here}} expected-note {{'y' declared here}}
#pragma omp task
  use(x); // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
#pragma omp task firstprivate(x) // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
  use(x); // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
#pragma omp parallel for reduction(+ : x) // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
  for (int i = 0; i < 3; ++i)
    ;
#pragma omp parallel
  use(x + y); // expected-error 2 {{capturing a structured binding is not yet supported in OpenMP}}
  static auto [sx, sy] = get(); // expected-note {{'sx' declared here}}
#pragma omp task
  use(sx);
#pragma omp task firstprivate(sx) // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
  use(sx);
  (void)[x] { return x; };
}

void noncopyable(Holder &h) {
  auto &[n, i] = h;
#pragma omp task shared(n) firstprivate(i)
  use(n);
#pragma omp task firstprivate(n, i) // expected-error {{call to deleted constructor of 'NoCopy'}}
  use(n);
}

template <typename T> void generic(T t, Bits b) {
  auto [x, y] = t;
  auto [m, n] = get();
  auto [bx, by] = b; // expected-note {{'bx' declared here}} expected-note {{'by' declared here}}
#pragma omp task firstprivate(x, m) shared(y, n)
  use(x + y + m + n);
#pragma omp taskloop private(m) firstprivate(n)
  for (int i = 0; i < x; ++i)
    use(m = n);
  auto f = [&, m = m](auto z) {
#pragma omp task shared(x) firstprivate(y, m)
    use(x + y + z + m);
  };
  f(1);
#pragma omp task
  use(by = sizeof(T)); // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
#pragma omp task private(bx) // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
  use(1);
}
template void generic<P>(P, Bits); // expected-note {{in instantiation of function template specialization 'generic<P>' requested here}}

void twice() {
  auto [x, y] = get();
  (void)[x, x] { return x; }; // expected-error {{'x' can appear only once in a capture list}}
  (void)y;
}
