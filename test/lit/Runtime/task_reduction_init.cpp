// RUN: %clangxx -fopenmp -O0 %s -o %t && %t
// RUN: %clangxx -fopenmp -O2 %s -o %t && %t

// Reductions of the task family over arrays of a class, without an initializer
// clause: the compiler crashed. Private copies begin as the class says.

#include <cstdio>

struct Range {
  long Low = 1 << 20, High = -1;
  Range() {}
  Range(const Range &O) : Low(O.Low), High(O.High) {}
  ~Range() { Low = High = 77; }
  void add(long V) {
    Low = V < Low ? V : Low;
    High = V > High ? V : High;
  }
  bool is(long L, long H) const { return Low == L && High == H; }
};
#pragma omp declare reduction(hull:Range : omp_out.add(omp_in.Low),            \
                                  omp_out.add(omp_in.High))

struct Plain {
  int Sum;
};
#pragma omp declare reduction(sum:Plain : omp_out.Sum += omp_in.Sum)

static int Failures;
static void expect(bool Good, int Line) {
  if (Good)
    return;
  std::printf("line %d\n", Line);
  ++Failures;
}

static void loop() {
  Range Whole, Parts[3];
#pragma omp parallel num_threads(3)
#pragma omp for reduction(task, hull : Whole, Parts)
  for (int K = 10; K < 40; ++K) {
    Whole.add(K);
    Parts[K % 3].add(K);
#pragma omp task in_reduction(hull : Whole, Parts)
    {
      Whole.add(100 - K);
      Parts[0].add(100 - K);
    }
  }
  // A copy that nobody has added to joins its bounds as they began.
  expect(Whole.High >= 90 && Whole.Low <= 10, __LINE__);
  expect(Parts[0].High >= 90 && Parts[2].High >= 38 && Parts[1].Low <= 10,
         __LINE__);
}

static void group(int N) {
  Range Parts[4];
  Plain Sums[5] = {};
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(hull : Parts) task_reduction(sum : Sums)
  for (int K = 0; K < 20; ++K)
#pragma omp task in_reduction(hull : Parts) in_reduction(sum : Sums)
  {
    Parts[K % 4].add(K);
    Sums[K % 5].Sum += K;
  }
  expect(Parts[3].High >= 19, __LINE__);
  expect(Sums[2].Sum == 2 + 7 + 12 + 17, __LINE__);
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop reduction(hull : Parts[0 : N]) reduction(sum : Sums)
  for (int K = 0; K < 20; ++K) {
    Parts[K % N].add(100 + K);
    Sums[K % 5].Sum += 1;
  }
  expect(Parts[0].High >= 118, __LINE__);
  expect(Sums[2].Sum == 2 + 7 + 12 + 17 + 4, __LINE__);
}

int main() {
  loop();
  group(2);
  return Failures != 0;
}
