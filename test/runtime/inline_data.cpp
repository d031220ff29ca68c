// A task in place has its own data, as other tasks do: private variables of all
// kinds, exceptions that stay inside, and little of its creator's stack.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S/Inputs %s %t.state.o -o %t
// RUN: %run-each --threads 1,2,8 %t
// Code of other compilers: the runtime does it alone.
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S/Inputs -mllvm -openmp-task-inline=false %s %t.state.o -o %t.drafts
// RUN: %run-each --threads 1,2,8 %t.drafts
// Untied tasks as well, of which clang compiles the body in parts.
// RUN: sed -E 's/omp task( |$)/omp task untied\1/' %s > %t.untied.cpp
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S -I%S/Inputs -DTIED=untied %t.untied.cpp %t.state.o -o %t.untied
// RUN: %run-each --threads 1,2,8 %t.untied
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S -I%S/Inputs -mllvm -openmp-task-inline=false -DTIED=untied %t.untied.cpp %t.state.o -o %t.untied_drafts
// RUN: %run-each --threads 1,2,8 %t.untied_drafts
// Real tasks: the test knows the difference.
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S/Inputs -DORDINARY %s %t.state.o -o %t.ordinary
// RUN: %run %t.ordinary

#include "check.h"
#include "inline_teams.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// Counts what lives, and knows its own address.
struct Tracked {
  static int Alive, Copies;
  int Value;
  Tracked *Self;
  Tracked(int V = 3) : Value(V), Self(this) { add(&Alive, 1); }
  Tracked(const Tracked &O) : Value(O.Value + 1), Self(this) {
    add(&Alive, 1);
    add(&Copies, 1);
  }
  ~Tracked() {
    CHECK(Self == this, "moved");
    add(&Alive, -1);
  }
};
int Tracked::Alive, Tracked::Copies;

struct Member {
  int Field = 4;
  void run() {
    int Seen = 0;
    nextInPlace();
#pragma omp task shared(Seen)
    Seen = this->Field;
#pragma omp taskwait
    CHECK_EQUAL(Seen, 4, "this");
  }
};

static void data(int N) {
  const int AliveBefore = get(&Tracked::Alive);
  const int CopiesBefore = get(&Tracked::Copies);
  {
    Tracked One(10), Many[3];
    Tracked Fresh;
    int Array[4] = {1, 2, 3, 4};
    int Variable[N]; // an extension, which clang does not privatize in tasks
    for (int I = 0; I < N; ++I)
      Variable[I] = I;
    std::vector<std::string> Words{"a", std::string(100, 'b')};
    alignas(64) char Aligned[64] = {1};
    nextInPlace();
    const int Outer = inlineDepth();
#pragma omp task firstprivate(One, Many, Array, Words, Aligned, N,             \
                                  Outer) private(Fresh) shared(Variable)
    {
      checkInPlace(Outer, "private data");
      CHECK_EQUAL(One.Value, 11, "copied once");
      CHECK_EQUAL(Many[2].Value, 4, "array of objects");
      CHECK_EQUAL(Fresh.Value, 3, "private");
      CHECK_EQUAL(Array[3], 4, "array");
      CHECK_EQUAL(Variable[N - 1], N - 1, "VLA");
      CHECK_EQUAL(Words[1].size(), 100, "vector of strings");
      CHECK_EQUAL((uintptr_t)Aligned % 64, 0, "alignment");
      CHECK_EQUAL(Aligned[0], 1, "aligned");
      Variable[0] = 70;
      Array[3] = One.Value = -1;
      Words.clear();
      nextReal();
#pragma omp task firstprivate(One)
      CHECK_EQUAL(One.Value, 0, "copy of a copy");
#pragma omp taskwait
    }
#pragma omp taskwait
    CHECK_EQUAL(Array[3], 4, "array stays");
    CHECK_EQUAL(Variable[0], 70, "VLA is shared");
    CHECK_EQUAL(One.Value, 10, "object stays");
    CHECK_EQUAL(Words.size(), 2, "vector stays");
  }
  if (omp_get_num_threads() == 1) { // else others count as well
    CHECK_EQUAL(get(&Tracked::Alive), AliveBefore, "destroyed");
    CHECK_EQUAL(get(&Tracked::Copies) - CopiesBefore, 5, "copies");
  }
  Member().run();
  int ByLambda = 0;
  auto Lambda = [&ByLambda](int V) {
    nextInPlace();
#pragma omp task shared(ByLambda) firstprivate(V)
    ByLambda = V;
  };
  Lambda(9);
#pragma omp taskwait
  CHECK_EQUAL(ByLambda, 9, "lambda");
}

static void exceptions() {
  int Caught = 0;
  const int Before = inlineDepth();
  nextInPlace();
#pragma omp task shared(Caught)
  {
    try {
      Tracked Local;
      nextInPlace();
#pragma omp task shared(Caught)
      {
        try {
          throw std::runtime_error("inner");
        } catch (const std::exception &) {
          ++Caught;
        }
      }
#pragma omp taskwait
      throw std::runtime_error("outer");
    } catch (const std::exception &) {
      ++Caught;
    }
  }
#pragma omp taskwait
  CHECK_EQUAL(Caught, 2, "caught");
  CHECK_EQUAL(inlineDepth(), Before, "depth after exceptions");
}

__attribute__((noinline)) static long deep(int Levels, char **Lowest) {
  char Here;
  if (&Here < *Lowest)
    *Lowest = &Here;
  if (Levels == 0)
    return 0;
  long Below = 0;
  nextInPlace();
#pragma omp task shared(Below) firstprivate(Levels, Lowest)
  Below = deep(Levels - 1, Lowest);
#pragma omp taskwait
  return Below + 1;
}

/// A level takes some ten words of stack.
static void stack() {
  char Here, *Lowest = &Here;
  const int Levels = InPlace ? 5000 : 50;
  CHECK_EQUAL(deep(Levels, &Lowest), Levels, "levels");
#ifdef __clang__
  const int Bytes = 256;
#else
  const int Bytes = 1024; // GOMP_task has a large frame
#endif
  if (InPlace)
    CHECK(&Here - Lowest < long(Bytes) * Levels, "%ld bytes for %d levels",
          long(&Here - Lowest), Levels);
}

static void all(int Round) {
  warmUp();
  data(5 + Round % 7);
  exceptions();
  stack();
  CHECK_EQUAL(inlineDepth(), 0, "depth at the end");
}

int main() {
  inAllTeams(all);
  CHECK_EQUAL(Tracked::Alive, 0, "objects left");
  return 0;
}
