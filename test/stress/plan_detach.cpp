// Who fulfils the events of detached tasks, and when.

#include "planner.h"

#include <algorithm>

namespace stress {

/// Makes \p Which, just created, a detached task.
void Planner::planDetach(Actions &Out, const Scope &S, Id Which) {
  Task &T = G.Tasks[Which];
  T.How = Form::Detach;
  T.Where.ByClause = false;
  if (T.Where.Kind == HintKind::List)
    T.Where = Hint();
  // Libomp's barrier only counts the children of implicit tasks: in any other
  // the parent, or a taskgroup, has to wait.
  if (G.Tasks[S.In->Owner].What != Sort::Part && S.Group == None)
    S.In->MustWait = true;
  T.By = Fulfiller(R.below(mayBeOutside(Which) ? 6 : 4));
  if (has(Feature::DetachLater) && R.percent(50)) {
    T.By = Fulfiller::Later;
    S.In->Open.push_back(Which);
  } else if (T.By == Fulfiller::Sibling) {
    planTask(Out, S, true, Which);
  } else if (T.By == Fulfiller::Child) {
    planBelow(Which, S, Which);
  }
}

bool Planner::mayBeOutside(Id Detached) const {
  return has(Feature::DetachOutside) &&
         (has(Feature::DetachSerial) ||
          G.Regions[G.Tasks[Detached].Region].Threads > 1);
}

/// Plans a child of \p Which, of scope \p S, that fulfils the event of \p
/// Fulfils before \p Which does anything else.
void Planner::planBelow(Id Which, const Scope &S, Id Fulfils) {
  Frame F;
  F.Owner = Which;
  F.MayWait = false;
  Scope Inner = S;
  Inner.In = &F;
  Inner.Included = G.Tasks[Which].Included || G.Tasks[Which].Final;
  Actions Body;
  planTask(Body, Inner, true, Fulfils);
  G.Tasks[Which].First = std::move(Body);
}

/// Has one of the open events fulfilled. Nobody waits for it before that.
void Planner::planFulfil(Actions &Out, const Scope &S) {
  std::vector<Id> &Open = S.In->Open;
  const size_t Index = size_t(R.below(int(Open.size())));
  const Id Which = Open[Index];
  Open.erase(Open.begin() + std::ptrdiff_t(Index));
  const bool Waits = S.In->MayWait;
  const int Dice = R.below(8);
  if (Dice == 0)
    Out.push_back({Step::Fulfil, Which});
  else if (Dice == 1 && mayBeOutside(Which))
    Out.push_back({Step::FulfilOutside, Which});
  else if (Dice == 2)
    planTask(Out, S, false, Which, true);
  else if (Dice == 3 && Waits)
    planGroup(Out, S, Which);
  else if (Dice == 4 && Waits && has(Feature::Taskloop))
    planLoop(Out, S, Which);
  else if (Dice == 5 && Waits && mayNest(S) && mayBeOutside(Which))
    planNested(Out, S, Which);
  else
    planTask(Out, S, false, Which);
}

void Planner::planFulfilAll(Actions &Out, const Scope &S) {
  while (!S.In->Open.empty())
    planFulfil(Out, S);
}

static bool contains(const std::vector<Id> &List, Id Which) {
  return std::find(List.begin(), List.end(), Which) != List.end();
}

/// Whether a task of \p F with \p Depends, which ought to fulfil the event of
/// \p Detached, might wait for that task, or for one whose event is open.
bool Planner::mayWaitFor(const Frame &F, const std::vector<Dependence> &Depends,
                         Id Detached) const {
  std::vector<Id> Left, Events = F.Open;
  Events.push_back(Detached);
  std::vector<bool> Seen(G.Tasks.size());
  auto See = [&](Id Older) {
    if (!Seen[Older]) {
      Seen[Older] = true;
      Left.push_back(Older);
    }
  };
  for (Id Older : F.Siblings)
    for (const Dependence &Theirs : G.Tasks[Older].Depends)
      for (const Dependence &Mine : Depends)
        if (Theirs.Cell == Mine.Cell)
          See(Older);
  while (!Left.empty()) {
    const Id Older = Left.back();
    Left.pop_back();
    for (Id Event : Events) // which may have begun before an older one
      if (Event == Older || contains(G.Tasks[Event].Exclusive, Older))
        return true;
    for (Id Before : G.Tasks[Older].Before)
      See(Before);
    for (Id Other : G.Tasks[Older].Exclusive)
      See(Other);
  }
  return false;
}

} // namespace stress
