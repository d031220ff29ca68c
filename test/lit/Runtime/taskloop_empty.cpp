// RUN: %clangxx -fopenmp -O0 %s -o %t && %t
// RUN: %clangxx -fopenmp -O2 %s -o %t && %t
// RUN: %clangxx -fopenmp -O2 -w -DSIMD %s -o %t && %t

// A taskloop whose bounds are such that it has no iterations has no tasks, of
// any type of variable and with any difference of the bounds.

#include <cstdint>
#include <cstdio>
#include <vector>

#ifdef SIMD
#define DIRECTIVE taskloop simd
#else
#define DIRECTIVE taskloop
#endif
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOP(...) PRAGMA(omp __VA_ARGS__)

static long Bodies, Calls, Failures;

// In place of the runtime's. It runs nothing.
static void submit(const uint64_t *Lower, const uint64_t *Upper) {
  ++Calls;
  Bodies += long(*Upper - *Lower + 1);
}
extern "C" void __kmpc_taskloop(void *, int, void *, int, uint64_t *Lower,
                                uint64_t *Upper, int64_t, int, int, uint64_t,
                                void *) {
  submit(Lower, Upper);
}
extern "C" void __kmpc_taskloop_5(void *, int, void *, int, uint64_t *Lower,
                                  uint64_t *Upper, int64_t, int, int, uint64_t,
                                  int, void *) {
  submit(Lower, Upper);
}

static void expect(long Iterations, const char *What, int Line) {
  if (Bodies != Iterations || Calls != 1) {
    std::printf("line %d, %s: %ld iterations in %ld calls, not %ld\n", Line,
                What, Bodies, Calls, Iterations);
    ++Failures;
  }
  Bodies = Calls = 0;
}
#define EXPECT(ITERATIONS, WHAT) expect(ITERATIONS, WHAT, __LINE__)

template <class T>
static void tryType(T From, T To, long Count, const char *N) {
  volatile long Sink = 0;
  LOOP(DIRECTIVE)
  for (T I = From; I < To; ++I)
    Sink = Sink + 1;
  EXPECT(Count, N);
  LOOP(DIRECTIVE grainsize(strict : 1))
  for (T I = To; I > From; --I)
    Sink = Sink + 1;
  EXPECT(Count, N);
  LOOP(DIRECTIVE collapse(2) num_tasks(3))
  for (T I = From; I < To; I += 3)
    for (T J = From; J < To; ++J)
      Sink = Sink + 1;
  EXPECT((Count + 2) / 3 * Count, N);
  LOOP(DIRECTIVE collapse(2))
  for (T I = 0; I < 5; ++I)
    for (T J = From; J < To; ++J)
      Sink = Sink + 1;
  EXPECT(5 * Count, N);
}

template <class T> static void tryTypes(const char *Name) {
  tryType<T>(0, 0, 0, Name);
  tryType<T>(7, 7, 0, Name);
  tryType<T>(7, 3, 0, Name);
  tryType<T>(100, 0, 0, Name);
  tryType<T>(0, 1, 1, Name);
  tryType<T>(3, 100, 97, Name);
}

int main() {
  tryTypes<int>("int");
  tryTypes<unsigned>("unsigned");
  tryTypes<short>("short");
  tryTypes<unsigned char>("unsigned char");
  tryTypes<long>("long");
  tryTypes<unsigned long>("unsigned long");
  tryType<int>(-3, -9, 0, "negative");
  tryType<long>(INT64_MAX - 1, INT64_MIN + 1, 0, "far apart");
  std::vector<int> None, Some(5);
  for (std::vector<int> *V : {&None, &Some}) {
    LOOP(DIRECTIVE grainsize(1))
    for (auto I = V->begin(); I < V->end(); ++I)
      ++*I;
    EXPECT(long(V->size()), "iterators");
    LOOP(DIRECTIVE)
    for (int &Element : *V)
      ++Element;
    EXPECT(long(V->size()), "range");
  }
  LOOP(DIRECTIVE)
  for (unsigned I = 5; I < 5; ++I)
    ++Failures;
  EXPECT(0, "constant");
  return Failures != 0;
}
