// Every private copy that a task has is aligned as its type and its attributes
// say, and its code takes it for no more: those of all constructs that make a
// record of a task, deferred or not, in place or not, and the copies that a
// taskloop makes of its task.
//
// REQUIRES: product
// RUN: %clangxx -std=c++17 -Wno-pass-failed -O0 %s -o %t && %run-each --threads 1,2,8 --policies active %t
// RUN: %clangxx -std=c++17 -Wno-pass-failed -O2 %s -o %t && %run-each --threads 1,2,8 --policies active,passive %t
// RUN: %clangxx -std=c++17 -Wno-pass-failed -O3 -march=native %s -o %t && %run-each --threads 2 --policies active %t
// No task in place:
// RUN: %clangxx -std=c++17 -Wno-pass-failed -O2 -mllvm -openmp-task-inline=false %s -o %t && %run-each --threads 2 --policies active %t

#include "check.h"

static int Runs;

/// Whether \p Data is aligned, without the compiler's knowledge of it.
static void check(const void *Data, uintptr_t Align, const char *Form) {
  asm volatile("" : "+r"(Data) : : "memory");
  if ((uintptr_t)Data % Align)
    FAIL("%s: %p is not aligned to %lu", Form, Data, (unsigned long)Align);
  add(&Runs, 1);
}

template <class T> static long sum(const T &Values) {
  long Sum = 0;
  for (long Value : Values)
    Sum += Value;
  return Sum;
}

/// A class with a copy of its own, and one that is aligned by its type.
template <int Align> struct alignas(Align) Counted {
  long Values[4] = {1, 2, 3, 4};
  static int Number;
  Counted() { add(&Number, 1); }
  Counted(const Counted &Other) {
    add(&Number, 1);
    memcpy(Values, Other.Values, sizeof(Values));
  }
  ~Counted() { add(&Number, -1); }
};
template <int Align> int Counted<Align>::Number;

template <int Align> static void tasks(int Off) {
  alignas(Align) long Array[4] = {1, 2, 3, 4};
  long Plain[4] = {1, 2, 3, 4}; // as a variable aligned to 16 on x86-64
  char Small = 1;
  Counted<Align> Object;
  typedef double Vector __attribute__((vector_size(64)));
  Vector Wide = {1, 2, 3, 4, 5, 6, 7, 8};

#define BODY(Form)                                                             \
  {                                                                            \
    check(Array, Align, Form), check(Plain, alignof(long), Form);              \
    check(&Object, Align, Form), check(&Wide, 64, Form);                       \
    Plain[0] = Small, Plain[1] = 1, Plain[2] = 0, Plain[3] = 0;                \
    Array[0] = Small, Array[1] = 1, Array[2] = 0, Array[3] = 0;                \
    check(Array, Align, Form), check(Plain, alignof(long), Form);              \
    if (sum(Plain) != 2 || sum(Array) != 2)                                    \
      FAIL("%s: other values", Form);                                          \
  }
#define COPIES firstprivate(Small, Array, Plain, Object, Wide)
#pragma omp task COPIES
  BODY("task")
#pragma omp task COPIES if (Off)
  BODY("if(0)")
#pragma omp task COPIES final(!Off)
  BODY("final")
#pragma omp task COPIES mergeable priority(1)
  BODY("priority")
#pragma omp task COPIES depend(inout : Array)
  BODY("depend")
#pragma omp task private(Array, Plain, Object, Wide) firstprivate(Small)
  BODY("private")
#pragma omp task untied COPIES
  BODY("untied")
#pragma omp task untied firstprivate(Small, Object, Wide)
  {
    alignas(Align) long Array[4];
    long Plain[4];
    BODY("local of an untied task")
#pragma omp taskyield
    check(Array, Align, "in the next part"),
        check(Plain, alignof(long), "in the next part");
    CHECK(sum(Plain) == 2 && sum(Array) == 2, "in the next part: values");
  }
  omp_event_handle_t Event = {};
#pragma omp task detach(Event) COPIES
  BODY("detach")
  omp_fulfill_event(Event);
#pragma omp target nowait COPIES
  BODY("target nowait")
#pragma omp taskwait
}

template <int Align> static void loops() {
  alignas(Align) long Array[4] = {1, 2, 3, 4};
  long Plain[4] = {1, 2, 3, 4};
  char Small = 1;
  Counted<Align> Object;
  typedef double Vector __attribute__((vector_size(64)));
  Vector Wide = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp taskloop COPIES num_tasks(7)
  for (int I = 0; I < 20; ++I)
    BODY("taskloop")
#pragma omp taskloop private(Array, Plain, Object, Wide) firstprivate(Small)   \
    grainsize(3)
  for (int I = 0; I < 20; ++I)
    BODY("taskloop private")
#pragma omp taskloop simd COPIES nogroup
  for (int I = 0; I < 20; ++I)
    BODY("taskloop simd")
#pragma omp taskwait
#pragma omp taskloop lastprivate(Array, Plain, Wide)                           \
    firstprivate(Small, Object) num_tasks(9)
  for (int I = 0; I < 20; ++I)
    BODY("taskloop lastprivate")
  CHECK(sum(Plain) == 2 && sum(Array) == 2, "last values");
#pragma omp taskloop untied COPIES num_tasks(5)
  for (int I = 0; I < 20; ++I)
    BODY("taskloop untied")
}

template <int Align> static void all() {
  const int Before = get(&Runs);
#pragma omp parallel
#pragma omp single
  for (int Round = 0; Round < 20; ++Round) {
    tasks<Align>(0);
    loops<Align>();
  }
  CHECK_EQUAL(Counted<Align>::Number, 0, "objects that are left");
  CHECK(get(&Runs) > Before + 20 * 100, "tasks ran");
}

int main() {
  all<8>(), all<16>(), all<32>(), all<64>();
  all<128>(), all<256>(), all<1024>(), all<4096>();
  return 0;
}
