// RUN: %clangxx -fopenmp -O0 -std=c++17 -Wall -Werror %s -o %t.O0 && env OMP_NUM_THREADS=4 %t.O0 | FileCheck %s
// RUN: %clangxx -fopenmp -O2 -std=c++17 -Wall -Werror %s -o %t.O2 && env OMP_NUM_THREADS=4 %t.O2 | FileCheck %s

// 'if' of a task_iteration, where it is false: the other clauses of its
// directive name nothing, and nothing of them is evaluated. Neither objects of
// depobj are counted then, nor ranges of iterators read, nor temporaries made.
// The program stands in for the runtime and sees what is named.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <omp.h>
#include <set>
#include <vector>

struct Dependence {
  intptr_t Address;
  size_t Len;
  unsigned char Flags;
};

static std::vector<intptr_t> Named, Expected;
static int Checked, Failures, Sets;
static uint64_t Next, Last;
static const uint64_t ChunkSize = 3;

/// An upper bound of -1 is that of a loop without iterations.
static void *start(uint64_t Lb, uint64_t Ub) {
  Next = Ub + 1 == 0 ? 1 : Lb;
  Last = Ub + 1 == 0 ? 0 : Ub;
  return &Named;
}

extern "C" {
void *__kmpc_taskloop_dependent(void *, int, void *, int, uint64_t *Lb,
                                uint64_t *Ub, int64_t, int, int, uint64_t, int,
                                void *, void *) {
  return start(*Lb, *Ub);
}
int32_t __kmpc_taskloop_depend_next(void *, uint64_t *F, uint64_t *L) {
  if (Next > Last)
    return 0;
  *F = Next;
  *L = Next + ChunkSize - 1 < Last ? Next + ChunkSize - 1 : Last;
  Next = *L + 1;
  return 1;
}
void __kmpc_taskloop_depend_add(void *, int32_t N, const Dependence *D) {
  for (int32_t I = 0; I < N; ++I)
    Named.push_back(D[I].Address);
}

void *__kmpc_taskloop_places(void *, int32_t, int32_t, uint64_t Lb, uint64_t Ub,
                             int64_t, int32_t, uint64_t, int32_t) {
  return start(Lb, Ub);
}
int32_t __kmpc_taskloop_places_next(void *P, uint64_t *F, uint64_t *L) {
  return __kmpc_taskloop_depend_next(P, F, L);
}
void __kmpc_taskloop_places_set(void *, uintptr_t Value, size_t Len, int32_t) {
  Named.push_back(static_cast<intptr_t>(Value));
  Named.push_back(static_cast<intptr_t>(Value + Len));
  ++Sets;
}
void __kmpc_taskloop_placed(void *, int, void *, int, uint64_t *, uint64_t *,
                            int64_t, int, int, uint64_t, int, void *, void *) {}
}

static char M[64];
static std::set<const void *> Alive;
static int Wrong;

struct Temporary {
  char *P;
  explicit Temporary(int I) : P(&M[I]) { Wrong += !Alive.insert(this).second; }
  ~Temporary() { Wrong += Alive.erase(this) == 0; }
  char &cell() const { return *P; }
};

static void expect(int Cell) {
  Expected.push_back(reinterpret_cast<intptr_t>(&M[Cell]));
}
static void check(const char *What) {
  ++Checked;
  if (Named != Expected || Wrong || !Alive.empty()) {
    ++Failures;
    std::printf("%s: %zu named, not %zu; %d wrong\n", What, Named.size(),
                Expected.size(), Wrong);
  }
  Named.clear();
  Expected.clear();
  Alive.clear();
  Wrong = Sets = 0;
}

static void objects(int N) {
  omp_depend_t One[16], Two[16];
  for (int I = 0; I < 16; ++I) {
#pragma omp depobj(One[I]) depend(inout : M[I])
#pragma omp depobj(Two[I]) depend(iterator(k = 0 : 2), inout : M[I + k])
  }
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration depend(depobj : One[I])
#pragma omp task_iteration depend(depobj : One[15 - I], Two[I]) if (I & 1)
  }
  for (int I = 0; I < N; ++I) {
    expect(I);
    if (I & 1) {
      expect(15 - I);
      expect(I);
      expect(I + 1);
    }
  }
  check("objects");
  // Where the condition is false there is no object.
  omp_depend_t *Some[16];
  for (int I = 0; I < 16; ++I)
    Some[I] = I % 3 ? nullptr : &Two[I];
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration if (Some[I]) depend(iterator(k = 0 : I), depobj : Some[I][0 * k])
  }
  for (int I = 0; I < N; I += 3)
    for (int K = 0; K < I; ++K) {
      expect(I);
      expect(I + 1);
    }
  check("objects that may be missing");
}

struct Row {
  int Length;
  char *Items;
};

static void iterators(int N) {
  Row Rows[16], *Some[16];
  for (int I = 0; I < 16; ++I) {
    Rows[I] = {I % 4, M + I};
    Some[I] = I % 5 ? &Rows[I] : nullptr;
  }
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration if (Some[I]) depend(iterator(k = 0 : Some[I]->Length), in : Some[I]->Items[k]) depend(out : Some[I]->Items[9])
  }
  // What is not iterated over comes first.
  for (int I = 0; I < N; ++I)
    if (I % 5) {
      expect(I + 9);
      for (int K = 0; K < I % 4; ++K)
        expect(I + K);
    }
  check("ranges");
}

static void temporaries(int N) {
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration depend(inout : Temporary(I).cell()) if (I % 2)
#pragma omp task_iteration depend(iterator(k = 0 : Temporary(I).P - M), in : Temporary(k).cell()) if (&Temporary(I).cell() != M + 2)
#pragma omp task_iteration depend(in : M[40])
  }
  for (int I = 0; I < N; ++I) {
    expect(40);
    if (I % 2)
      expect(I);
    for (int K = 0; K < I && I != 2; ++K)
      expect(K);
  }
  check("temporaries");
  auto Shared = [](int I) {
    return std::shared_ptr<char>(&M[I], [](char *) {});
  };
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration depend(inout : *Shared(I)) if (I % 2)
  }
  for (int I = 1; I < N; I += 2)
    expect(I);
  check("shared pointers");
}

static void all(int N) {
#pragma omp taskloop nogroup collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < I; ++J) {
#pragma omp task_iteration depend(out : omp_all_memory) if (I == 3)
#pragma omp task_iteration depend(in : M[J]) if (false)
#pragma omp task_iteration depend(in : M[I]) if (true)
    }
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < I; ++J) {
      if (I == 3)
        Expected.push_back(0);
      expect(I);
    }
  check("all memory");
}

/// Memory is what the first and the last iteration name of a part of 3, where
/// the condition holds.
static void places(int N) {
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration affinity(M[I]) if (I % 2)
#pragma omp task_iteration affinity(Temporary(I).cell()) if (I > 3)
  }
  for (int I = 0; I < N; I += 3) {
    int First = I, Last = I + 2 < N ? I + 2 : N - 1;
    int FirstOdd = First % 2 ? First : Last, LastOdd = Last % 2 ? Last : First;
    if (FirstOdd % 2) {
      expect(FirstOdd);
      expect(LastOdd + 1);
    }
    if (Last > 3) {
      expect(First > 3 ? First : Last);
      expect(Last + 1);
    }
  }
  check("lists");
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration affinity(data : Temporary(I).P[0 : 2], strict) if (I > 3)
  }
  for (int I = 0; I < N; I += 3)
    if (int End = I + 2 < N ? I + 2 : N - 1; End > 3) {
      expect(I > 3 ? I : End);
      expect(End + 2);
    }
  check("data");
#pragma omp taskloop nogroup
  for (int I = 0; I < N; ++I) {
#pragma omp task_iteration affinity(node : I) if (I > 3)
  }
  for (int I = 0; I < N; I += 3)
    if (int End = I + 2 < N ? I + 2 : N - 1; End > 3)
      for (int Twice = 0; Twice < 2; ++Twice)
        Expected.push_back(I > 3 ? I : End);
  check("node");
}

int main() {
  for (int N = 0; N < 12; ++N) {
    objects(N);
    iterators(N);
    temporaries(N);
    all(N);
    places(N);
  }
  // CHECK: 108 checks, 0 failures
  std::printf("%d checks, %d failures\n", Checked, Failures);
  return Failures != 0;
}
