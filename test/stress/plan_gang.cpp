// Tasks that meet.

#include "planner.h"

#include <algorithm>

namespace stress {

/// Any tasks, and when they are over as many that meet as there are threads to
/// run them: what docs/scheduler.md promises.
void Planner::planGang(const Scope &S, Id Body) {
  Frame F;
  F.Owner = Body;
  F.MayWait = true;
  Scope Inner = S;
  Inner.In = &F;
  Actions First;
  planGroup(First, Inner);
  const int Size = std::min(G.Regions[S.Region].Threads, O.Gang);
  Inner.Group = Id(G.Groups.size());
  G.Groups.emplace_back();
  G.Groups.back().Deadline = deadline(Deadline::Group, Body);
  for (int I = 0; I < Size; ++I) {
    const Id Which = newRecord(Inner, Sort::Explicit);
    Task &T = G.Tasks[Which];
    T.Meets = Size;
    if (has(Feature::Untied) && R.percent(20))
      T.How = Form::Untied;
    else if (has(Feature::Class) && R.percent(20))
      T.How = Form::Class;
    G.Groups.back().Body.push_back({Step::Create, Which});
  }
  First.push_back({Step::Group, Inner.Group});
  G.Tasks[Body].First = std::move(First);
}

} // namespace stress
