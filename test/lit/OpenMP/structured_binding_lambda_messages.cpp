// RUN: %clang_cc1 -verify -std=c++20 -fopenmp %s
// RUN: %clang_cc1 -verify -std=c++20 -fopenmp-simd %s

// A lambda outside of regions captures the binding itself. A region in it finds
// the lambda's copy only where no other use has made one before.

struct P {
  int x, y;
};
P get();
void use(int);

void byCopy() {
  auto [x, y] = get(); // expected-note 4 {{'x' declared here}} expected-note 2 {{'y' declared here}}
  auto regionFirst = [=]() mutable {
#pragma omp task shared(x)
    use(x += 1);
    x += 1;
  };
  auto useFirst = [=]() mutable {
    x += 1;
#pragma omp task
    use(x); // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
#pragma omp task shared(x) // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
    ;
  };
  auto named = [x, &y] {
#pragma omp task
    use(x + y); // expected-error 2 {{capturing a structured binding is not yet supported in OpenMP}}
  };
  auto mixed = [=, &y] {
#pragma omp task
    use(y); // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
  };
  auto renamed = [x = x, &y = y] {
#pragma omp task shared(y)
    use(x + y);
  };
  auto nested = [=] {
    use(x);
    auto inner = [&](auto z) {
#pragma omp task
      use(x + z); // expected-error {{capturing a structured binding is not yet supported in OpenMP}}
    };
  };
}

void byReference() {
  auto [x, y] = get();
  auto l = [&] {
    x += 1;
#pragma omp task shared(x) firstprivate(y)
    use(x + y);
    auto plain = [&](auto z) { y += z; };
    plain(x);
    plain(1L);
  };
  auto generic = [&](auto z) {
    y += z;
#pragma omp task shared(y)
    use(y + z);
    auto inner = [&, y](auto z) { x += z + y; };
    inner(x);
  };
  auto before = [=](auto z) mutable { return x += z; };
#pragma omp task
  use(x);
  generic(before(1));
  generic(before(2L));
}
