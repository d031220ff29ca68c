//===- lists/adaptation.cpp - How many queues are best right now ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/lists/adaptation.h"

namespace locus {

void Adaptation::init(int TheNumSteps, int TheStep) {
  for (Experience &E : Steps)
    E = Experience();
  NumSteps = TheNumSteps;
  Step = Home = TheStep;
  Interval = 0;
}

int Adaptation::learn(const Overhead &Lost) {
  ++Interval;
  // A thread that slept brings the idle time of many intervals at once.
  if (Lost.Total == 0 || Lost.Access + Lost.Idle > Lost.Total)
    return Step;
  const float Cost =
      float(double(Lost.Access + Lost.Idle) / double(Lost.Total));
  // The workload changes, so what was seen last counts as much as all before.
  Experience &Here = Steps[Step];
  Here.Cost = Here.Cost < 0 || Step != Home ? Cost : (Here.Cost + Cost) / 2;

  if (Step != Home) {
    Experience &Before = Steps[Home];
    if (Here.Cost + Margin < Before.Cost) {
      Here.Penalty = Experience().Penalty;
      Home = Step; // better: go on from here
    } else {
      Here.Until = Interval + Here.Penalty;
      Here.Penalty =
          Here.Penalty < PenaltyMost ? 2 * Here.Penalty : PenaltyMost;
      Step = Home;
      return Step;
    }
  }
  if (Cost < GoodEnough)
    return Step;
  const int First = Lost.Access > Lost.Idle ? Step - 1 : Step + 1;
  const int Second = 2 * Step - First;
  if (mayTry(First))
    Step = First;
  else if (mayTry(Second))
    Step = Second;
  return Step;
}

} // namespace locus
