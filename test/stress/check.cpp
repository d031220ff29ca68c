// What must be true when a graph has run.

#include "run.h"

#include <algorithm>

namespace stress {

bool Run::wasCancelled(Id Group) const {
  if (!omp_get_cancellation())
    return false;
  for (; Group != None; Group = G.Groups[size_t(Group)].Outer)
    if (Cancels[size_t(Group)])
      return true;
  return false;
}

Moment Run::finished(Id Which) const {
  const TaskState &State = Tasks[size_t(Which)];
  return std::max(State.End.load(), State.Fulfilled.load());
}

void Run::checkTask(Id Which) const {
  const Task &T = G.Tasks[size_t(Which)];
  const TaskState &State = Tasks[size_t(Which)];
  if (!State.Runs) {
    if (!wasCancelled(T.Group))
      fail(Which, "never ran");
    return;
  }
  // A task may leave at its cancellation point.
  if (!State.Ended && !(T.How == Form::Cancel && wasCancelled(T.Group)))
    fail(Which, "did not come to its end");
  if (T.How == Form::Detach && !State.Fulfilled)
    fail(Which, "nobody has fulfilled its event");
  checkOrder(Which);
}

void Run::checkOrder(Id Which) const {
  const Task &T = G.Tasks[size_t(Which)];
  const Moment Start = Tasks[size_t(Which)].Start, End = finished(Which);
  for (Id Older : T.Before)
    if (Tasks[size_t(Older)].Runs && finished(Older) > Start)
      fail(Which, "starts at %lu, before the end (%lu) of %s", Start,
           finished(Older), describe(G, Older).c_str());
  // Only the body excludes others, not an event that comes later.
  const Moment BodyEnd = Tasks[size_t(Which)].End;
  for (Id Other : T.Exclusive) {
    const Moment OtherStart = Tasks[size_t(Other)].Start;
    const Moment OtherEnd = Tasks[size_t(Other)].End;
    if (Tasks[size_t(Other)].Runs && OtherStart < BodyEnd && Start < OtherEnd)
      fail(Which, "from %lu to %lu, overlaps (%lu to %lu) with %s", Start,
           BodyEnd, OtherStart, OtherEnd, describe(G, Other).c_str());
  }
  for (Id D : T.Deadlines) {
    const Moment Reached = Deadlines[size_t(D)];
    if (Reached && Reached < End)
      fail(Which, "ends at %lu, but %s was reached at %lu", End,
           describeDeadline(G, D).c_str(), Reached);
  }
}

void Run::checkData() const {
  std::vector<int> MutexTasks(G.Tasks.size() * CellsOfRecord);
  std::vector<long> Should(G.Groups.size());
  for (size_t I = 0; I < G.Tasks.size(); ++I) {
    if (!Tasks[I].Runs)
      continue;
    for (const Dependence &D : G.Tasks[I].Depends)
      if (D.How == Access::Mutex)
        ++MutexTasks[size_t(D.Cell)];
    if (G.Tasks[I].How == Form::Reduce) {
      Id Group = G.Tasks[I].Group;
      while (!G.Groups[size_t(Group)].Reduction)
        Group = G.Groups[size_t(Group)].Outer;
      Should[size_t(Group)] += long(I);
    }
  }
  for (const Loop &L : G.Loops)
    if (L.How == LoopForm::Reduction)
      for (Id Which : L.Iterations)
        if (Tasks[size_t(Which)].Runs)
          Should[size_t(L.Group)] += Which;
  for (size_t I = 0; I < MutexTasks.size(); ++I)
    if (Cells[I].MutexTasks != MutexTasks[I])
      fail(Id(I) / CellsOfRecord,
           "%d of its children had cell %zu for themselves, but it counted %d",
           MutexTasks[I], I, Cells[I].MutexTasks);
  for (size_t I = 0; I < Should.size(); ++I)
    if (G.Groups[I].Reduction && !wasCancelled(Id(I)) && Sums[I] != Should[I])
      fail(G.Deadlines[size_t(G.Groups[I].Deadline)].Of,
           "the reduction of its taskgroup %zu is %ld, not %ld", I, Sums[I],
           Should[I]);
}

int Run::check() const {
  int Cancelled = 0;
  bool AnyCancel = false;
  for (size_t I = 0; I < G.Tasks.size(); ++I) {
    checkTask(Id(I));
    Cancelled += !Tasks[I].Runs;
  }
  for (size_t I = 0; I < G.Groups.size(); ++I)
    AnyCancel |= Cancels[I] != 0;
  checkData();
  // GCC leaves the destruction to the task's function, which a cancelled task
  // does not reach.
#ifdef __clang__
  AnyCancel = false;
#endif
  if (CountedPayload::Alive != 0 && !AnyCancel)
    fail(0, "%ld firstprivate objects of the graph are left",
         CountedPayload::Alive.load());
  CountedPayload::Alive = 0;
  return Cancelled;
}

} // namespace stress
