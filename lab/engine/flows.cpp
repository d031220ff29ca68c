//===- engine/flows.cpp - Bandwidth that flows share ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/flows.h"

#include <cmath>

namespace locus::lab {

/// What is less counts as moved: a thousandth of a byte.
static constexpr double LeastBytes = 1e-3;

FlowNetwork::FlowNetwork(const Machine &TheMachine,
                         const std::vector<int> &NodeOfThread)
    : M(TheMachine), NodeOf(NodeOfThread), FlowsOf(NodeOfThread.size()),
      Moved(size_t(M.NumNodes), std::vector<double>(size_t(M.NumNodes))),
      Constraints(M.Links.size() + NodeOfThread.size()) {}

void FlowNetwork::start(Time Now, int Thread,
                        const std::vector<double> &Bytes) {
  move(Now);
  for (int From = 0; From < M.NumNodes; ++From) {
    if (Bytes[size_t(From)] <= 0)
      continue;
    const int To = NodeOf[size_t(Thread)];
    const size_t Pair = M.pair(From, To);
    Flows.push_back({Thread, From, Bytes[size_t(From)], 0,
                     1 / (M.ProcessorGBs[Pair] * 1e9), &M.Paths[Pair]});
    Moved[size_t(From)][size_t(To)] += Bytes[size_t(From)];
    ++FlowsOf[size_t(Thread)];
  }
  IsSolved = false;
}

/// What flows until \p Now.
void FlowNetwork::move(Time Now) {
  if (Now == Last)
    return;
  if (!IsSolved)
    solve();
  const double Seconds = double(Now - Last) * 1e-12;
  for (Flow &F : Flows)
    F.Left -= F.Rate * Seconds;
  Last = Now;
}

Time FlowNetwork::next() {
  if (!IsSolved)
    solve();
  return Next;
}

void FlowNetwork::passTo(Time Now, std::vector<int> &Done) {
  move(Now);
  const size_t Before = Flows.size();
  size_t Kept = 0;
  for (size_t I = 0; I < Before; ++I) {
    // Rounded up to a picosecond, a flow has nothing left when its time comes.
    if (Flows[I].Left <= LeastBytes) {
      if (--FlowsOf[size_t(Flows[I].Thread)] == 0)
        Done.push_back(Flows[I].Thread);
      continue;
    }
    Flows[Kept++] = Flows[I];
  }
  Flows.resize(Kept);
  if (Kept != Before)
    IsSolved = false;
}

/// The open flows of \p Full get \p Share. Returns how many there were.
size_t FlowNetwork::fix(const Constraint &Full, double Share) {
  size_t Fixed = 0;
  for (int I : Full.Users) {
    if (IsFixed[size_t(I)])
      continue;
    IsFixed[size_t(I)] = 1;
    ++Fixed;
    Flow &F = Flows[size_t(I)];
    F.Rate = Share;
    auto Take = [&](size_t Which, double Weight) {
      Constraint &C = Constraints[Which];
      C.Left = std::max(0.0, C.Left - Share * Weight);
      --C.Open;
      // No rest of rounding.
      C.Weight = C.Open ? C.Weight - Weight : 0;
    };
    for (int Link : *F.Path)
      Take(size_t(Link), 1);
    Take(M.Links.size() + size_t(F.Thread), F.Weight);
  }
  return Fixed;
}

/// Progressive filling: the rates of all flows grow alike until a constraint
/// allows no more; its flows keep their rates, the others grow on.
void FlowNetwork::solve() {
  ++Solved;
  const int NumLinks = int(M.Links.size());
  InUse.clear();
  IsFixed.assign(Flows.size(), 0);
  auto Add = [&](int Which, double Capacity, int Flow, double Weight) {
    Constraint &C = Constraints[size_t(Which)];
    if (C.Users.empty()) {
      C.Left = Capacity;
      C.Weight = 0;
      C.Open = 0;
      InUse.push_back(Which);
    }
    C.Users.push_back(Flow);
    ++C.Open;
    C.Weight += Weight;
  };
  for (int I = 0; I < int(Flows.size()); ++I) {
    const Flow &F = Flows[size_t(I)];
    for (int Link : *F.Path)
      Add(Link, M.Links[size_t(Link)].GBs * 1e9, I, 1);
    Add(NumLinks + F.Thread, 1, I, F.Weight);
  }
  size_t Open = Flows.size(), NumInUse = InUse.size();
  while (Open != 0) {
    double Share = INFINITY;
    for (size_t I = 0; I < NumInUse; ++I) {
      const Constraint &C = Constraints[size_t(InUse[I])];
      if (C.Left < Share * C.Weight)
        Share = C.Left / C.Weight;
    }
    // All constraints that allow no more, at once; they are done with.
    size_t Kept = 0;
    for (size_t I = 0; I < NumInUse; ++I) {
      const Constraint &C = Constraints[size_t(InUse[I])];
      if (C.Open && C.Left <= Share * C.Weight * (1 + 1e-9))
        Open -= fix(C, Share);
      if (C.Open)
        std::swap(InUse[Kept++], InUse[I]);
    }
    NumInUse = Kept;
  }
  double Soonest = INFINITY;
  for (const Flow &F : Flows)
    Soonest = std::min(Soonest, F.Left / F.Rate);
  Next = Flows.empty() ? NoTime
                       : Last + Time(std::ceil(std::max(0.0, Soonest) * 1e12));
  for (int Which : InUse)
    Constraints[size_t(Which)].Users.clear();
  IsSolved = true;
}

double FlowNetwork::rateOf(int Node, int Thread) {
  if (!IsSolved)
    solve();
  for (const Flow &F : Flows)
    if (F.Thread == Thread && F.From == Node)
      return F.Rate;
  return 0;
}

} // namespace locus::lab
