#include "plan.h"

#include <algorithm>

namespace stress {

namespace {

/// The same numbers with every C++ library.
class Random {
public:
  Random(uint64_t Seed, uint64_t Number) {
    // Scrambled, or neighbours would have the same numbers, shifted.
    State = Seed;
    State = next() ^ Number;
    State = next();
  }
  /// 0 .. \p Limit - 1
  int below(int Limit) { return int(next() % uint64_t(Limit)); }
  bool percent(int Chance) { return below(100) < Chance; }

private:
  uint64_t next() {
    uint64_t Z = State += 0x9e3779b97f4a7c15u;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
    return (Z ^ (Z >> 31)) >> 8;
  }
  uint64_t State = 0;
};

class Planner {
public:
  Planner(const Options &O, uint64_t Number) : O(O), R(O.Seed, Number) {
    G.Number = Number;
  }
  Graph make();

private:
  /// What the body of one record has created so far.
  struct Frame {
    Id Owner;
    bool MayWait;             ///< at task scheduling points that wait
    bool MustWait = false;    ///< has a child that it must not end before
    bool Ordered = false;     ///< gives its children dependences
    std::vector<Id> Siblings; ///< with dependences
    std::vector<Id> Unwaited; ///< created since the last taskwait
  };
  /// What surrounds the point where the plan goes on.
  struct Scope {
    Frame *In;
    Id Group; ///< None in a new region
    Id Region;
    Id Barrier; ///< the next deadline of the region
    int Depth;
    int Level; ///< of parallel regions
    bool InCancel;
    bool Included;
  };

  bool has(Feature F) const { return O.has(F); }
  Id deadline(Deadline::Kind What, Id Of) {
    G.Deadlines.push_back({What, Of});
    return Id(G.Deadlines.size()) - 1;
  }
  Id newRecord(const Scope &S, Sort What);
  void planRegion(Id Which, int Level, int Tasks);
  void planRecord(Id Which, const Scope &S, bool MayWait);
  void planActions(Actions &Out, const Scope &S, int Count);
  void planStep(Actions &Out, const Scope &S);
  void planTask(Actions &Out, const Scope &S, bool Leaf, Id Fulfils = None);
  void planDetach(Actions &Out, const Scope &S, Id Which);
  void planGroup(Actions &Out, const Scope &S);
  void planLoop(Actions &Out, const Scope &S);
  void planWait(Actions &Out, Frame &F);
  void planWaitDepend(Actions &Out, const Scope &S);
  void planNested(Actions &Out, const Scope &S);
  void chooseForm(Task &T, const Scope &S, bool MayDepend);
  std::vector<Dependence> chooseDependences(const Frame &F, bool Tasks);
  bool mayHaveMutex(const Frame &F) const {
    // A cancelled task leaves without its last taskwait.
    const bool Waits = F.MayWait && G.Tasks[F.Owner].How != Form::Cancel;
    return has(Feature::MutexInOutSet) &&
           (Waits || has(Feature::MutexUnwaited));
  }
  Hint chooseHint();
  void link(Id Which, const std::vector<Id> &Siblings,
            std::vector<Dependence> &Depends, bool Wait, Id Deadline);
  Id reductionGroup(Id Group) const;

  const Options &O;
  Random R;
  Graph G;
  int Budget = 0;
  int NestedLeft = 2;
  int StrictPercent = 0, HintPercent = 0;
};

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
  const int NumPhases = 1 + R.below(Level == 1 ? 3 : 2);
  const Id End = deadline(Deadline::End, Which);
  G.Regions[Which].Deadline = End;
  std::vector<Phase> Phases(size_t(NumPhases), Phase{});
  for (Phase &P : Phases) {
    P.How = PhaseForm(R.below(int(PhaseForm::ForStatic) + 1));
    P.Barrier = R.percent(40);
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
                     P.How == PhaseForm::Masked;
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
  for (int I = 0; I < Count && Budget > 0; ++I)
    planStep(Out, S);
}

void Planner::planStep(Actions &Out, const Scope &S) {
  const bool Waits = S.In->MayWait;
  int Dice = R.below(100);
  if (Dice < 6) {
    if (Waits)
      planWait(Out, *S.In);
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
    if (Waits && S.Level < 2 && !S.InCancel && NestedLeft > 0 &&
        has(Feature::Nested))
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

void Planner::planTask(Actions &Out, const Scope &S, bool Leaf, Id Fulfils) {
  --Budget;
  const Id Which = newRecord(S, Sort::Explicit);
  Frame &F = *S.In;
  {
    Task &T = G.Tasks[Which];
    T.Fulfils = Fulfils;
    T.Undeferred = has(Feature::If0) && R.percent(8);
    T.Final = has(Feature::Final) && R.percent(6);
    T.Where = chooseHint();
    const bool Runs = T.Undeferred || T.Included;
    // An undeferred task waits for those before it.
    const bool MayDepend =
        F.Ordered && Fulfils == None && R.percent(70) && (!Runs || F.MayWait);
    chooseForm(T, S, MayDepend);
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
  if (!Leaf && Fulfils == None && (!Untied || has(Feature::UntiedParent)))
    planRecord(Which, S, MayWait);
}

/// Makes \p Which, just created, a detached task.
void Planner::planDetach(Actions &Out, const Scope &S, Id Which) {
  Task &T = G.Tasks[Which];
  T.How = Form::Detach;
  T.Where.ByClause = false;
  if (T.Where.Kind == HintKind::List)
    T.Where = Hint();
  const bool Outside =
      has(Feature::DetachOutside) &&
      (has(Feature::DetachSerial) || G.Regions[T.Region].Threads > 1);
  T.By = Fulfiller(R.below(Outside ? 6 : 4));
  // Libomp's barrier only counts the children of implicit tasks: in any other
  // the parent, or a taskgroup, has to wait.
  if (G.Tasks[S.In->Owner].What != Sort::Part && S.Group == None)
    S.In->MustWait = true;
  if (T.By == Fulfiller::Sibling) {
    const Id Next = Id(G.Tasks.size());
    T.FulfilledBy = Next;
    planTask(Out, S, true, Which);
  } else if (T.By == Fulfiller::Child) {
    const Id Next = Id(G.Tasks.size());
    T.FulfilledBy = Next;
    Frame F;
    F.Owner = Which;
    F.MayWait = false;
    Scope Inner = S;
    Inner.In = &F;
    Actions Body;
    planTask(Body, Inner, true, Which);
    G.Tasks[Which].First = std::move(Body);
  }
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

void Planner::planGroup(Actions &Out, const Scope &S) {
  Group New;
  New.Outer = S.Group;
  New.Deadline = deadline(Deadline::Group, S.In->Owner);
  New.Cancellable = has(Feature::Cancel) && R.percent(30);
  New.Reduction = !New.Cancellable && has(Feature::Reduction) && R.percent(40);
  Scope Inner = S;
  Inner.Group = Id(G.Groups.size());
  Inner.InCancel |= New.Cancellable;
  Inner.Depth = S.Depth - 1;
  G.Groups.push_back(std::move(New));
  Actions Body;
  planActions(Body, Inner, 1 + R.below(6));
  G.Groups[Inner.Group].Body = std::move(Body);
  Out.push_back({Step::Group, Inner.Group});
}

void Planner::planLoop(Actions &Out, const Scope &S) {
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
  for (int I = 0; I < Count && Budget > 0; ++I) {
    --Budget;
    const Id Which = newRecord(Inner, Sort::Iteration);
    G.Tasks[Which].Undeferred = !L.Deferred;
    L.Iterations.push_back(Which);
    S.In->Unwaited.push_back(Which);
    if (I % 4 == 0)
      planRecord(Which, Inner, true);
  }
  G.Loops.push_back(std::move(L));
  Out.push_back({Step::Loop, Id(G.Loops.size()) - 1});
}

void Planner::planNested(Actions &Out, const Scope &S) {
  --NestedLeft;
  const Id Which = Id(G.Regions.size());
  G.Regions.emplace_back();
  G.Regions[Which].Threads = 1 + R.below(3);
  planRegion(Which, S.Level + 1, 20 + R.below(20));
  Out.push_back({Step::Parallel, Which});
}

} // namespace

Graph makeGraph(const Options &O, uint64_t Number) {
  return Planner(O, Number).make();
}

//===----------------------------------------------------------------------===//
// In words
//===----------------------------------------------------------------------===//

std::string describe(const Graph &G, Id Which) {
  static const char *const Accesses[] = {"in", "out", "inout", "mutexinoutset",
                                         "inoutset"};
  static const char *const Forms[] = {"plain",
                                      "depend(iterator)",
                                      "depend(in)",
                                      "depend(out)",
                                      "depend(inout)",
                                      "depend(mutexinoutset)",
                                      "depend(inoutset)",
                                      "depend(omp_all_memory)",
                                      "priority",
                                      "mergeable",
                                      "untied",
                                      "untied in two parts",
                                      "firstprivate class",
                                      "detach",
                                      "cancellation point",
                                      "in_reduction"};
  static const char *const Kinds[] = {"", "thread", "node", "data", "list"};
  static const char *const Fulfillers[] = {
      "its body", "its creator",           "task",
      "task",     "a thread for the body", "a thread for its creator"};
  const Task &T = G.Tasks[size_t(Which)];
  std::string Text = T.What == Sort::Explicit    ? "task "
                     : T.What == Sort::Iteration ? "iteration "
                                                 : "part ";
  Text += std::to_string(Which);
  if (T.Parent != None)
    Text += " of " + std::to_string(T.Parent);
  Text += " (region " + std::to_string(T.Region) + " of " +
          std::to_string(G.Regions[size_t(T.Region)].Threads) + " threads";
  if (T.Group != None)
    Text += ", taskgroup " + std::to_string(T.Group);
  if (T.What == Sort::Explicit)
    Text += std::string(", ") + Forms[int(T.How)];
  if (T.Undeferred)
    Text += ", if(0)";
  if (T.Final)
    Text += ", final";
  if (T.Included)
    Text += ", included";
  if (T.How == Form::Detach) {
    Text += std::string(", fulfilled by ") + Fulfillers[int(T.By)];
    if (T.FulfilledBy != None)
      Text += " " + std::to_string(T.FulfilledBy);
  }
  if (T.Fulfils != None)
    Text += ", fulfils the event of " + std::to_string(T.Fulfils);
  if (T.Cancels)
    Text += ", cancels its taskgroup";
  if (T.Where.Kind != HintKind::None)
    Text += std::string(", ") + (T.Where.Strict ? "strict " : "") +
            Kinds[int(T.Where.Kind)] + " " + std::to_string(T.Where.Value) +
            (T.Where.ByClause ? " by clause" : "");
  for (const Dependence &D : T.Depends)
    Text +=
        std::string(", ") + Accesses[int(D.How)] + " " + std::to_string(D.Cell);
  if (!T.Before.empty()) {
    Text += ", behind";
    for (Id Older : T.Before)
      Text += " " + std::to_string(Older);
  }
  return Text + ")";
}

std::string describeDeadline(const Graph &G, Id Which) {
  static const char *const Names[] = {"taskwait of record",
                                      "taskwait with depend of record",
                                      "end of a taskgroup of record",
                                      "end of a taskloop of record",
                                      "construct behind undeferred task",
                                      "barrier of region",
                                      "end of region"};
  const Deadline &D = G.Deadlines[size_t(Which)];
  return Names[D.What] + (" " + std::to_string(D.Of));
}

} // namespace stress
