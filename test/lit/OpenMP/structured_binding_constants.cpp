// RUN: %clang_cc1 -verify -std=c++20 -fopenmp %s
// RUN: %clang_cc1 -verify -std=c++20 -fopenmp-simd %s
// RUN: %clang_cc1 -verify -std=c++20 %s
// RUN: %clang_cc1 -verify=extension -std=c++17 -Wc++20-extensions -fopenmp -DPLAIN %s
// RUN: %clang_cc1 -verify=extension -std=c++17 -Wc++20-extensions -DPLAIN %s

// Bindings in constant expressions: without a region around them all is as
// without OpenMP, also behind a region that captures the binding.

// expected-no-diagnostics

struct P {
  int a, b;
};
static constexpr P S{3, 4};
void use(int);

#ifdef PLAIN
void captured(P p) {
  auto [x, y] = p; // extension-note {{'x' declared here}}
  auto l = [x] { use(x); }; // extension-warning {{captured structured bindings are a C++20 extension}}
  l();
}
#else

template <int> struct I {};
consteval int id(int i) { return i; }

void plain() {
  auto &[x, y] = S;
  auto l = [&] {
    char c{x};
    const int n = y;
    char buf[n];
    static_assert(sizeof(buf) == 4);
    use(c + buf[0]);
  };
  l();
  auto m = [&](auto z) {
    char ch{y};
    use(z + ch + id(x));
  };
  m(1);
}

void behind() {
  auto &[x, y] = S;
#pragma omp task shared(x) firstprivate(y)
  use(x + y);
  const int c = x;
  int a[c];
  static_assert(sizeof(a) == 3 * sizeof(int));
  I<c> i;
  I<x> j;
  char ch{y};
  use(id(x));
  static constinit int s = x;
  auto l = [&] {
    char c{x};
    I<y> i;
    static constinit int s = y;
    use(id(x) + x + c + s);
  };
  l();
}

struct Room {
  constexpr int size() const { return 4; }
};
struct Rooms {
  Room p, q;
};
void use(Room);

void members(Rooms r) {
  auto [p, q] = r;
#pragma omp task
  use(p);
  int a[p.size()];
  static_assert(sizeof(a) == 4 * sizeof(int));
  const int c = p.size();
  I<c> i;
  char ch{p.size()};
  constexpr int d = p.size();
  auto l = [&] {
    constexpr int d = p.size();
    I<p.size()> i;
    char ch{q.size()};
    use(d + ch);
  };
  l();
#pragma omp task
  {
    constexpr int d = p.size();
    I<p.size()> i;
    use(d);
  }
}

void within() {
  auto &[x, y] = S;
#pragma omp parallel
  {
    const int c = x;
    int a[c];
    static_assert(sizeof(a) == 3 * sizeof(int));
    I<y> i;
    char ch{x};
    static constinit int s = y;
    use(id(x) + a[0] + ch + s);
    auto l = [&] {
      I<x> i;
      char ch{y};
      use(id(x) + ch);
    };
    l();
  }
}

template <typename T> void generic(const T &) {
  auto &[x, y] = S;
#pragma omp task
  {
    I<x> i;
    char ch{y};
    auto l = [&] { use(id(x) + ch); };
    l();
  }
  I<x> i;
}
template void generic(const int &);
#endif
