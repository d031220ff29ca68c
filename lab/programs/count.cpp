//===- programs/count.cpp - What a program does, counted -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/count.h"

namespace locus::lab {

namespace {

class Counter final : public Context {
public:
  Counter(int Thread, int Threads, WorkCounts &Counts)
      : Thread(Thread), Threads(Threads), Counts(Counts) {}

  void compute(double Ns) override { Counts.ComputeNs += Ns; }
  void access(const Range *R, size_t N, double ComputeNs) override {
    compute(ComputeNs);
    for (size_t I = 0; I < N; ++I)
      (R[I].Writes ? Counts.Written : Counts.Read) += R[I].Bytes;
  }
  void create(const TaskSpec &Spec) override {
    ++Counts.Tasks;
    Counts.Depends += Spec.Depends.size();
    Spec.Body(*this);
  }
  void taskwait() override { ++Counts.Waits; }
  void barrier() override {}
  int thread() const override { return Thread; }
  int numThreads() const override { return Threads; }
  int node() const override { return 0; }
  int numNodes() const override { return 1; }
  double now() const override { return Counts.ComputeNs; }
  void place(uint64_t, uint64_t, int) override {}

private:
  int Thread, Threads;
  WorkCounts &Counts;
};

} // namespace

WorkCounts count(const Program &P, int Threads) {
  WorkCounts Counts;
  for (int T = 0; T < Threads; ++T) {
    Counter C(T, Threads, Counts);
    P.ImplicitTask(C);
  }
  return Counts;
}

} // namespace locus::lab
