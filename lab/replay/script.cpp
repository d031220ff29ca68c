//===- replay/script.cpp - What each task of a traced run did ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/script.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace locus::lab {

namespace {

/// A record takes so long to write; most is the clock: trace/README.md.
constexpr double RecordNs = 30;
/// libomp's part of creating a task before and behind its records, about.
constexpr double CreateNs = 60;

/// What a thread is in: a task, or an implicit one.
struct Frame {
  uint32_t Task;
  std::vector<Step> *Steps;
  int Waits = 0; ///< that it is in
};

struct ThreadState {
  std::vector<Frame> Stack;
  uint64_t Last = 0;     ///< time of its last record
  bool Creating = false; ///< a task that it hands over to the runtime
};

class Recorder {
public:
  explicit Recorder(const TraceFile &File) : File(File) {}

  Recording run() {
    for (const auto &[Writer, R] : File.inOrder())
      take(Threads[Writer], *R);
    finish();
    return std::move(Made);
  }

private:
  void take(ThreadState &T, const TraceRecord &R);
  void passTime(ThreadState &T, const TraceRecord &R);
  void beginRegion(ThreadState &T, const TraceRecord &R);
  void beginImplicit(ThreadState &T, const TraceRecord &R);
  void create(ThreadState &T, const TraceRecord &R);
  void hint(const TraceRecord &R);
  void depend(const TraceRecord &R);
  void start(ThreadState &T, const TraceRecord &R);
  void wait(ThreadState &T, const TraceRecord &R);
  void finish();

  void remark(const std::string &Text) {
    if (Said.insert(Text).second)
      Made.Remarks.push_back(Text);
  }
  void addCompute(std::vector<Step> &Steps, double Ns) {
    if (!Steps.empty() && Steps.back().Kind == StepKind::Compute)
      Steps.back().Ns += Ns;
    else
      Steps.push_back({StepKind::Compute, Ns, 0});
  }
  TaskScript *task(uint32_t Number) {
    const auto Found = Made.Tasks.find(Number);
    return Found == Made.Tasks.end() ? nullptr : &Found->second;
  }

  const TraceFile &File;
  Recording Made;
  std::map<uint32_t, ThreadState> Threads;
  std::map<uint32_t, size_t> Regions; ///< of the trace: index in Made
  std::map<uint32_t, std::vector<Step> *>
      Undeferred; ///< whose steps theirs are
  std::map<std::string, uint32_t> Constructs;
  std::set<std::string> Said;
  std::vector<Step> Nowhere; ///< what is done outside of regions
  uint32_t Open = 0;         ///< the region that runs
  uint64_t OpenEnded = 0;    ///< when the last one did
};

/// The time since the last record counts for the task on top, unless it waits
/// or hands over a task.
void Recorder::passTime(ThreadState &T, const TraceRecord &R) {
  const double Passed = double(R.Time - T.Last);
  T.Last = R.Time;
  const bool HandsOver = R.Kind == Event::Hint || R.Kind == Event::Depend ||
                         R.Kind == Event::DependNode || R.Kind == Event::Ready;
  const bool WasCreating = T.Creating;
  if (R.Kind != Event::Hint && R.Kind != Event::Depend &&
      R.Kind != Event::DependNode)
    T.Creating = false;
  if (T.Stack.empty() || T.Stack.back().Waits > 0 || (WasCreating && HandsOver))
    return;
  const double Ns = Passed - RecordNs - (WasCreating ? CreateNs : 0) -
                    (R.Kind == Event::Create ? CreateNs : 0);
  if (Ns > 0)
    addCompute(*T.Stack.back().Steps, Ns);
}

void Recorder::beginRegion(ThreadState &, const TraceRecord &R) {
  if (Open)
    throw std::invalid_argument(
        "the trace has a parallel region inside of another; only runs without "
        "nested regions can be carried out again");
  Open = R.A;
  Regions[R.A] = Made.Regions.size();
  Made.Regions.emplace_back();
  Made.Regions.back().Implicit.resize(R.B);
  if (OpenEnded)
    Made.Regions.back().SerialNs = double(R.Time - OpenEnded);
}

void Recorder::beginImplicit(ThreadState &T, const TraceRecord &R) {
  const auto Found = Regions.find(R.A);
  std::vector<Step> *Steps = &Nowhere;
  if (R.A != 0 && Found != Regions.end()) {
    auto &Implicit = Made.Regions[Found->second].Implicit;
    if (R.Thread < Implicit.size())
      Steps = &Implicit[R.Thread];
  }
  T.Stack.push_back({R.Task, Steps});
}

void Recorder::create(ThreadState &T, const TraceRecord &R) {
  TaskScript &Task = Made.Tasks[R.Task];
  const std::string Name = File.construct(R.B, R.Data);
  const auto [Found, IsNew] =
      Constructs.insert({Name, uint32_t(Made.Constructs.size())});
  if (IsNew)
    Made.Constructs.push_back(Name);
  Task.Construct = Found->second;
  T.Creating = true;
  if (R.Flags & CreatedDetachable)
    remark("events of detached tasks are not in a trace: they end when their "
           "bodies have");
  if (T.Stack.empty())
    return;
  if (R.Flags & CreatedUndeferred)
    Undeferred[R.Task] = T.Stack.back().Steps;
  else
    T.Stack.back().Steps->push_back({StepKind::Create, 0, R.Task});
}

void Recorder::hint(const TraceRecord &R) {
  TaskScript *Task = task(R.Task);
  // What the runtime infers, the simulated one infers by itself.
  if (!Task || R.B == uint32_t(HintSource::Inferred) ||
      R.B == uint32_t(HintSource::Depend))
    return;
  const int Kind = R.Flags & ~HintStrict;
  if (Kind < 1 || (Kind > 3 && Kind != 7))
    return;
  if (Kind == 7)
    remark("of a hint that names several ranges, the first counts");
  Task->Affinity = {Kind == 1   ? HintKind::Thread
                    : Kind == 2 ? HintKind::Node
                                : HintKind::Data,
                    R.Data, R.A, (R.Flags & HintStrict) != 0};
}

void Recorder::depend(const TraceRecord &R) {
  TaskScript *Task = task(R.Task);
  if (!Task)
    return;
  if (R.Flags & 128) {
    remark("omp_all_memory is not carried out: tasks with it are too early");
    return;
  }
  const DepKind Kind = R.Flags & 8   ? DepKind::InOutSet
                       : R.Flags & 4 ? DepKind::MutexInOutSet
                       : R.Flags & 2
                           ? (R.Flags & 1 ? DepKind::InOut : DepKind::Out)
                           : DepKind::In;
  Task->Depends.push_back({R.Data, uint64_t(R.B) << 32 | R.A, Kind});
}

void Recorder::start(ThreadState &T, const TraceRecord &R) {
  const auto Parent = Undeferred.find(R.Task);
  if (Parent != Undeferred.end()) {
    T.Stack.push_back({R.Task, Parent->second});
    return;
  }
  TaskScript &Task = Made.Tasks[R.Task];
  Task.Ran = true;
  T.Stack.push_back({R.Task, &Task.Steps});
}

void Recorder::wait(ThreadState &T, const TraceRecord &R) {
  if (T.Stack.empty() || T.Stack.back().Task != R.Task)
    return;
  Frame &Top = T.Stack.back();
  if (R.Kind == Event::WaitEnd) {
    Top.Waits -= Top.Waits > 0;
    return;
  }
  ++Top.Waits;
  switch (WaitFor(R.Flags)) {
  case WaitFor::Group:
    remark("the end of a taskgroup waits for children only");
    [[fallthrough]];
  case WaitFor::Children:
  case WaitFor::Predecessors:
    Top.Steps->push_back({StepKind::Wait});
    break;
  case WaitFor::Barrier:
    Top.Steps->push_back({StepKind::Barrier});
    break;
  case WaitFor::Others: // the runtime's own decision
    break;
  }
}

void Recorder::take(ThreadState &T, const TraceRecord &R) {
  passTime(T, R);
  switch (R.Kind) {
  case Event::Region:
    return beginRegion(T, R);
  case Event::RegionEnd:
    Open = 0;
    OpenEnded = R.Time;
    return;
  case Event::Implicit:
    return beginImplicit(T, R);
  case Event::ImplicitEnd:
  case Event::End:
    if (!T.Stack.empty() && T.Stack.back().Task == R.Task)
      T.Stack.pop_back();
    return;
  case Event::Create:
    return create(T, R);
  case Event::Hint:
    return hint(R);
  case Event::Depend:
    return depend(R);
  case Event::Start:
    return start(T, R);
  case Event::Wait:
  case Event::WaitEnd:
    return wait(T, R);
  default:
    return;
  }
}

void Recorder::finish() {
  if (!File.Cut.empty())
    remark("the trace is cut (" + File.Cut +
           "): only what it has is carried "
           "out");
  uint64_t Missing = 0;
  for (const auto &[Number, Task] : Made.Tasks)
    Missing += !Task.Ran && !Undeferred.count(Number);
  if (Missing)
    remark(std::to_string(Missing) +
           " tasks never ran and are left out: dropped, or behind the end");
}

} // namespace

Recording record(const TraceFile &File) { return Recorder(File).run(); }

} // namespace locus::lab
