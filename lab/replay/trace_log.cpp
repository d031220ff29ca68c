//===- replay/trace_log.cpp - A simulated run as a trace -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/trace_log.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace locus::lab {

/// Passes everything on, and tells the log.
class WatchingContext final : public Context {
public:
  WatchingContext(Context &TheContext, TraceLog &TheLog, uint32_t TheTask)
      : C(TheContext), Log(TheLog), Task(TheTask) {}

  void compute(double Ns) override { C.compute(Ns); }
  void access(const Range *R, size_t N, double ComputeNs) override {
    Log.touch(C, Task, R, N);
    C.access(R, N, ComputeNs);
  }
  void create(const TaskSpec &Spec) override {
    const uint32_t Number = Log.create(C, Task, Spec);
    TaskSpec Watched = Spec;
    Watched.Body = [Body = Spec.Body, &Log = Log, Number](Context &X) {
      Log.start(X, Number);
      WatchingContext Inside(X, Log, Number);
      Body(Inside);
      Log.end(X, Number);
    };
    C.create(Watched);
  }
  void taskwait() override {
    wait(Event::Wait, WaitFor::Children);
    C.taskwait();
    wait(Event::WaitEnd, WaitFor::Children);
  }
  void barrier() override {
    wait(Event::Wait, WaitFor::Barrier);
    C.barrier();
    wait(Event::WaitEnd, WaitFor::Barrier);
  }
  int thread() const override { return C.thread(); }
  int numThreads() const override { return C.numThreads(); }
  int node() const override { return C.node(); }
  int numNodes() const override { return C.numNodes(); }
  double now() const override { return C.now(); }
  void place(uint64_t Address, uint64_t Bytes, int Node) override {
    Log.HomeOf[Address] = Node;
    C.place(Address, Bytes, Node);
  }

private:
  void wait(Event Kind, WaitFor What) {
    Log.add(C.thread(), C.now(), Kind, Task, uint8_t(What));
  }

  Context &C;
  TraceLog &Log;
  const uint32_t Task;
};

constexpr uint32_t OneRegion = 1;

TraceLog::TraceLog(const Machine &TheMachine, int TheThreads)
    : M(TheMachine), Threads(TheThreads), Records(size_t(TheThreads)) {
  Tasks.resize(size_t(Threads) + 1);
}

Program TraceLog::watch(const Program &P) {
  Constructs = P.Constructs;
  Program Watched = P;
  Watched.ImplicitTask = [this, Inside = P.ImplicitTask](Context &C) {
    const uint32_t Number = uint32_t(C.thread()) + 1;
    const uint32_t Processor = uint32_t(C.thread());
    if (C.thread() == 0)
      add(0, 0, Event::Region, 0, 0, 0, OneRegion, uint32_t(Threads));
    add(C.thread(), C.now(), Event::Implicit, Number, 0, Processor, OneRegion,
        Processor);
    WatchingContext Watching(C, *this, Number);
    Inside(Watching);
    add(C.thread(), C.now(), Event::ImplicitEnd, Number, 0, 0, OneRegion,
        Processor);
  };
  return Watched;
}

void TraceLog::add(int Thread, double Ns, Event Kind, uint32_t Number,
                   uint8_t Flags, uint64_t Data, uint32_t A, uint32_t B) {
  Records[size_t(Thread)].push_back(
      {uint64_t(Ns), Kind, Flags, uint16_t(Thread), Number, Data, A, B});
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Whom a task with \p Item waits for.
std::vector<uint32_t>
TraceLog::predecessors(uint32_t Creator, const Depend &Item, uint32_t Number) {
  Cell &At = Cells[Creator][Item.Address];
  const bool Joins = Item.Kind == DepKind::In ||
                     Item.Kind == DepKind::InOutSet ||
                     Item.Kind == DepKind::MutexInOutSet;
  if (Joins && !At.Group.empty() && At.Kind == Item.Kind) {
    At.Group.push_back(Number);
    return At.Before;
  }
  if (!At.Group.empty())
    At.Before = At.Group;
  std::vector<uint32_t> Before = At.Before;
  At.Group.clear();
  if (Joins)
    At.Group = {Number};
  else
    At.Before = {Number};
  At.Kind = Item.Kind;
  return Before;
}

static uint8_t flagsOf(DepKind Kind) {
  switch (Kind) {
  case DepKind::In:
    return 1;
  case DepKind::Out:
    return 2;
  case DepKind::InOut:
    return 3;
  case DepKind::MutexInOutSet:
    return 4;
  case DepKind::InOutSet:
    return 8;
  }
  return 3;
}

/// Where the code of a construct without a location is, by its name.
uint64_t TraceLog::codeOf(uint32_t Construct) const {
  const std::string &Name =
      Construct < Constructs.size() ? Constructs[Construct] : "";
  const size_t At = Name.find("0x");
  return At == std::string::npos ? 0 : strtoull(&Name[At], nullptr, 16);
}

uint32_t TraceLog::create(Context &C, uint32_t Creator, const TaskSpec &Spec) {
  const uint32_t Number = uint32_t(Tasks.size());
  Tasks.emplace_back();
  Tasks.back().Creator = Creator;
  Tasks.back().Created = C.now();
  Tasks.back().Affinity = Spec.Affinity;
  const int Thread = C.thread();
  add(Thread, C.now(), Event::Create, Number, 0, codeOf(Spec.Construct),
      Creator, Spec.Construct + 1);
  Tasks[Number].Writer = Thread;
  Tasks[Number].FirstRecord = Records[size_t(Thread)].size();
  if (Spec.Affinity.Kind != HintKind::None)
    add(Thread, C.now(), Event::Hint, Number,
        uint8_t(uint8_t(Spec.Affinity.Kind) |
                (Spec.Affinity.Strict ? HintStrict : 0)),
        Spec.Affinity.Value, uint32_t(Spec.Affinity.Bytes),
        uint32_t(HintSource::Clause));
  for (const Depend &Item : Spec.Depends) {
    add(Thread, C.now(), Event::Depend, Number, flagsOf(Item.Kind),
        Item.Address, 1);
    for (uint32_t Before : predecessors(Creator, Item, Number))
      if (Before != Number)
        Tasks[Number].Predecessors.push_back(Before);
    const auto Home = HomeOf.find(Item.Address);
    if (Home != HomeOf.end())
      add(Thread, C.now(), Event::DependNode, Number, 0, Item.Address,
          uint32_t(Home->second), 1u << 16 | 1);
  }
  return Number;
}

/// It has been ready since the last of those it waits for ended.
void TraceLog::start(Context &C, uint32_t Number) {
  Task &Now = Tasks[Number];
  double Since = Now.Created + 1; // behind Create, which another thread wrote
  for (uint32_t Before : Now.Predecessors)
    Since = std::max(Since, Tasks[Before].Ended);
  Now.Predecessors.clear();
  const int Thread = C.thread();
  const Hint &H = Now.Affinity;
  const uint8_t Strict = H.Strict ? ReadyStrict : 0;
  uint8_t Where = uint8_t(ReadyWhere::Own);
  uint32_t Index = 0;
  if (H.Kind == HintKind::Thread) {
    Where = uint8_t(ReadyWhere::OnThread) | Strict;
    Index = uint32_t(H.Value % uint64_t(Threads));
  } else if (H.Kind == HintKind::Node) {
    Where = uint8_t(ReadyWhere::OnNode) | Strict;
    Index = uint32_t(H.Value % uint64_t(C.numNodes()));
  }
  add(Thread, std::min(Since, C.now()), Event::Ready, Number, Where, 0, Index,
      uint32_t(H.Kind));
  add(Thread, C.now(), Event::Start, Number, 0, uint64_t(Thread),
      uint32_t(Thread), uint32_t(C.node()));
}

void TraceLog::end(Context &C, uint32_t Number) {
  Tasks[Number].Ended = C.now();
  add(C.thread(), C.now(), Event::End, Number, 0, 0, uint32_t(C.thread()));
}

/// Pages belong to who touches them first. How many bytes an item of depend
/// stands for is known only here.
void TraceLog::touch(Context &C, uint32_t Number, const Range *R, size_t N) {
  for (size_t I = 0; I < N; ++I)
    HomeOf.insert({R[I].Address, osNode(C.thread())});
  const Task &Now = Tasks[Number];
  std::vector<TraceRecord> &Of = Records[size_t(Now.Writer)];
  for (size_t At = Now.FirstRecord; At < Of.size(); ++At) {
    TraceRecord &Record = Of[At];
    if (Record.Task != Number ||
        (Record.Kind != Event::Hint && Record.Kind != Event::Depend &&
         Record.Kind != Event::DependNode))
      return;
    for (size_t I = 0; I < N; ++I)
      if (Record.Kind == Event::Depend && Record.Data == R[I].Address) {
        Record.A = uint32_t(R[I].Bytes);
        Record.B = uint32_t(R[I].Bytes >> 32);
      }
  }
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// By their times; those of one time as they lie. (A task is found to have been
/// ready only when it starts.)
static std::vector<TraceRecord> inOrder(const std::vector<TraceRecord> &Of) {
  std::vector<const TraceRecord *> Order;
  for (const TraceRecord &R : Of)
    Order.push_back(&R);
  std::sort(Order.begin(), Order.end(),
            [](const TraceRecord *A, const TraceRecord *B) {
              return A->Time != B->Time ? A->Time < B->Time : A < B;
            });
  std::vector<TraceRecord> Sorted;
  for (const TraceRecord *R : Order)
    Sorted.push_back(*R);
  return Sorted;
}

/// Whoever waits and runs no task searches for one.
static void addSearches(std::vector<TraceRecord> &Of, uint64_t Last) {
  std::vector<TraceRecord> With;
  int Waits = 0, Running = 0; // Running: tasks begun in the innermost wait
  std::vector<int> Outer;
  bool Searches = false;
  const auto Mark = [&](Event Kind, const TraceRecord &At) {
    Searches = Kind == Event::Search;
    With.push_back({At.Time, Kind, 0, At.Thread, 0, 0, 0, 0});
  };
  for (const TraceRecord &R : Of) {
    const bool Begins = R.Kind == Event::Wait || R.Kind == Event::ImplicitEnd;
    const bool Ends = R.Kind == Event::WaitEnd || R.Kind == Event::RegionEnd;
    if (Searches && (R.Kind == Event::Start || Ends))
      Mark(Event::SearchEnd, R);
    if (Begins)
      ++Waits, Outer.push_back(Running), Running = 0;
    if (R.Kind == Event::WaitEnd)
      --Waits, Running = Outer.back(), Outer.pop_back();
    Running += R.Kind == Event::Start ? 1 : R.Kind == Event::End ? -1 : 0;
    With.push_back(R);
    if (Waits > 0 && Running == 0 && (Begins || R.Kind == Event::End))
      Mark(Event::Search, R);
  }
  if (Searches)
    With.push_back({Last, Event::SearchEnd, 0, Of.back().Thread, 0, 0, 0, 0});
  Of = std::move(With);
}

std::string TraceLog::machineText(const std::string &What) const {
  nlohmann::ordered_json Root;
  Root["program"] = What;
  Root["host"] = M.Name;
  Root["settings"] = nlohmann::ordered_json::object();
  Root["synthetic"] = true;
  // As logical numbers of the processors that one thread each is on.
  for (int P = 0; P < M.numProcessors(); ++P)
    Root["cpus"].push_back({P, M.NodeOf[size_t(P)], M.PackageOf[size_t(P)],
                            M.L3Of[size_t(P)], M.CoreOf[size_t(P)]});
  for (int From = 0; From < M.NumNodes; ++From) {
    nlohmann::ordered_json Row = {From};
    for (int To = 0; To < M.NumNodes; ++To)
      Row.push_back(From == To
                        ? 10
                        : std::min(254, int(10 * M.MemoryNs[M.pair(From, To)] /
                                            M.MemoryNs[M.pair(To, To)])));
    Root["nodes"].push_back(Row);
  }
  for (int P = 0; P < Threads; ++P)
    Root["allowed"].push_back(P);
  Root["code"] = nlohmann::ordered_json::array();
  return Root.dump();
}

namespace {
class Writer {
public:
  explicit Writer(const std::string &Path)
      : Path(Path), Out(Path, std::ios::binary) {
    Header.Process = 1; // 0 is for several processes in one file
    raw(&Header, sizeof Header);
  }
  void chunk(ChunkKind Kind, const void *From, size_t Bytes,
             uint32_t Number = 0) {
    ChunkHeader H;
    H.Kind = Kind;
    H.Bytes = uint32_t(Bytes);
    H.Writer = H.OsThread = Number;
    raw(&H, sizeof H);
    raw(From, Bytes);
    const char Padding[8] = {};
    raw(Padding, (8 - Bytes % 8) % 8);
  }
  void close() {
    Out.close();
    if (!Out)
      throw std::invalid_argument(Path + " cannot be written");
  }

private:
  void raw(const void *From, size_t Bytes) {
    Out.write(static_cast<const char *>(From), std::streamsize(Bytes));
  }
  const std::string &Path;
  std::ofstream Out;
  TraceHeader Header;
};
} // namespace

void TraceLog::write(const std::string &Path, const std::string &What) {
  uint64_t Last = 0;
  for (const auto &Of : Records)
    for (const TraceRecord &R : Of)
      Last = std::max(Last, R.Time);
  add(0, double(Last), Event::RegionEnd, 0, 0, 0, OneRegion);
  Writer Out(Path);
  const std::string Text = machineText(What);
  Out.chunk(ChunkKind::Machine, Text.data(), Text.size());
  for (size_t I = 0; I < Constructs.size(); ++I) {
    const uint32_t Number = uint32_t(I) + 1;
    // file:line becomes libomp's location again.
    const std::string &Name = Constructs[I];
    const size_t Colon = Name.rfind(':');
    std::string Body(reinterpret_cast<const char *>(&Number), 4);
    Body += Colon == std::string::npos ? ";;" + Name + ";0;0;;"
                                       : ";" + Name.substr(0, Colon) + ";;" +
                                             Name.substr(Colon + 1) + ";0;;";
    Out.chunk(ChunkKind::Name, Body.data(), Body.size());
  }
  for (size_t T = 0; T < Records.size(); ++T) {
    auto &Of = Records[T];
    Of = inOrder(Of);
    addSearches(Of, Last);
    if (!Of.empty())
      Out.chunk(ChunkKind::Events, Of.data(), Of.size() * sizeof(TraceRecord),
                uint32_t(T) + 1);
  }
  Out.chunk(ChunkKind::End, nullptr, 0);
  Out.close();
}

} // namespace locus::lab
