// RUN: %clangxx -fopenmp -O0 -w -DVALUE=int %s -o %t && %t
// RUN: %clangxx -fopenmp -O0 -w -DVALUE=double %s -o %t && %t
// RUN: %clangxx -fopenmp-simd -O0 -w -DVALUE=int %s -o %t && %t

// A default clause of firstprivate or private says nothing about the regions
// around its directive: these captured the variable of a reduction, lastprivate
// or shared clause by copy, and its new value was lost. All defaults, clauses,
// directives and regions around them.

#include <cstdio>

static int Failures;
static void expect(const char *What, double Is, double Wanted) {
  if (Is == Wanted)
    return;
  std::printf("%s: %g, not %g\n", What, Is, Wanted);
  ++Failures;
}

#define P_(...) _Pragma(#__VA_ARGS__)
#define P(...) P_(omp __VA_ARGS__)
#define FOR for (int I = 0; I < 10; ++I)

// Regions, of which one thread meets the directive.
#define SINGLE P(parallel num_threads(3)) P(single)
#define MASTER P(parallel num_threads(3)) P(master)
#define MASKED P(parallel num_threads(3)) P(masked)
#define SECTION P(parallel sections num_threads(3))
#define TASK SINGLE P(task shared(S))
#define GROUP SINGLE P(taskgroup)
#define CRITICAL SINGLE P(critical)
#define NESTED SINGLE P(parallel num_threads(2)) P(single)
#define DEFAULT P(parallel num_threads(3) default(shared)) P(single)
#define UNTIED SINGLE P(task untied shared(S)) P(taskgroup)

// S is what the clause names; K is left to the default clause.
#define CASE(WANTED, WHAT, REGION, BODY, ...)                                  \
  {                                                                            \
    Value S = 1;                                                               \
    int K = 5;                                                                 \
    REGION P(__VA_ARGS__) BODY                                                 \
    expect(WHAT #__VA_ARGS__, S, WANTED);                                      \
  }
#define LOOP(REGION, DIRECTIVE, KIND)                                          \
  CASE(21, #REGION " ", REGION, FOR { K = 2; S += K; },                        \
       DIRECTIVE default(KIND) reduction(+ : S))                               \
  CASE(21, #REGION " ", REGION, FOR { K = 2; S += K; },                        \
       DIRECTIVE reduction(+ : S) default(KIND) grainsize(3))                  \
  CASE(11, #REGION " ", REGION, FOR { K = 2; S = I + K; },                     \
       DIRECTIVE default(KIND) lastprivate(S))                                 \
  CASE(21, #REGION " ", REGION, FOR { K = 2; P(atomic) S += K; },              \
       DIRECTIVE default(KIND) shared(S))
#define TASKS(REGION, KIND)                                                    \
  CASE(3, #REGION " ", REGION P(taskgroup), { K = 2; S += K; },                \
       task default(KIND) shared(S))                                           \
  CASE(3, #REGION " ", REGION P(taskgroup task_reduction(+ : S)),              \
       { K = 2; S += K; }, task default(KIND) in_reduction(+ : S))             \
  CASE(3, #REGION " ", REGION P(taskgroup task_reduction(+ : S)),              \
       { K = 2; S += K; }, task in_reduction(+ : S) default(KIND) untied)      \
  CASE(21, #REGION " ", REGION P(taskgroup task_reduction(+ : S)),             \
       FOR { K = 2; S += K; }, taskloop default(KIND) in_reduction(+ : S))     \
  CASE(3, #REGION " ", REGION, { K = 2; S += K; },                             \
       parallel num_threads(1) default(KIND) reduction(+ : S))                 \
  CASE(3, #REGION " ", REGION, { K = 2; P(atomic) S += K; },                   \
       parallel num_threads(1) default(KIND) shared(S))                        \
  CASE(21, #REGION " ", REGION, FOR { K = 2; S += K; },                        \
       parallel for num_threads(2) default(KIND) reduction(+ : S))             \
  CASE(11, #REGION " ", REGION, FOR { K = 2; S = I + K; },                     \
       parallel for num_threads(2) default(KIND) lastprivate(S))
#define LOOPS(REGION, KIND)                                                    \
  LOOP(REGION, taskloop, KIND)                                                 \
  LOOP(REGION, taskloop simd, KIND)                                            \
  LOOP(REGION, parallel master taskloop num_threads(2), KIND)                  \
  LOOP(REGION, parallel masked taskloop simd num_threads(2), KIND)
#define KINDS(WHAT, REGION)                                                    \
  WHAT(REGION, firstprivate)                                                   \
  WHAT(REGION, private)                                                        \
  WHAT(REGION, shared)

template <class Value> static void regions() {
  KINDS(TASKS, SINGLE)
  KINDS(TASKS, TASK)
  KINDS(TASKS, NESTED)
  KINDS(TASKS, DEFAULT)
  KINDS(LOOPS, SINGLE)
  KINDS(LOOPS, MASTER)
  KINDS(LOOPS, MASKED)
  KINDS(LOOPS, TASK)
  KINDS(LOOPS, GROUP)
  KINDS(LOOPS, CRITICAL)
  KINDS(LOOPS, NESTED)
  KINDS(LOOPS, DEFAULT)
  KINDS(LOOPS, UNTIED)
  LOOP(MASTER, master taskloop, firstprivate)
  LOOP(MASTER, master taskloop simd, private)
}

// The same where S is captured by a lambda, by reference.
static void lambda() {
  typedef VALUE Value;
  auto Local = [&] { KINDS(TASKS, SINGLE) KINDS(LOOPS, SINGLE) };
  Local();
  Value Outer = 1;
  auto Captured = [&] {
    int K = 2;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop default(firstprivate) reduction(+ : Outer)
    FOR Outer += K;
  };
  Captured();
  expect("captured", Outer, 21);
}

// What the default says holds for the directive itself.
static void itself() {
  int S = 1;
#pragma omp parallel num_threads(3) default(firstprivate)
  {
    S = 2;
#pragma omp single
#pragma omp taskloop default(firstprivate) reduction(+ : S)
    FOR S += 1;
  }
#ifdef _OPENMP
  expect("parallel default(firstprivate)", S, 1);
#endif
}

int main() {
  regions<VALUE>();
  lambda();
  itself();
  return Failures != 0;
}
