// What a task needs of the stack is not in the frame of the function that
// creates it, in whatever order functions are inlined: a recursion that goes on
// behind the task takes as much stack as if the task ran elsewhere.

// RUN: %clangxx -fopenmp -O0 %s -o %t.O0 && %t.O0
// RUN: %clangxx -fopenmp -O1 %s -o %t.O1 && %t.O1
// RUN: %clangxx -fopenmp -O2 %s -o %t.O2 && %t.O2
// RUN: %clangxx -fopenmp -O3 %s -o %t.O3 && %t.O3
// RUN: %clangxx -fopenmp -Os %s -o %t.Os && %t.Os
// RUN: %clangxx -fopenmp -O2 -DUNTIED=untied %s -o %t.untied && %t.untied
// RUN: %clangxx -fopenmp -O2 -fsanitize=undefined %s -o %t.ubsan && %t.ubsan
//
// Across files, of which the link makes one:
// RUN: %clangxx -fopenmp -O2 -flto -DPART=1 -c %s -o %t.1.o
// RUN: %clangxx -fopenmp -O2 -flto -DPART=2 -c %s -o %t.2.o
// RUN: %clangxx -fopenmp -O2 -flto -DPART=3 -c %s -o %t.3.o
// RUN: %clangxx -fopenmp -O2 -flto --ld-path=%lld %t.1.o %t.2.o %t.3.o -o %t.lto && %t.lto
// RUN: %clangxx -fopenmp -O2 -flto=thin -DPART=1 -c %s -o %t.1.o
// RUN: %clangxx -fopenmp -O2 -flto=thin -DPART=2 -c %s -o %t.2.o
// RUN: %clangxx -fopenmp -O2 -flto=thin -DPART=3 -c %s -o %t.3.o
// RUN: %clangxx -fopenmp -O2 -flto=thin --ld-path=%lld %t.1.o %t.2.o %t.3.o -o %t.thin && %t.thin

#include <alloca.h>
#include <cstdio>
#include <pthread.h>

#ifndef UNTIED
#define UNTIED
#endif
#ifndef PART // all
#define PART 0
#define PART_OF(N) 1
#else
#define PART_OF(N) (PART == N)
#endif

enum { Bytes = 8192, Levels = 1000, MostPerLevel = 400, StackSize = 32 << 20 };

void use(char *Memory);
void farLeaf(int N);
void farNext(int N);
void farVisit(int N);

#if PART_OF(1)
static char *Highest, *Lowest;
static int Used;

static inline void noteStack() {
  char Here;
  char *volatile Address = &Here;
  if (!Highest)
    Highest = Address;
  if (Address < Lowest || !Lowest)
    Lowest = Address;
}

__attribute__((noinline)) void use(char *Memory) {
  __asm__ volatile("" ::"r"(Memory) : "memory");
#pragma omp atomic
  ++Used;
}

static void leaf(int N) {
  char Memory[Bytes];
  Memory[N] = 1;
  use(Memory);
}
static void leafOfLeaf(int N) { leaf(N + 1); }
static void (*const Pointer)(int) = leaf;

struct Object {
  char Memory[Bytes];
  explicit Object(int N) { Memory[N] = 1; }
  ~Object() { use(Memory); }
};

struct Virtual {
  virtual void run(int N) { leaf(N); }
};

static void taskOfTask(int N) {
#pragma omp task firstprivate(N) UNTIED
  {
    char Memory[Bytes];
    Memory[N] = 1;
    use(Memory);
  }
}

static void creatorWithMore(int N) {
  char Memory[Bytes];
#pragma omp task firstprivate(N) UNTIED
  ++N;
  Memory[N] = 1;
  use(Memory);
}

static struct Data {
  char Memory[440];
} Private;

static struct Argument {
  char Memory[Bytes];
} Passed;
__attribute__((noinline)) static void takeByValue(Argument Copy) {
  use(Copy.Memory);
}

typedef double Vector __attribute__((vector_size(1024)));
static Vector Numbers;

// Each takes little, together they take more.
__attribute__((always_inline)) static inline void link1(int N) {
  char Memory[250];
  Memory[N & 127] = 1;
  use(Memory);
}
#define LINK(NAME, CALLEE)                                                     \
  __attribute__((always_inline)) static inline void NAME(int N) {              \
    char Memory[250];                                                          \
    Memory[N & 127] = 1;                                                       \
    use(Memory);                                                               \
    CALLEE(N + 1);                                                             \
  }
LINK(link2, link1)
LINK(link3, link2)
LINK(link4, link3)
LINK(link5, link4)

// NAME creates a task with the body and calls NAMENext, which calls NAME. Twice,
// so that no call is the only one.
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define RECURSION(NAME, CLAUSES, ...)                                          \
  static void NAME##Next(int N);                                               \
  static void NAME(int N) {                                                    \
    noteStack();                                                               \
    PRAGMA(omp task firstprivate(N) CLAUSES)                                   \
    __VA_ARGS__                                                                \
    NAME##Next(N);                                                             \
  }                                                                            \
  static void NAME##Next(int N) {                                              \
    if (N > 1)                                                                 \
      NAME(N - 1);                                                             \
    if (N < 0)                                                                 \
      NAME(N - 2);                                                             \
  }

RECURSION(own, UNTIED, {
  char Memory[Bytes];
  Memory[N] = 1;
  use(Memory);
})
RECURSION(ofCallee, UNTIED, { leafOfLeaf(N); })
RECURSION(ofPointee, UNTIED, { Pointer(N); })
RECURSION(ofLambda, UNTIED, {
  auto Lambda = [&](int I) {
    char Memory[Bytes];
    Memory[I] = 1;
    use(Memory);
  };
  Lambda(N);
})
RECURSION(ofObject, UNTIED, { Object Here(N); })
RECURSION(ofVirtual, UNTIED, {
  Virtual Here;
  Virtual *Base = &Here;
  Base->run(N);
})
RECURSION(ofTask, UNTIED, { taskOfTask(N); })
RECURSION(ofCreator, UNTIED, { creatorWithMore(N); })
RECURSION(dynamic, UNTIED, {
  int Size = Bytes;
  char *Memory = static_cast<char *>(alloca(Size));
  Memory[N] = 1;
  use(Memory);
})
RECURSION(ofArgument, UNTIED, { takeByValue(Passed); })
RECURSION(ofVector, UNTIED, {
  Vector Here = Numbers;
  use(reinterpret_cast<char *>(&Here));
})
RECURSION(ofChain, UNTIED, { link5(N); })
RECURSION(ofData, private(Private) UNTIED, { use(Private.Memory); })

void farVisit(int N) {
  noteStack();
#pragma omp task firstprivate(N) UNTIED
  farLeaf(N);
  farNext(N);
}

static int Failures;

static void check(const char *What, void (*Recursion)(int)) {
  Highest = Lowest = nullptr;
  Used = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  Recursion(Levels);
  const long PerLevel = (Highest - Lowest) / Levels;
  if (PerLevel <= MostPerLevel && Used >= Levels)
    return;
  ++Failures;
  std::printf("%s: %ld bytes of stack for each level, %d tasks\n", What,
              PerLevel, Used);
}

static void *checkAll(void *) {
  check("variable of the task", own);
  check("variable of a function", ofCallee);
  check("variable of a function by a pointer", ofPointee);
  check("variable of a lambda", ofLambda);
  check("object", ofObject);
  check("variable of a virtual function", ofVirtual);
  check("variable of a task of the task", ofTask);
  check("variable of another creator", ofCreator);
  check("alloca", dynamic);
  check("argument that is passed by value", ofArgument);
  check("vector", ofVector);
  check("variables of functions that call each other", ofChain);
  check("private data", ofData);
  check("variable in another file", farVisit);
  return nullptr;
}

int main() {
  pthread_attr_t Attributes;
  pthread_t Thread;
  if (pthread_attr_init(&Attributes) ||
      pthread_attr_setstacksize(&Attributes, StackSize) ||
      pthread_create(&Thread, &Attributes, checkAll, nullptr) ||
      pthread_join(Thread, nullptr))
    return std::puts("no thread"), 2;
  return Failures != 0;
}
#endif

#if PART_OF(2)
void farLeaf(int N) {
  char Memory[Bytes];
  Memory[N] = 1;
  use(Memory);
}
#endif

#if PART_OF(3)
void farNext(int N) {
  if (N > 1)
    farVisit(N - 1);
  if (N < 0)
    farVisit(N - 2);
}
#endif
