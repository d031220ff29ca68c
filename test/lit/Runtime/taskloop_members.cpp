// RUN: %clangxx -w -fopenmp -O0 %s -o %t && %t
// RUN: %clangxx -w -fopenmp -O2 %s -o %t && %t

// Members in the clauses of taskloops: the address of the member was taken
// before it was known, and the program crashed. The results are g++'s.

#include <cstdio>

static int Failures;

struct Object {
  long Value;
  Object(long V = 1) : Value(V) {}
  Object(const Object &O) : Value(O.Value) {}
  Object &operator=(const Object &O) {
    Value = O.Value;
    return *this;
  }
  ~Object() { Value = -1; }
};
#pragma omp declare reduction(+ : Object : omp_out.Value += omp_in.Value)      \
    initializer(omp_priv = Object(0))

#define P_(...) _Pragma(#__VA_ARGS__)
#define P(...) P_(omp __VA_ARGS__)
#define LOOP(...)                                                              \
  for (int I = 0; I < 7; ++I) {                                                \
    __VA_ARGS__;                                                               \
  }
#define CASE(WantedNumber, WantedObject, Loop, ...)                            \
  {                                                                            \
    Number = 3;                                                                \
    O.Value = 4;                                                               \
    P(__VA_ARGS__) Loop;                                                       \
    expect(__LINE__, WantedNumber, WantedObject);                              \
  }
#define DIRECTIVES(Directive)                                                  \
  CASE(6, 4, LOOP(Number = I), Directive lastprivate(Number))                  \
  CASE(3, 4, LOOP(O.Value += I), Directive firstprivate(O))                    \
  CASE(24, 4, LOOP(Number += I), Directive reduction(+ : Number))              \
  CASE(3, 25, LOOP(O.Value += I), Directive reduction(+ : O))                  \
  CASE(24, 6, LOOP(Number += I; O = Object(I)),                                \
       Directive reduction(+ : Number) lastprivate(O))                         \
  CASE(6, 4, LOOP(Number = O.Value + I - O.Value; O.Value += 1),               \
       Directive lastprivate(Number) firstprivate(O) grainsize(2))

template <typename T> struct Members {
  T Number = 3;
  Object O{4};

  void expect(int Line, long WantedNumber, long WantedObject) {
    if (Number == WantedNumber && O.Value == WantedObject)
      return;
    std::printf("line %d: %ld, %ld, not %ld, %ld\n", Line, (long)Number,
                O.Value, WantedNumber, WantedObject);
    ++Failures;
  }
  void all() {
    DIRECTIVES(taskloop)
    DIRECTIVES(taskloop simd)
    DIRECTIVES(taskloop untied)
    DIRECTIVES(parallel master taskloop num_threads(2))
    DIRECTIVES(parallel masked taskloop simd num_threads(2))
  }
  void lambda() {
    [&] { DIRECTIVES(taskloop) }();
  }
  void grouped() {
    Number = 3;
#pragma omp taskgroup task_reduction(+ : Number, O)
#pragma omp taskloop in_reduction(+ : Number, O) nogroup
    for (int I = 0; I < 7; ++I) {
      Number += I;
      O.Value += I;
    }
    expect(__LINE__, 24, 25);
  }
};

int main() {
  Members<long> L;
  Members<double> D;
  L.all();
  D.all();
  L.lambda();
  Members<long>().grouped();
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    Members<int> M;
    M.all();
    M.lambda();
  }
  return Failures != 0;
}
