// RUN: %clang++ -std=c++20 -fopenmp -O0 -w %s -o %t && %t
// RUN: %clang++ -std=c++20 -fopenmp -O2 -w %s -o %t && %t
// RUN: %clang++ -std=c++17 -fopenmp -O2 -g -w %s -o %t && %t
// RUN: %clang++ -std=c++20 -fopenmp-simd -O2 -w -DSIMD %s -o %t && %t

// Structured bindings that are declared outside of the region that names them:
// captured by rule, and in clauses. Each result is the sequential one.

#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>

static int failures;
static void expect(long is, long wanted, int line) {
  if (is == wanted)
    return;
  printf("line %d: %ld, not %ld\n", line, is, wanted);
  failures++;
}
#define EXPECT(IS, WANTED) expect(IS, WANTED, __LINE__)

// Two kinds of result: of clauses that work on copies, and of a compiler that
// ignores the directives.
#ifdef SIMD
#define COPIED(OMP, SEQUENTIAL) (SEQUENTIAL)
#else
#define COPIED(OMP, SEQUENTIAL) (OMP)
#endif

struct Pair {
  int x, y;
};
struct Wide {
  int v[4];
  double d;
  const int c;
};
struct Counted {
  static int copies;
  int n;
  Counted(int n) : n(n) {}
  Counted(const Counted &o) : n(o.n) { ++copies; }
};
int Counted::copies;
struct Owner {
  Counted a, b;
};
static Pair pair(int x, int y) { return {x, y}; }

static void shared() {
  auto [x, y] = pair(1, 2);
  int q[3] = {10, 20, 30};
  auto &[q0, q1, q2] = q;
  auto &&[v, d, c] = Wide{{1, 2, 3, 4}, 2.5, 7};
  std::tuple<int, double, std::string> t{3, 4.5, "six"};
  auto &[t0, t1, t2] = t;
#pragma omp task shared(x, q1, v, d, t0, t2)
  {
    x += y + c;
    q1 += q0;
    v[2] += x;
    d *= 2;
    t0 += static_cast<int>(t1);
    t2 += "ty";
  }
#pragma omp taskwait
  EXPECT(x, 10);
  EXPECT(q[1], 30);
  EXPECT(v[2], 13);
  EXPECT(d == 5, 1);
  EXPECT(std::get<0>(t), 7);
  EXPECT(t2 == "sixty", 1);
  EXPECT(q2, 30);
}

static void copied() {
  auto [x, y] = pair(1, 2);
  auto [v, d, c] = Wide{{1, 2, 3, 4}, 2.5, 7};
  auto [t0, t1] = std::make_tuple(3, std::string("four"));
  int seen = 0;
#pragma omp task shared(seen)
  {
    x += 5, v[1] += 5, t0 += 5, t1 += "teen";
    seen = x + y + v[1] + t0 + static_cast<int>(t1.size()) + c;
  }
#pragma omp taskwait
  EXPECT(seen, 6 + 2 + 7 + 8 + 8 + 7);
  EXPECT(x, COPIED(1, 6));
  EXPECT(v[1], COPIED(2, 7));
  EXPECT(t0, COPIED(3, 8));
  EXPECT(t1.size(), COPIED(4, 8));
#pragma omp task firstprivate(y, v, t1) shared(x, seen)
  {
    x += 10, y += 10, v[0] += 10, t1 += "!";
    seen = y + v[0] + static_cast<int>(t1.size());
  }
#pragma omp taskwait
  EXPECT(seen, 12 + 11 + COPIED(5, 9));
  EXPECT(x, COPIED(11, 16));
  EXPECT(y, COPIED(2, 12));
  EXPECT(v[0], COPIED(1, 11));
  EXPECT(d == 2.5, 1);
#pragma omp task private(y, v) shared(seen)
  {
    y = 1, v[3] = 2;
    seen = y + v[3];
  }
#pragma omp taskwait
  EXPECT(seen, 3);
  EXPECT(y, COPIED(2, 12));
  EXPECT(v[3], 4);
}

// Only what is named is copied.
static void copiesOnlyIts() {
  Counted::copies = 0;
  Owner o{1, 2};
  auto &[a, b] = o;
  int sum = 0;
#pragma omp task firstprivate(a) shared(b, sum)
  sum = a.n + b.n;
#pragma omp taskwait
  EXPECT(sum, 3);
  EXPECT(Counted::copies, COPIED(1, 0));
}

static void regions() {
  auto [n, step] = pair(100, 3);
  long sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskloop grainsize(step) reduction(+ : sum)
    for (int i = 0; i < n; ++i)
      sum += i * step;
  }
  EXPECT(sum, 3L * 99 * 100 / 2);

  std::pair<long, int> p{0, 0};
  auto &[total, last] = p;
#pragma omp parallel for num_threads(3) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i += step)
    total += i, last = i;
  EXPECT(p.first, 1683);
  EXPECT(p.second, 99);

  auto [a, b] = pair(0, 5);
#pragma omp parallel num_threads(2) default(none) shared(a) firstprivate(b)
  {
    b++;
#pragma omp atomic
    a += b;
  }
  EXPECT(a, COPIED(12, 6));
  EXPECT(b, COPIED(5, 6));

  auto [hx, hy] = pair(1, 2);
#pragma omp target nowait map(tofrom : hx) firstprivate(hy)
  hx += hy;
#pragma omp taskwait
  EXPECT(hx, 3);
#pragma omp target map(hx)
  hx += hy;
  EXPECT(hx, 5);
}

static void dependences() {
  auto [x, y] = pair(0, 0);
  int seen = -1;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 100; ++i) {
#pragma omp task depend(inout : x) shared(x)
      x = x + 1;
    }
#pragma omp task depend(in : x) depend(out : y) shared(x, seen) priority(y)
    seen = x;
  }
  EXPECT(seen, 100);
}

static void lambdas() {
  auto [x, y] = pair(1, 2);
  auto [t0, t1] = std::make_tuple(3, 4L);
  auto byReference = [&] {
#pragma omp task shared(x)
    x += y + t0 + static_cast<int>(t1);
#pragma omp taskwait
    return x;
  };
  EXPECT(byReference(), 10);
  EXPECT(x, 10);
  // The body and the task use one copy.
  auto byCopy = [=]() mutable {
#pragma omp task shared(x)
    x += 1;
#pragma omp taskwait
    x += 1;
    return x;
  };
  EXPECT(byCopy(), 12);
  EXPECT(byCopy(), 14);
  EXPECT(x, 10);
  auto named = [x = x, &y = y] {
#pragma omp task shared(y)
    y = x;
#pragma omp taskwait
  };
  named();
  EXPECT(y, 10);
  auto generic = [&](auto by) {
#pragma omp task shared(x) firstprivate(by)
    x += by;
#pragma omp taskwait
  };
  generic(5);
  generic(5L);
  EXPECT(x, 20);
  // A lambda in a task.
#pragma omp task shared(x, y)
  {
    auto inner = [&] { y += x; };
    inner();
  }
#pragma omp taskwait
  EXPECT(y, 30);
}

template <typename T> long of(T t) {
  auto [x, y] = t;
  auto [n, m] = pair(4, 5);
  long sum = 0;
#pragma omp task shared(sum) firstprivate(x, n)
  sum = x + y + n + m;
#pragma omp taskwait
  auto lambda = [&, m = m](auto z) {
#pragma omp task shared(y, sum) depend(iterator(i = 0 : n), in : sum)
    sum += (y = z) + m;
#pragma omp taskwait
  };
  lambda(1);
  lambda(2L);
#pragma omp parallel num_threads(2) reduction(+ : y)
#pragma omp single
  y += 100;
  return sum + y;
}

static void loops() {
  std::map<int, long> m{{1, 10}, {2, 20}, {3, 30}};
  long sum = 0;
  for (auto &[key, value] : m) {
#pragma omp task shared(value)
    value += key;
  }
#pragma omp taskwait
  for (const auto &[key, value] : m) {
#pragma omp task shared(sum)
#pragma omp atomic
    sum += value;
  }
#pragma omp taskwait
  EXPECT(sum, 66);
  if (auto [at, inserted] = m.insert({4, 40}); inserted) {
#pragma omp task shared(sum)
    sum += at->second;
#pragma omp taskwait
  }
  EXPECT(sum, 106);
  int nest[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  sum = 0;
#pragma omp parallel for num_threads(2)
  for (auto &[left, right] : nest) {
#pragma omp task shared(left)
    left += right;
#pragma omp taskwait
  }
  EXPECT(nest[0][0] + nest[1][0] + nest[2][0], 21);
}

// What an untied task declares lies in its record.
static void untied() {
  int result = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task untied shared(result)
  {
    auto [x, y] = pair(1, 2);
    int two[2] = {3, 4};
    auto &[z, w] = two;
#pragma omp task shared(x, z)
    x += y, z += w;
#pragma omp taskyield
#pragma omp taskwait
    result = x * 100 + z;
  }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task untied
  {
    auto [t0, t1] = std::make_tuple(5, 6);
#pragma omp task shared(t0)
    t0 += t1;
#pragma omp taskwait
  }
  EXPECT(result, 307);
}

int main() {
  shared();
  copied();
  copiesOnlyIts();
  regions();
  dependences();
  lambdas();
  EXPECT(of(pair(1, 2)), 127);
  EXPECT(of(std::make_pair(1, 2L)), 127);
  loops();
  untied();
  return failures != 0;
}
