//===- host/flow.cpp - What the flow asks of the laboratory ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/host/host.h"

namespace locus::lab {

bool HostThread::mayRunNow(Data *D) const {
  return Of->isAllowed(*this, /*Constrained=*/true, D);
}

void HostThread::offerInPlace(const std::atomic<int32_t> *To) {
  Allowed = To && Of->Set.Options.InPlace ? To : Of->NeverAllowed;
}
void HostThread::alwaysOfferInPlace() { offerInPlace(Of->AlwaysAllowed); }
void HostThread::forbidInPlace() { Allowed = Of->NeverAllowed; }

void HostThread::endPlaced() {
  RunsPlaced = false;
  Of->Ours->endTask(*Mine);
}

/// One load and a test. Instrumented: while the creator's clock is beyond those
/// of the others it has to let them go on before it looks. (Without, GCC leaves
/// out the load, too; Clang does not.)
__attribute__((noinline)) bool HostThread::mayRunInPlace() const {
  return Depth < Allowed->load(std::memory_order_relaxed);
}

bool HostThread::followsDepend() const {
  return Of->Set.Chosen.hasDependAffinity() && Of->E.machine().NumNodes > 1;
}

bool HostThread::isReady(const DependList &Items) const {
  return flow::isReady<LabTasks>(domain(), Items);
}

void HostThread::freeRanges(Data *D) const {
  if (hasRanges(D->Hint.kind()))
    locus::lab::release(reinterpret_cast<void *>(D->Target.Value));
}

RangeList *HostThread::newRanges() const {
  return static_cast<RangeList *>(locus::lab::allocate(sizeof(RangeList)));
}

UnknownPolicy HostThread::unknownPolicy() const {
  return Of->Set.Chosen.unknownPolicy();
}
void HostThread::noteStrict() const { Of->AnyStrict = true; }
bool HostThread::sleepsBetweenTasks() const { return Of->sleepsBetweenTasks(); }
const Waker &HostThread::waker() const { return Of->Sleepers; }
bool HostThread::isAlone(const Data *) const { return Of->E.numThreads() == 1; }

uint32_t HostThread::dependentLimit() const {
  return Of->Set.HasDependentLimit
             ? Of->Set.DependentLimit
             : flow::defaultDependentLimit(Of->E.numThreads());
}

/// Asked for once for each item: what libomp's instructions take for it.
void *HostThread::toolContext() const {
  Of->E.advance(toPs(Of->Cost.DependNs));
  return nullptr;
}

bool HostThread::runAny() {
  int Finished = 0;
  TaskData *Found = Of->search(*this, &Finished, /*Constrained=*/true);
  if (Found)
    Of->invoke(*this, Found);
  Of->endSearches(*this);
  return Found != nullptr;
}

void HostThread::pause() const { Of->E.pause(); }

} // namespace locus::lab
