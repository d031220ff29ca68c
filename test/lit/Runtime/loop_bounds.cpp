// RUN: %clangxx -fopenmp -O0 -w -DSTEP=int -DVARIABLE=uint16_t %s -o %t && %t
// RUN: %clangxx -fopenmp -O0 -w -DSTEP=int -DVARIABLE=int32_t %s -o %t && %t
// RUN: %clangxx -fopenmp -O0 -w -DSTEP=int -DVARIABLE=uint32_t %s -o %t && %t
// RUN: %clangxx -fopenmp -O0 -w -DSTEP=int -DVARIABLE=int64_t %s -o %t && %t
// RUN: %clangxx -fopenmp -O0 -w -DSTEP=uint64_t -DVARIABLE=uint32_t %s -o %t && %t
// RUN: %clangxx -fopenmp -O0 -w -DSTEP=int -DVARIABLE=uint64_t %s -o %t && %t

// Loops whose variable is narrower or wider than their bounds: an unsigned
// lower bound wrapped around before it was as wide as the upper one, so that
// the loop ran for ever. Each is compared with the loop without OpenMP.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

static long Count, Sum, Failures;
static long WantCount, WantSum;

template <class T> static void visit(T I) {
#pragma omp atomic
  Sum += long(I) * 3 + 1;
  long C;
#pragma omp atomic capture
  C = ++Count;
  if (C > 100000) { // endless
    std::printf("%s\n", __PRETTY_FUNCTION__);
    _Exit(1);
  }
}

template <class Var, class Bound, class Step>
static void expect(const char *What, int Line) {
  if (Count == WantCount && Sum == WantSum)
    return;
  if (++Failures < 20)
    std::printf("%s: line %d, %s: %ld, %ld instead of %ld, %ld\n",
                __PRETTY_FUNCTION__, Line, What, Count, Sum, WantCount,
                WantSum);
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define FORM(LINE, LOOP, ...)                                                  \
  Count = Sum = 0;                                                             \
  PRAGMA(omp __VA_ARGS__)                                                      \
  LOOP                                                                         \
  expect<Var, Bound, Step>(#__VA_ARGS__, LINE);

// All forms of a loop, against the plain one.
#define LOOPS(LINE, LOOP)                                                      \
  {                                                                            \
    Count = Sum = 0;                                                           \
    LOOP WantCount = Count;                                                    \
    WantSum = Sum;                                                             \
    FORM(LINE, LOOP, parallel for num_threads(2))                              \
    FORM(LINE, LOOP, taskloop grainsize(2))                                    \
    FORM(LINE, LOOP, taskloop num_tasks(strict : 3))                           \
  }

#define NEST(LINE, N, LOOP)                                                    \
  {                                                                            \
    Count = Sum = 0;                                                           \
    LOOP WantCount = Count;                                                    \
    WantSum = Sum;                                                             \
    FORM(LINE, LOOP, taskloop collapse(N))                                     \
    FORM(LINE, LOOP, parallel for num_threads(2) collapse(N))                  \
  }

template <class Var, class Bound, class Step> static void up(Bound To, Step By) {
  Bound From = Bound(2);
  LOOPS(__LINE__, for (Var I = 0; I < To; I += 2) visit(I);)
  LOOPS(__LINE__, for (Var I = 0; I <= To; I += 3) visit(I);)
  LOOPS(__LINE__, for (Var I = 1; To > I; I = I + 2) visit(I);)
  LOOPS(__LINE__, for (Var I = 0; I < To; ++I) visit(I);)
  LOOPS(__LINE__, for (Var I = 3; I < To; I += 2u) visit(I);)
  LOOPS(__LINE__, for (Var I = From; I < To; I += By) visit(I);)
  LOOPS(__LINE__, for (Var I = 0; I < To; I += By) visit(I);)
  LOOPS(__LINE__, for (Var I = From; I <= To; I += Step(2)) visit(I);)
  LOOPS(__LINE__, for (Var I = 0; I < 13; I += By) visit(I);)
  LOOPS(__LINE__, for (Var I = 5; I < 13ull; I += 4) visit(I);)
  LOOPS(__LINE__, for (Var I = 5; I != 13; I++) visit(I);)
}

template <class Var, class Bound, class Step>
static void down(Bound To, Step By) {
  Bound From = Bound(20);
  LOOPS(__LINE__, for (Var I = 20; I > To; I -= 2) visit(I);)
  LOOPS(__LINE__, for (Var I = 20; I >= To; I -= 3) visit(I);)
  LOOPS(__LINE__, for (Var I = From; I > To; I -= By) visit(I);)
  LOOPS(__LINE__, for (Var I = From; I >= To; --I) visit(I);)
  LOOPS(__LINE__, for (Var I = From; To < I; I = I - 2) visit(I);)
  LOOPS(__LINE__, for (Var I = From; I > 3; I -= By) visit(I);)
  LOOPS(__LINE__, for (Var I = From; I > 1ull; I -= Step(2)) visit(I);)
}

template <class Var, class Bound, class Step> static void nest(Bound To, Step By) {
  NEST(__LINE__, 2, for (Var I = 0; I < To; I += 2)
                        for (int J = 0; J < 2; ++J) visit(I + J);)
  NEST(__LINE__, 2, for (int J = 4; J > 1; J -= 2)
                        for (Var I = 0; I < To; I += By) visit(I + J);)
  NEST(__LINE__, 3, for (Var I = 0; I < To; I += 3)
                        for (Bound K = 7; K > 2; K -= 2)
                        for (Var J = 1; J <= To; J += By)
                            visit(I + J + K);)
}

template <class Var, class Bound, class Step> static void steps() {
  for (int By = 1; By < 5; ++By) {
    for (int To : {0, 1, 2, 3, 7, 13, 20}) {
      up<Var, Bound, Step>(Bound(To), Step(By));
      nest<Var, Bound, Step>(Bound(To), Step(By));
    }
    for (int To : {5, 6, 19, 20, 21, 30})
      down<Var, Bound, Step>(Bound(To), Step(By));
  }
}
template <class Var, class Bound> static void bounds() {
  steps<Var, Bound, STEP>();
}
template <class Var> static void variables() {
  bounds<Var, int16_t>();
  bounds<Var, uint16_t>();
  bounds<Var, int32_t>();
  bounds<Var, uint32_t>();
  bounds<Var, int64_t>();
  bounds<Var, uint64_t>();
}

int main() {
  variables<VARIABLE>();
  return Failures != 0;
}
