//===-- multisort.c - Merge sort of four quarters, with parallel merges ---===//
//
// The quarters are sorted by tasks, merged by two and by two, and the halves
// merged; a merge splits at the middle of its longer part. Leaves are sorted by
// quicksort, and half as many values merged plainly.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { InsertionSize = 16 };

static long N = 1 << 20, Leaf = 256, CutOff = 0;
static int *Input, *Data, *Scratch;

static void insertionSort(int *A, long Size) {
  for (long I = 1; I < Size; ++I) {
    int Value = A[I];
    long J = I;
    for (; J > 0 && A[J - 1] > Value; --J)
      A[J] = A[J - 1];
    A[J] = Value;
  }
}

static int medianOfThree(int A, int B, int C) {
  if (A < B)
    return B < C ? B : A < C ? C : A;
  return A < C ? A : B < C ? C : B;
}

static void quickSort(int *A, long Size) {
  while (Size > InsertionSize) {
    int Pivot = medianOfThree(A[0], A[Size / 2], A[Size - 1]);
    long I = -1, J = Size;
    for (;;) {
      do
        ++I;
      while (A[I] < Pivot);
      do
        --J;
      while (A[J] > Pivot);
      if (I >= J)
        break;
      int Swap = A[I];
      A[I] = A[J];
      A[J] = Swap;
    }
    long Left = J + 1;
    quickSort(A, Left);
    A += Left;
    Size -= Left;
  }
  insertionSort(A, Size);
}

static void mergeSequential(const int *A, long SizeA, const int *B, long SizeB,
                            int *To) {
  while (SizeA && SizeB) {
    if (*B < *A) {
      *To++ = *B++;
      --SizeB;
    } else {
      *To++ = *A++;
      --SizeA;
    }
  }
  memcpy(To, A, (size_t)SizeA * sizeof(int));
  memcpy(To + SizeA, B, (size_t)SizeB * sizeof(int));
}

/// The number of values in the sorted \p A that are less than \p Value.
static long countLess(const int *A, long Size, int Value) {
  long Low = 0;
  while (Low < Size) {
    long Middle = Low + (Size - Low) / 2;
    if (A[Middle] < Value)
      Low = Middle + 1;
    else
      Size = Middle;
  }
  return Low;
}

static void mergeTasks(const int *A, long SizeA, const int *B, long SizeB,
                       int *To) {
  if (SizeA < SizeB) {
    mergeTasks(B, SizeB, A, SizeA, To);
    return;
  }
  long Size = SizeA + SizeB;
  // One value cannot be split.
  if (Size <= Leaf / 2 || Size <= CutOff / 2 || SizeA < 2) {
    mergeSequential(A, SizeA, B, SizeB, To);
    return;
  }
  long SplitA = SizeA / 2, SplitB = countLess(B, SizeB, A[SplitA]);
#pragma omp task BENCH_TIED
  mergeTasks(A, SplitA, B, SplitB, To);
#pragma omp task BENCH_TIED
  mergeTasks(A + SplitA, SizeA - SplitA, B + SplitB, SizeB - SplitB,
             To + SplitA + SplitB);
#pragma omp taskwait
}

static void sortSequential(int *A, int *Space, long Size) {
  if (Size <= Leaf) {
    quickSort(A, Size);
    return;
  }
  long Quarter = Size / 4, Half = 2 * Quarter, Last = Size - 3 * Quarter;
  sortSequential(A, Space, Quarter);
  sortSequential(A + Quarter, Space + Quarter, Quarter);
  sortSequential(A + Half, Space + Half, Quarter);
  sortSequential(A + 3 * Quarter, Space + 3 * Quarter, Last);
  mergeSequential(A, Quarter, A + Quarter, Quarter, Space);
  mergeSequential(A + Half, Quarter, A + 3 * Quarter, Last, Space + Half);
  mergeSequential(Space, Half, Space + Half, Size - Half, A);
}

static void sortTasks(int *A, int *Space, long Size) {
  if (Size <= Leaf || Size <= CutOff) {
    sortSequential(A, Space, Size);
    return;
  }
  long Quarter = Size / 4, Half = 2 * Quarter, Last = Size - 3 * Quarter;
#pragma omp task BENCH_TIED
  sortTasks(A, Space, Quarter);
#pragma omp task BENCH_TIED
  sortTasks(A + Quarter, Space + Quarter, Quarter);
#pragma omp task BENCH_TIED
  sortTasks(A + Half, Space + Half, Quarter);
#pragma omp task BENCH_TIED
  sortTasks(A + 3 * Quarter, Space + 3 * Quarter, Last);
#pragma omp taskwait
#pragma omp task BENCH_TIED
  mergeTasks(A, Quarter, A + Quarter, Quarter, Space);
#pragma omp task BENCH_TIED
  mergeTasks(A + Half, Quarter, A + 3 * Quarter, Last, Space + Half);
#pragma omp taskwait
  mergeTasks(Space, Half, Space + Half, Size - Half, A);
}

static void prepare(int Threads) {
  (void)Threads;
  size_t Bytes = (size_t)N * sizeof(int);
  Input = benchAllocate(Bytes);
  Data = benchAllocate(Bytes);
  Scratch = benchAllocate(Bytes);
  uint64_t State = 1;
  for (long I = 0; I < N; ++I)
    Input[I] = (int)randomNext(&State);
}

static void reset(void) { memcpy(Data, Input, (size_t)N * sizeof(int)); }

static void sequential(void) { sortSequential(Data, Scratch, N); }

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  sortTasks(Data, Scratch, N);
}

static int check(void) {
  uint64_t Before = 0, After = 0;
  for (long I = 0; I < N; ++I) {
    if (I && Data[I - 1] > Data[I]) {
      fprintf(stderr, "multisort: value %ld is less than the one before it\n",
              I);
      return 0;
    }
    // The same values in any order.
    Before += randomMix((uint64_t)Input[I]);
    After += randomMix((uint64_t)Data[I]);
  }
  if (Before != After)
    fprintf(stderr, "multisort: not the values that were to be sorted\n");
  return Before == After;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "numbers to sort", &N, 1, 1L << 30},
      {'l', "size of a leaf", &Leaf, 4, 1L << 30},
      {'c', "cut-off: size that is sorted without tasks; 0: none", &CutOff, 0,
       1L << 30},
      {0}};
  static const Benchmark Bench = {
      .Name = "multisort",
      .Summary =
          "Sorts random numbers by merging quarters. The sequential twin "
          "is quicksort.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
