#include "planner.h"

#include <algorithm>
#include <utility>

namespace stress {

Graph Planner::make() {
  static const int Shares[] = {0, 5, 40};
  StrictPercent = has(Feature::Strict) ? Shares[R.below(3)] : 0;
  HintPercent = R.below(2) ? 70 : 20;
  const int Regions = R.percent(50) ? 1 : 2 + R.below(2);
  for (int I = 0; I < Regions; ++I) {
    G.Regions.emplace_back();
    Id Which = Id(G.Regions.size()) - 1;
    G.Top.push_back(Which);
    // Each size comes first in turn; the others follow by chance.
    G.Regions[size_t(Which)].Threads =
        O.Threads[I == 0 ? size_t(G.Number % O.Threads.size())
                         : size_t(R.below(int(O.Threads.size())))];
    planRegion(Which, 1, 1 + O.MaxTasks / Regions);
  }
  return std::move(G);
}

Id Planner::newRecord(const Scope &S, Sort What) {
  Task T;
  T.What = What;
  T.Parent = S.In ? S.In->Owner : None;
  T.Region = S.Region;
  T.Group = S.Group;
  T.Included = S.Included;
  T.Deadlines.push_back(S.Barrier);
  for (Id Around = S.Group; Around != None; Around = G.Groups[Around].Outer)
    T.Deadlines.push_back(G.Groups[Around].Deadline);
  G.Tasks.push_back(std::move(T));
  return Id(G.Tasks.size()) - 1;
}

void Planner::planRegion(Id Which, int Level, int Tasks) {
  const int Threads = G.Regions[Which].Threads;
  if (has(Feature::Teams))
    G.Regions[Which].How = TeamForm(R.below(NumTeamForms));
  const int NumPhases = 1 + R.below(Level == 1 ? 3 : 2);
  const Id End = deadline(Deadline::End, Which);
  G.Regions[Which].Deadline = End;
  std::vector<Phase> Phases(size_t(NumPhases), Phase{});
  for (Phase &P : Phases) {
    P.How = PhaseForm(R.below(int(PhaseForm::ForStatic) + 1));
    P.Barrier = R.percent(40);
  }
  for (int I = 0; O.Gang > 0 && I < NumPhases; ++I) {
    if (!R.percent(20))
      continue;
    Phases[size_t(I)].How = PhaseForm::Gang;
    if (I > 0)
      Phases[size_t(I - 1)].Barrier = true;
  }
  for (Phase &P : Phases)
    if (P.waits())
      P.Deadline = deadline(Deadline::Barrier, Which);
  const int BudgetOutside = Budget;
  for (int I = 0; I < NumPhases; ++I) {
    Phase &P = Phases[size_t(I)];
    Id Barrier = End;
    for (int J = NumPhases; J-- > I;)
      if (Phases[size_t(J)].Deadline != None)
        Barrier = Phases[size_t(J)].Deadline;
    const bool One = P.How == PhaseForm::Single ||
                     P.How == PhaseForm::SingleNoWait ||
                     P.How == PhaseForm::Masked || P.How == PhaseForm::Gang;
    const int NumBodies = One ? 1
                          : P.How == PhaseForm::Parts
                              ? std::min(Threads, 8)
                              : 1 + R.below(2 * std::min(Threads, 4));
    for (int J = 0; J < NumBodies; ++J) {
      // A share for each keeps the first body from taking all.
      Budget = std::max(1, Tasks / NumPhases / NumBodies);
      Scope S = {nullptr,    None,  Which, Barrier,
                 O.MaxDepth, Level, false, false};
      const Id Body = newRecord(S, P.How == PhaseForm::Parts ? Sort::Part
                                                             : Sort::Iteration);
      P.Bodies.push_back(Body);
      if (P.How == PhaseForm::Gang)
        planGang(S, Body);
      planRecord(Body, S, true);
    }
  }
  Budget = BudgetOutside;
  G.Regions[Which].Phases = std::move(Phases);
}

/// Plans what record \p Which does. \p S is the scope that created it.
void Planner::planRecord(Id Which, const Scope &S, bool MayWait) {
  Frame F;
  F.Owner = Which;
  F.MayWait = MayWait;
  F.Ordered = has(Feature::Depend) && R.percent(60);
  Scope Inner = S;
  Inner.In = &F;
  Inner.Depth = S.Depth - 1;
  Inner.Included = G.Tasks[Which].Included || G.Tasks[Which].Final;
  Actions First, Second;
  const bool TopLevel = S.In == nullptr;
  if (TopLevel && Handed != None)
    planTask(First, Inner, false, std::exchange(Handed, None));
  if (TopLevel || (S.Depth > 0 && R.percent(60))) {
    int Count = 1 + R.below(TopLevel ? 16 : 7);
    planActions(First, Inner, Count);
    const Form How = G.Tasks[Which].How;
    if (How == Form::Split || How == Form::Cancel)
      planActions(Second, Inner, 1 + R.below(3));
  }
  if (F.MustWait || (MayWait && R.percent(30)))
    planWait(Second.empty() ? First : Second, F);
  // planDetach() may have put something there.
  Task &T = G.Tasks[Which];
  T.First.insert(T.First.end(), First.begin(), First.end());
  T.Second = std::move(Second);
}

void Planner::planActions(Actions &Out, const Scope &S, int Count) {
  for (int I = 0; I < Count && Budget > 0; ++I) {
    planStep(Out, S);
    if (!S.In->Open.empty() && R.percent(25))
      planFulfil(Out, S);
  }
  planFulfilAll(Out, S);
}

void Planner::planStep(Actions &Out, const Scope &S) {
  const bool Waits = S.In->MayWait;
  int Dice = R.below(100);
  if (Dice < 6) {
    if (Waits) {
      planFulfilAll(Out, S);
      planWait(Out, *S.In);
    }
  } else if (Dice < 10) {
    if (Waits && S.In->Ordered && has(Feature::WaitDepend))
      planWaitDepend(Out, S);
  } else if (Dice < 16) {
    if (has(Feature::Yield))
      Out.push_back({Step::Yield, None});
  } else if (Dice < 27) {
    if (Waits && S.Depth > 0)
      planGroup(Out, S);
  } else if (Dice < 32) {
    if (Waits && has(Feature::Taskloop))
      planLoop(Out, S);
  } else if (Dice < 34) {
    if (Waits && mayNest(S))
      planNested(Out, S);
  } else if (Dice < 36) {
    // Many small ones at once fill queues.
    for (int Left = 10 + R.below(1 + Budget); Left > 0 && Budget > 0; --Left)
      planTask(Out, S, true);
  } else {
    planTask(Out, S, S.Depth <= 0);
  }
}

//===----------------------------------------------------------------------===//
// One task
//===----------------------------------------------------------------------===//

Hint Planner::chooseHint() {
  static const intptr_t Special[] = {
      -1, -7, INT32_MIN, INT32_MAX, INTPTR_MIN, INTPTR_MAX, 1l << 40, 1000};
  Hint H;
  if (!R.percent(HintPercent))
    return H;
  H.Kind = HintKind(1 + R.below(4));
  H.Strict = R.percent(StrictPercent);
  H.ByClause = has(Feature::Clause) && R.percent(50);
  if (H.Kind == HintKind::List) {
    H.ByClause = has(Feature::Clause);
    H.Strict = false;
    if (!H.ByClause)
      H.Kind = HintKind::None;
  }
  const bool Number = H.Kind == HintKind::Thread || H.Kind == HintKind::Node;
  H.Value = Number && R.percent(20) ? Special[R.below(8)] : R.below(16);
  return H;
}

/// Different cells of \p F with any access that a task, or else a taskwait,
/// may name.
std::vector<Dependence> Planner::chooseDependences(const Frame &F, bool Tasks) {
  std::vector<Dependence> Chosen;
  for (int Cell = 0; Cell < CellsOfRecord; ++Cell) {
    if (!R.percent(45))
      continue;
    Access How = Access(R.below(Tasks ? NumAccesses : 3));
    if (How == Access::Mutex && !mayHaveMutex(F))
      How = Access::InOut;
    if (How == Access::Set && !has(Feature::InOutSet))
      How = Access::In;
    Chosen.push_back({F.Owner * CellsOfRecord + Cell, How, None});
  }
  return Chosen;
}

void Planner::chooseForm(Task &T, const Scope &S, bool MayDepend) {
  static const Access Fixed[] = {Access::In, Access::Out, Access::InOut,
                                 Access::Mutex, Access::Set};
  const Id Owner = S.In->Owner;
  const int Dice = R.below(100);
  T.How = Form::Plain;
  if (MayDepend) {
    T.How = Form::Depend;
    T.Depends = chooseDependences(*S.In, true);
    if (Dice < 35) {
      int Kind = R.below(NumAccesses);
      if ((Fixed[Kind] == Access::Mutex && !mayHaveMutex(*S.In)) ||
          (Fixed[Kind] == Access::Set && !has(Feature::InOutSet)))
        Kind = 2;
      T.How = Form(int(Form::FixedIn) + Kind);
      T.Depends = {
          {Owner * CellsOfRecord + R.below(CellsOfRecord), Fixed[Kind], None}};
    } else if (Dice < 40 && has(Feature::AllMemory)) {
      T.How = Form::AllMemory;
      T.Depends.clear();
      for (int Cell = 0; Cell < CellsOfRecord; ++Cell)
        T.Depends.push_back(
            {Owner * CellsOfRecord + Cell, Access::InOut, None});
    }
    if (T.How != Form::Depend)
      return;
  }
  // These forms take any list of dependences, also an empty one.
  const int Kind = R.below(100);
  if (S.InCancel && has(Feature::Cancel) && Kind < 50) {
    T.How = Form::Cancel;
    T.Cancels = G.Groups[S.Group].Cancellable && R.percent(25);
  } else if (Kind < 8 && has(Feature::Mergeable)) {
    T.How = Form::Mergeable;
  } else if (Kind < 18 && has(Feature::Class)) {
    T.How = Form::Class;
  } else if (Kind < 28 && has(Feature::Priority) &&
             (has(Feature::PriorityNested) || G.Tasks[Owner].Parent == None)) {
    T.How = Form::Priority;
    T.Priority = R.below(4);
  } else if (Kind < 40 && has(Feature::Reduction) &&
             reductionGroup(S.Group) != None) {
    T.How = Form::Reduce;
  } else if (!T.Undeferred && has(Feature::Untied) && Kind >= 75 &&
             (!S.InCancel || has(Feature::UntiedCancel))) {
    T.How = Kind < 88 ? Form::Untied : Form::Split;
  }
}

/// \p Fulfils is a detached task whose event the task fulfils or, if \p Holds,
/// a child of it.
void Planner::planTask(Actions &Out, const Scope &S, bool Leaf, Id Fulfils,
                       bool Holds) {
  --Budget;
  const Id Which = newRecord(S, Sort::Explicit);
  Frame &F = *S.In;
  {
    Task &T = G.Tasks[Which];
    T.Holds = Holds;
    if (Fulfils != None && !Holds) {
      T.Fulfils = Fulfils;
      G.Tasks[Fulfils].FulfilledBy = Which;
    }
    T.Undeferred = has(Feature::If0) && R.percent(8);
    T.Final = has(Feature::Final) && R.percent(6);
    T.Where = chooseHint();
    const bool Runs = T.Undeferred || T.Included;
    // An undeferred task waits for those before it.
    const bool MayDepend =
        F.Ordered && R.percent(70) && (!Runs || (F.MayWait && F.Open.empty()));
    chooseForm(T, S, MayDepend);
    if (Fulfils != None && mayWaitFor(F, T.Depends, Fulfils)) {
      T.How = Form::Plain;
      T.Depends.clear();
    }
    // The affinity clause stands on the forms with iterators or without
    // dependences.
    if (T.How != Form::Plain && T.How != Form::Depend) {
      T.Where.ByClause = false;
      if (T.Where.Kind == HintKind::List)
        T.Where = Hint();
    }
    if (Runs)
      T.After = deadline(Deadline::Undeferred, Which);
  }
  link(Which, F.Siblings, G.Tasks[Which].Depends, false, None);
  if (!G.Tasks[Which].Depends.empty())
    F.Siblings.push_back(Which);
  if (!has(Feature::MutexUnwaited) && G.Tasks[F.Owner].What != Sort::Part)
    for (const Dependence &D : G.Tasks[Which].Depends)
      F.MustWait |= D.How == Access::Mutex;
  F.Unwaited.push_back(Which);
  if (G.Tasks[Which].After != None)
    G.Tasks[Which].Deadlines.push_back(G.Tasks[Which].After);
  Out.push_back({Step::Create, Which});

  const Task &T = G.Tasks[Which];
  const bool Detached =
      has(Feature::Detach) && Fulfils == None && !T.Undeferred && !T.Included &&
      !T.Final && !S.InCancel && (F.MayWait || S.Group != None) &&
      (T.How == Form::Plain || T.How == Form::Depend) && R.percent(8);
  const bool Untied = T.How == Form::Untied || T.How == Form::Split;
  const bool MayWait = !Untied && (F.MayWait || !(T.Undeferred || T.Included));
  if (Detached)
    planDetach(Out, S, Which);
  if (Holds)
    planBelow(Which, S, Fulfils);
  if (!Leaf && (!Untied || has(Feature::UntiedParent)))
    planRecord(Which, S, MayWait);
}

/// Finds what task or taskwait \p Which, which uses \p Depends, has to wait
/// for among its older siblings: the reference model of dependences.
void Planner::link(Id Which, const std::vector<Id> &Siblings,
                   std::vector<Dependence> &Depends, bool Wait, Id Deadline) {
  for (Dependence &Mine : Depends)
    for (Id Older : Siblings)
      for (const Dependence &Theirs : G.Tasks[Older].Depends) {
        if (Theirs.Cell != Mine.Cell)
          continue;
        const bool Writes =
            Theirs.How == Access::Out || Theirs.How == Access::InOut;
        if (Writes)
          Mine.Writer = Older;
        const bool SameSet = Theirs.How == Mine.How && !Writes;
        if (Wait) {
          if (!SameSet)
            G.Tasks[Older].Deadlines.push_back(Deadline);
        } else if (!SameSet) {
          G.Tasks[Which].Before.push_back(Older);
        } else if (Mine.How == Access::Mutex) {
          G.Tasks[Which].Exclusive.push_back(Older);
        }
      }
}

//===----------------------------------------------------------------------===//
// Other steps
//===----------------------------------------------------------------------===//

void Planner::planWait(Actions &Out, Frame &F) {
  const Id D = deadline(Deadline::Wait, F.Owner);
  for (Id Child : F.Unwaited)
    G.Tasks[Child].Deadlines.push_back(D);
  F.Unwaited.clear();
  Out.push_back({Step::Wait, D});
}

void Planner::planWaitDepend(Actions &Out, const Scope &S) {
  WaitDepend W;
  W.Depends = chooseDependences(*S.In, false);
  if (W.Depends.empty())
    return;
  planFulfilAll(Out, S);
  W.Deadline = deadline(Deadline::WaitDepend, S.In->Owner);
  link(None, S.In->Siblings, W.Depends, true, W.Deadline);
  G.Waits.push_back(std::move(W));
  Out.push_back({Step::WaitDepend, Id(G.Waits.size()) - 1});
}

/// The innermost taskgroup with a reduction that a task of \p Group takes part
/// in.
Id Planner::reductionGroup(Id Group) const {
  while (Group != None && !G.Groups[Group].Reduction)
    Group = G.Groups[Group].Outer;
  return Group;
}

void Planner::planGroup(Actions &Out, const Scope &S, Id Fulfils) {
  Group New;
  New.Outer = S.Group;
  New.Deadline = deadline(Deadline::Group, S.In->Owner);
  New.Cancellable = Fulfils == None && has(Feature::Cancel) && R.percent(30);
  if (New.Cancellable) // who has to fulfil an event must not be cancelled
    planFulfilAll(Out, S);
  New.Reduction = !New.Cancellable && has(Feature::Reduction) && R.percent(40);
  Scope Inner = S;
  Inner.Group = Id(G.Groups.size());
  Inner.InCancel |= New.Cancellable;
  Inner.Depth = S.Depth - 1;
  G.Groups.push_back(std::move(New));
  Actions Body;
  if (Fulfils != None)
    planTask(Body, Inner, false, Fulfils);
  planActions(Body, Inner, 1 + R.below(6));
  G.Groups[Inner.Group].Body = std::move(Body);
  Out.push_back({Step::Group, Inner.Group});
}

void Planner::planLoop(Actions &Out, const Scope &S, Id Fulfils) {
  Loop L;
  L.How = LoopForm(R.below(int(LoopForm::Reduction) + 1));
  if (L.How == LoopForm::Reduction && !has(Feature::Reduction))
    L.How = LoopForm::NumTasks;
  // Its tasks may be made when the creator is in a later taskgroup.
  if (L.How == LoopForm::NoGroup && has(Feature::Cancel) &&
      !has(Feature::TaskloopCancel))
    L.How = LoopForm::Grainsize;
  L.Deferred = !(has(Feature::If0) && R.percent(10));
  L.Size = 1 + R.below(6);
  L.Where = chooseHint();
  L.Where.ByClause = false;
  if (L.Where.Kind == HintKind::List)
    L.Where = Hint();
  Scope Inner = S;
  Inner.Depth = S.Depth - 2;
  if (L.How != LoopForm::NoGroup) {
    Group New;
    New.Outer = S.Group;
    New.Deadline = deadline(Deadline::Loop, S.In->Owner);
    New.Reduction = L.How == LoopForm::Reduction;
    Inner.Group = L.Group = Id(G.Groups.size());
    G.Groups.push_back(std::move(New));
  }
  const int Count = R.percent(20) ? 30 + R.below(100) : R.below(12);
  for (int I = 0; (I < Count && Budget > 0) || Fulfils != None; ++I) {
    --Budget;
    const Id Which = newRecord(Inner, Sort::Iteration);
    G.Tasks[Which].Undeferred = !L.Deferred;
    if (Fulfils != None) {
      G.Tasks[Fulfils].FulfilledBy = Which;
      G.Tasks[Which].Fulfils = std::exchange(Fulfils, None);
    }
    L.Iterations.push_back(Which);
    S.In->Unwaited.push_back(Which);
    if (I % 4 == 0)
      planRecord(Which, Inner, true);
  }
  G.Loops.push_back(std::move(L));
  Out.push_back({Step::Loop, Id(G.Loops.size()) - 1});
}

void Planner::planNested(Actions &Out, const Scope &S, Id Fulfils) {
  --NestedLeft;
  Handed = Fulfils;
  const Id Which = Id(G.Regions.size());
  G.Regions.emplace_back();
  // Libomp has one implicit task for a region of one thread and one inside of
  // it, which then waits for the events that the outer one has open.
  const bool Shared =
      has(Feature::DetachLater) && G.Regions[S.Region].Threads == 1;
  G.Regions[Which].Threads = Shared ? 2 + R.below(2) : 1 + R.below(3);
  planRegion(Which, S.Level + 1, 20 + R.below(20));
  Out.push_back({Step::Parallel, Which});
}

Graph makeGraph(const Options &O, uint64_t Number) {
  return Planner(O, Number).make();
}

} // namespace stress
