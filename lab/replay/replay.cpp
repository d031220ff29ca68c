//===- replay/replay.cpp - A real run as a program of the laboratory -----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/replay.h"
#include "lab/replay/script.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>

namespace locus::lab {

namespace {

/// The most bytes that an item of depend may have without being the first ones
/// of a block.
constexpr uint64_t LineBytes = 64;

/// Scripts, and what all of them need.
struct Scripts {
  Recording Run;
  ReplayOptions Options;
  int Threads = 0; ///< of the largest region
  uint64_t BlockBytes = 0;
  std::vector<uint64_t> Addresses; ///< of dependences, sorted

  void findBlocks();
  uint64_t bytesOf(const DependItem &Item) const;
  std::vector<Range> ranges(const TaskScript &T) const;
  double computeNs(double TracedNs, double Bytes) const;
  /// The thread of a team of \p Now that stands for thread \p Traced: a larger
  /// team's are spread evenly.
  uint64_t threadFor(uint64_t Traced, int Now) const {
    return Now > Threads
               ? Traced % uint64_t(Threads) * uint64_t(Now) / uint64_t(Threads)
               : Traced % uint64_t(Now);
  }
  void findParts();
  uint64_t ownerOf(const TaskScript &T, int Now) const;

private:
  /// Addresses that one task with a hint to a thread writes belong together;
  /// such a group is a part of what that thread owns.
  struct Part {
    uint64_t Rank = 0, Of = 1; ///< by address, of how many of its thread's
  };
  std::map<uint64_t, Part> PartOf; ///< by the address
};

/// The first item that \p T writes; null: none.
const DependItem *firstWritten(const TaskScript &T) {
  for (const DependItem &Item : T.Depends)
    if (Item.Kind != DepKind::In)
      return &Item;
  return nullptr;
}

void Scripts::findParts() {
  std::map<uint64_t, uint64_t> Group; // address: an address of its group
  const std::function<uint64_t(uint64_t)> First = [&](uint64_t Address) {
    const auto Found = Group.insert({Address, Address}).first;
    return Found->second == Address ? Address
                                    : (Found->second = First(Found->second));
  };
  std::map<uint64_t, uint64_t> Owner; // first address: traced thread
  for (const auto &[Number, T] : Run.Tasks) {
    const DependItem *Written = firstWritten(T);
    if (T.Affinity.Kind != HintKind::Thread || !Written)
      continue;
    uint64_t Least = First(Written->Address);
    for (const DependItem &Item : T.Depends)
      if (Item.Kind != DepKind::In) {
        const uint64_t Other = First(Item.Address);
        Group[std::max(Least, Other)] = std::min(Least, Other);
        Least = std::min(Least, Other);
      }
    Owner.insert({Least, T.Affinity.Value});
  }
  std::map<uint64_t, std::vector<uint64_t>> Owned; // by thread, first addresses
  for (const auto &[Address, Thread] : Owner)
    if (First(Address) == Address)
      Owned[Thread].push_back(Address);
  std::map<uint64_t, Part> OfGroup;
  for (const auto &[Thread, Addresses] : Owned)
    for (size_t I = 0; I < Addresses.size(); ++I)
      OfGroup[Addresses[I]] = {I, Addresses.size()};
  for (const auto &[Address, Next] : Group)
    PartOf[Address] = OfGroup[First(Address)];
}

/// The thread of a team of \p Now that a task belongs to which had a hint to a
/// thread. In a larger team several stand for each traced one, and share what
/// it owned in the order of addresses.
uint64_t Scripts::ownerOf(const TaskScript &T, int Now) const {
  const uint64_t First = threadFor(T.Affinity.Value, Now);
  const DependItem *Written = firstWritten(T);
  const auto Found = Written ? PartOf.find(Written->Address) : PartOf.end();
  if (Now <= Threads || Found == PartOf.end())
    return First;
  const uint64_t Next = (T.Affinity.Value % uint64_t(Threads) + 1) *
                        uint64_t(Now) / uint64_t(Threads);
  return First + Found->second.Rank * (Next - First) / Found->second.Of;
}

using Shared = std::shared_ptr<const Scripts>;

void Scripts::findBlocks() {
  for (const auto &[Number, T] : Run.Tasks)
    for (const DependItem &Item : T.Depends)
      Addresses.push_back(Item.Address);
  std::sort(Addresses.begin(), Addresses.end());
  Addresses.erase(std::unique(Addresses.begin(), Addresses.end()),
                  Addresses.end());
  std::map<uint64_t, uint64_t> Gaps;
  for (size_t I = 1; I < Addresses.size(); ++I)
    ++Gaps[Addresses[I] - Addresses[I - 1]];
  uint64_t Most = 0;
  for (const auto &[Gap, Count] : Gaps)
    if (Count > Most)
      Most = Count, BlockBytes = Gap;
  if (BlockBytes <= LineBytes)
    BlockBytes = 0;
}

uint64_t Scripts::bytesOf(const DependItem &Item) const {
  if (Item.Bytes > LineBytes || BlockBytes == 0)
    return Item.Bytes;
  const auto Next =
      std::upper_bound(Addresses.begin(), Addresses.end(), Item.Address);
  return Next == Addresses.end() ? BlockBytes
                                 : std::min(BlockBytes, *Next - Item.Address);
}

std::vector<Range> Scripts::ranges(const TaskScript &T) const {
  std::vector<Range> Ranges;
  const auto Add = [&](uint64_t Address, uint64_t Bytes, bool Writes) {
    for (Range &R : Ranges)
      if (R.Address == Address) {
        R.Bytes = std::max(R.Bytes, Bytes);
        R.Writes |= Writes;
        return;
      }
    if (Bytes)
      Ranges.push_back({Address, Bytes, Writes});
  };
  for (const DependItem &Item : T.Depends)
    Add(Item.Address, bytesOf(Item), Item.Kind != DepKind::In);
  if (T.Depends.empty() && T.Affinity.Kind == HintKind::Data)
    Add(T.Affinity.Value, T.Affinity.Bytes, true);
  return Ranges;
}

double Scripts::computeNs(double TracedNs, double Bytes) const {
  double Ns = TracedNs;
  if (Options.TracedGBs > 0 && Bytes / Options.TracedGBs > TracedNs / 2)
    Ns /= 2;
  return Ns * Options.ComputeFactor;
}

//===----------------------------------------------------------------------===//
// Carrying it out
//===----------------------------------------------------------------------===//

void createTask(Context &C, const Shared &S, uint32_t Number);

/// The longest computation of a task is the one that moves its memory.
size_t mainStep(const TaskScript &T) {
  size_t Main = T.Steps.size();
  for (size_t I = 0; I < T.Steps.size(); ++I)
    if (T.Steps[I].Kind == StepKind::Compute &&
        (Main == T.Steps.size() || T.Steps[I].Ns > T.Steps[Main].Ns))
      Main = I;
  return Main;
}

void carryOut(Context &C, const Shared &S, const std::vector<Step> &Steps,
              size_t Begin, size_t End, const TaskScript *Task) {
  const size_t Main = Task ? mainStep(*Task) : Steps.size();
  for (size_t I = Begin; I < End; ++I) {
    const Step &Now = Steps[I];
    if (Now.Kind == StepKind::Create) {
      createTask(C, S, Now.Task);
    } else if (Now.Kind == StepKind::Wait) {
      C.taskwait();
    } else if (I == Main) {
      const std::vector<Range> Ranges = S->ranges(*Task);
      double Bytes = 0;
      for (const Range &R : Ranges)
        Bytes += double(R.Bytes);
      C.access(Ranges.data(), Ranges.size(), S->computeNs(Now.Ns, Bytes));
    } else if (Now.Kind == StepKind::Compute) {
      C.compute(Now.Ns * S->Options.ComputeFactor);
    }
  }
}

void createTask(Context &C, const Shared &S, uint32_t Number) {
  const auto Found = S->Run.Tasks.find(Number);
  if (Found == S->Run.Tasks.end() || !Found->second.Ran)
    return;
  const TaskScript &T = Found->second;
  TaskSpec Spec;
  Spec.Construct = T.Construct;
  Spec.Affinity = T.Affinity;
  if (T.Affinity.Kind == HintKind::Thread)
    Spec.Affinity.Value = S->ownerOf(T, C.numThreads());
  for (const DependItem &Item : T.Depends)
    Spec.Depends.push_back({Item.Address, Item.Kind});
  Spec.MayRunInPlace = T.Depends.empty() && T.Affinity.Kind == HintKind::None;
  Spec.Body = [S, &T](Context &X) {
    carryOut(X, S, T.Steps, 0, T.Steps.size(), &T);
  };
  C.create(Spec);
}

/// Where the parts of an implicit task between barriers end.
std::vector<size_t> barriers(const std::vector<Step> &Steps) {
  std::vector<size_t> Ends;
  for (size_t I = 0; I < Steps.size(); ++I)
    if (Steps[I].Kind == StepKind::Barrier)
      Ends.push_back(I);
  Ends.push_back(Steps.size());
  return Ends;
}

void carryOutRegion(Context &C, const Shared &S, const RegionScript &R) {
  if (C.thread() == 0)
    C.compute(R.SerialNs * S->Options.ComputeFactor);
  C.barrier();
  size_t Parts = 0;
  std::vector<std::vector<size_t>> Ends;
  for (const std::vector<Step> &Steps : R.Implicit) {
    Ends.push_back(barriers(Steps));
    Parts = std::max(Parts, Ends.back().size());
  }
  for (size_t Part = 0; Part < Parts; ++Part) {
    for (size_t T = 0; T < R.Implicit.size(); ++T)
      if (S->threadFor(T, C.numThreads()) == uint64_t(C.thread()) &&
          Part < Ends[T].size())
        carryOut(C, S, R.Implicit[T], Part ? Ends[T][Part - 1] + 1 : 0,
                 Ends[T][Part], nullptr);
    C.barrier();
  }
}

void count(Replay &R, const Scripts &S) {
  for (const auto &[Number, T] : S.Run.Tasks) {
    if (!T.Ran)
      continue;
    ++R.Tasks;
    R.Depends += T.Depends.size();
    for (const Step &Now : T.Steps)
      R.TaskNs += Now.Ns;
    for (const Range &Part : S.ranges(T))
      R.Bytes += double(Part.Bytes);
  }
}

} // namespace

Replay replay(const TraceFile &File, const ReplayOptions &Options) {
  auto Made = std::make_shared<Scripts>();
  Made->Run = record(File);
  Made->Options = Options;
  Made->findBlocks();
  Made->findParts();
  Replay R;
  count(R, *Made);
  R.BlockBytes = Made->BlockBytes;
  R.Remarks = Made->Run.Remarks;
  for (const RegionScript &Region : Made->Run.Regions)
    R.Threads = std::max(R.Threads, int(Region.Implicit.size()));
  Made->Threads = R.Threads;
  if (Made->Run.Regions.empty())
    throw std::invalid_argument("the trace has no parallel region");
  if (R.Tasks == 0)
    throw std::invalid_argument("the trace has no task that ran");
  R.P.Name = "trace";
  R.P.Constructs = Made->Run.Constructs;
  const Shared S = std::move(Made);
  R.P.ImplicitTask = [S](Context &C) {
    for (const RegionScript &Region : S->Run.Regions)
      carryOutRegion(C, S, Region);
  };
  return R;
}

} // namespace locus::lab
