//===- kmp/trace.cpp - A record of libomp's tasks -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/trace.h"
#include "locus/kmp/depend.h"
#include "locus/kmp/hooks.h"

#include "kmp_str.h"

#include <initializer_list>
#include <sched.h>
#include <unistd.h>

namespace locus {

/// libomp's number for what a debugger has not numbered: not recorded yet.
constexpr kmp_int32 NoNumber = ~0;

static uint32_t numberOf(const kmp_taskdata_t *Task) {
  return Task->td_task_id != NoNumber ? uint32_t(Task->td_task_id) : 0;
}

static uint16_t threadOf(const kmp_info_t *Thread) {
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Tid < NoThread ? uint16_t(Tid) : NoThread;
}

/// The processor that the calling thread is on.
static uint32_t processor() { return uint32_t(sched_getcpu()); }

/// The shape of the team whose tasks \p Thread runs; null if it has none.
static const TeamShape *shapeOf(const kmp_info_t *Thread) {
  Team *Ours = teamOf(Thread);
  return Ours ? &Ours->shape() : nullptr;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The number of \p Task, which \p Thread executes; 0 for null. An implicit
/// task that has none gets it, and is recorded: in a region of one thread, or
/// outside of all regions.
static uint32_t numberOf(kmp_taskdata_t *Task, kmp_info_t *Thread) {
  if (!Task)
    return 0;
  if (Task->td_flags.tasktype == TASK_IMPLICIT &&
      Task->td_task_id == NoNumber) {
    Task->td_task_id = kmp_int32(Trace::newNumber());
    describeMachine();
    Trace::record(Event::Implicit, numberOf(Task), 0, threadOf(Thread), 0, 0,
                  processor());
  }
  return numberOf(Task);
}

void recordRegion(kmp_team_t *KmpTeam, bool IsEnd) {
  if (IsEnd) {
    Trace::noteSearch(false);
    Trace::record(Event::RegionEnd, 0, 0, NoThread, 0,
                  KmpTeam->t.t_locus_region);
    return;
  }
  describeMachine();
  KmpTeam->t.t_locus_region = Trace::newNumber();
  // The creator is the parent of the implicit tasks.
  const uint32_t Parent =
      numberOf(KmpTeam->t.t_implicit_task_taskdata[0].td_parent,
               KmpTeam->t.t_threads[0]);
  const char *Where =
      KmpTeam->t.t_ident ? KmpTeam->t.t_ident->psource : nullptr;
  Trace::record(Event::Region, Parent, 0, NoThread, Trace::nameOf(Where),
                KmpTeam->t.t_locus_region, uint32_t(KmpTeam->t.t_nproc));
}

void recordImplicit(kmp_info_t *Thread, bool IsEnd) {
  kmp_taskdata_t *Task = Thread->th.th_current_task;
  Trace::noteSearch(false); // in the barrier before
  if (!IsEnd)
    Task->td_task_id = kmp_int32(Trace::newNumber());
  Trace::record(IsEnd ? Event::ImplicitEnd : Event::Implicit, numberOf(Task), 0,
                threadOf(Thread),
                IsEnd ? 0 : uint64_t(Thread->th.th_info.ds.ds_gtid),
                Thread->th.th_team->t.t_locus_region, processor());
}

//===----------------------------------------------------------------------===//
// Tasks come
//===----------------------------------------------------------------------===//

void recordCreated(kmp_taskdata_t *Task, bool IsCopy) {
  kmp_info_t *Thread = Task->td_alloc_thread;
  const uint32_t Creator = numberOf(Task->td_parent, Thread);
  const kmp_tasking_flags_t &Is = Task->td_flags;
  uint8_t Flags = 0;
  Flags |= Is.tiedness == TASK_UNTIED ? CreatedUntied : 0;
  Flags |= Is.final ? CreatedFinal : 0;
  Flags |= Is.task_serial ? CreatedUndeferred : 0;
  Flags |= Is.detachable == TASK_DETACHABLE ? CreatedDetachable : 0;
  Flags |= IsCopy ? CreatedCopy : 0;
  Flags |= Is.target || Is.proxy == TASK_PROXY ? CreatedTarget : 0;
  Flags |= Is.priority_specified ? CreatedPriority : 0;
  Task->td_task_id = kmp_int32(Trace::newNumber());
  const char *Where = Task->td_ident ? Task->td_ident->psource : nullptr;
  const kmp_task_t *Body = KMP_TASKDATA_TO_TASK(Task);
  Trace::record(Event::Create, numberOf(Task), Flags, threadOf(Thread),
                reinterpret_cast<uint64_t>(Body->routine), Creator,
                Trace::nameOf(Where));
}

/// Records the hint \p HintKind to \p Target. Where it has several ranges that
/// is the first one, and the bytes of all.
static void recordRange(const kmp_taskdata_t *Task, Kind HintKind,
                        TaskTarget Target, HintSource Source) {
  const uint32_t Length =
      Target.Length < UINT32_MAX ? uint32_t(Target.Length) : UINT32_MAX;
  const uint8_t Strict = Task->td_locus.isStrict() ? HintStrict : 0;
  Trace::record(Event::Hint, numberOf(Task), uint8_t(HintKind) | Strict,
                NoThread, Target.Value, Length, uint32_t(Source));
}

void recordHint(const kmp_taskdata_t *Task, HintSource Source) {
  const Kind HintKind = Task->td_locus.kind();
  if (HintKind == Kind::None)
    return;
  TaskTarget Target = targetOf(Task);
  if (hasRanges(HintKind)) {
    const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
    Target = {List->Ranges[0].Base, 0};
    for (int I = 0; I < List->Count; ++I)
      Target.Length += List->Ranges[I].Length;
  }
  recordRange(Task, HintKind, Target, Source);
}

/// Whether the kernel's answer to where a page is fits the machine.
static bool hasRealNodes() {
  return Topology::mayHaveNodes() && Topology::get().isThisSystem();
}

/// Records on which OS node the data at the ranges is now, of which one is the
/// first. \p Event is DataNode or DependNode.
static void recordNode(Event What, const kmp_taskdata_t *Task,
                       const MemoryRange *Ranges, int Count) {
  const uint64_t Began = nanoseconds();
  const PageAnswer Answer = askForNode(Ranges, Count);
  Trace::hasAsked(Began);
  Trace::record(What, numberOf(Task), 0, NoThread, uint64_t(Ranges[0].Base),
                uint32_t(Answer.Node),
                uint32_t(Answer.Pages << 16 | Answer.OnNode));
}

void recordLoopHint(const kmp_taskdata_t *Task, const DataLine *Line,
                    uint64_t Start, uint64_t Trips) {
  if (!Line || !Line->knows(Start, Trips))
    return recordHint(Task, HintSource::Clause);
  const MemoryRange Range = Line->of(Start, Trips);
  recordRange(Task, Kind::Data, {Range.Base, Range.Length}, HintSource::Clause);
  if (hasRealNodes() && Trace::mayAsk())
    recordNode(Event::DataNode, Task, &Range, 1);
}

void recordDepend(const kmp_taskdata_t *Task, const DependList &List) {
  const bool Asks = hasRealNodes() && Trace::mayAsk();
  flow::anyOf<KmpTasks>(List, [=](const kmp_depend_info_t &Item) {
    const bool IsAll = KmpTasks::isAllMemory(Item);
    Trace::record(Event::Depend, numberOf(Task),
                  IsAll ? KMP_DEP_ALL : uint8_t(Item.flag), NoThread,
                  uint64_t(Item.base_addr), uint32_t(Item.len),
                  uint32_t(Item.len >> 32));
    const MemoryRange Range = {uintptr_t(Item.base_addr), Item.len};
    if (Asks && !IsAll)
      recordNode(Event::DependNode, Task, &Range, 1);
    return false;
  });
}

void recordReady(const kmp_taskdata_t *Task, ReadyWhere Where, int Pusher,
                 bool IsStrict, int Index) {
  const uint8_t Flags = uint8_t(uint8_t(Where) | (IsStrict ? ReadyStrict : 0) |
                                (Pusher < 0 ? ReadyForeign : 0));
  const uint16_t By =
      Pusher >= 0 && Pusher < NoThread ? uint16_t(Pusher) : NoThread;
  Trace::record(Event::Ready, numberOf(Task), Flags, By, 0, uint32_t(Index),
                uint32_t(Task->td_locus.kind()));
}

//===----------------------------------------------------------------------===//
// Tasks go
//===----------------------------------------------------------------------===//

/// Records on which OS node the data of \p Task's hint is now.
static void recordDataNode(const kmp_taskdata_t *Task) {
  const Kind HintKind = Task->td_locus.kind();
  if ((HintKind != Kind::Data && HintKind != Kind::Ranges) || !hasRealNodes() ||
      !Trace::mayAsk())
    return;
  const TaskTarget Target = targetOf(Task);
  if (HintKind == Kind::Ranges) {
    const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
    return recordNode(Event::DataNode, Task, List->Ranges, List->Count);
  }
  const MemoryRange Range = {uintptr_t(Target.Value), Target.Length};
  recordNode(Event::DataNode, Task, &Range, 1);
}

uint32_t recordStart(kmp_info_t *Thread, const kmp_taskdata_t *Task) {
  const uint32_t Number = numberOf(Task);
  Trace::noteSearch(false);
  recordDataNode(Task);
  const TeamShape *Shape = shapeOf(Thread);
  const uint16_t Tid = threadOf(Thread);
  const uint8_t Flags = (Task->td_flags.task_serial ? StartUndeferred : 0) |
                        (Shape && !Shape->isBound() ? StartUnbound : 0);
  Trace::record(Event::Start, Number, Flags, Tid,
                uint64_t(Thread->th.th_info.ds.ds_gtid), processor(),
                Shape ? uint32_t(Shape->nodeOfThread(Tid)) : NoNode);
  return Number;
}

void recordEnd(uint32_t Number) {
  Trace::noteSearch(false);
  Trace::record(Event::End, Number, 0, NoThread, 0, processor());
}

void recordDrop(const kmp_taskdata_t *Task) {
  Trace::noteSearch(false);
  Trace::record(Event::Drop, numberOf(Task));
}

void recordWait(kmp_int32 Gtid, WaitFor What, bool IsEnd) {
  kmp_info_t *Thread = __kmp_threads[Gtid];
  Trace::noteSearch(false);
  Trace::record(IsEnd ? Event::WaitEnd : Event::Wait,
                numberOf(Thread->th.th_current_task, Thread), uint8_t(What),
                threadOf(Thread));
}

//===----------------------------------------------------------------------===//
// Where the program runs
//===----------------------------------------------------------------------===//

/// Appends \p Text as JSON has it.
static void addString(kmp_str_buf_t &Out, const char *Text) {
  __kmp_str_buf_cat(&Out, "\"", 1);
  for (const char *C = Text; *C; ++C) {
    if (static_cast<unsigned char>(*C) < ' ')
      __kmp_str_buf_print(&Out, "\\u%04x", *C);
    else if (*C == '"' || *C == '\\')
      __kmp_str_buf_print(&Out, "\\%c", *C);
    else
      __kmp_str_buf_cat(&Out, C, 1);
  }
  __kmp_str_buf_cat(&Out, "\"", 1);
}

/// The processors, each with what hwloc's objects it belongs to; the nodes'
/// distances.
static void addTopology(kmp_str_buf_t &Out) {
  const Topology &Machine = Topology::get();
  __kmp_str_buf_print(&Out, ",\n\"synthetic\": %s,\n\"cpus\": [",
                      Machine.isThisSystem() ? "false" : "true");
  NodeSet Nodes;
  for (int I = 0; I < Machine.numCpus(); ++I) {
    const int Cpu = Machine.cpuAt(I);
    Nodes.add(Machine.nodeOfCpu(Cpu));
    __kmp_str_buf_print(&Out, "%s[%d, %d, %d, %d, %d]", I ? ", " : "", Cpu,
                        Machine.nodeOfCpu(Cpu),
                        Machine.objectOfCpu(Level::Package, Cpu),
                        Machine.objectOfCpu(Level::L3, Cpu),
                        Machine.objectOfCpu(Level::Core, Cpu));
  }
  __kmp_str_buf_print(&Out, "],\n\"nodes\": [");
  for (int From = 0; From < Nodes.size(); ++From) {
    __kmp_str_buf_print(&Out, "%s[%d", From ? ", " : "", Nodes.at(From));
    for (int To = 0; To < Nodes.size(); ++To)
      __kmp_str_buf_print(&Out, ", %u",
                          Machine.distance(Nodes.at(From), Nodes.at(To)));
    __kmp_str_buf_print(&Out, "]");
  }
  __kmp_str_buf_print(&Out, "]");
}

/// Appends what the kernel says in the file \p Path, as it is.
static void addFile(kmp_str_buf_t &Out, const char *Name, const char *Path) {
  char Text[256] = "";
  if (FILE *File = fopen(Path, "re")) {
    if (!fgets(Text, sizeof(Text), File))
      Text[0] = '\0';
    fclose(File);
  }
  Text[strcspn(Text, "\n")] = '\0';
  __kmp_str_buf_print(&Out, ",\n\"%s\": ", Name);
  addString(Out, Text);
}

/// The processors that the process may use, and what the kernel does to pages.
static void addSystem(kmp_str_buf_t &Out) {
  __kmp_str_buf_print(&Out, ",\n\"allowed\": [");
  const char *Comma = "";
  if (KMP_AFFINITY_CAPABLE())
    forEachCpu(__kmp_affin_fullMask, [&](int Cpu) {
      __kmp_str_buf_print(&Out, "%s%d", Comma, Cpu);
      Comma = ", ";
    });
  __kmp_str_buf_print(&Out, "]");
  __kmp_str_buf_print(&Out, ",\n\"page_bytes\": %zu", pageSize());
  addFile(Out, "numa_balancing", "/proc/sys/kernel/numa_balancing");
  addFile(Out, "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
}

/// Where the program and its libraries have their code: tasks without a
/// location are known by their addresses.
static void addCode(kmp_str_buf_t &Out) {
  __kmp_str_buf_print(&Out, ",\n\"code\": [");
  FILE *Maps = fopen("/proc/self/maps", "re");
  char Line[4096 + 128];
  for (const char *Comma = ""; Maps && fgets(Line, sizeof(Line), Maps);) {
    unsigned long long First, Behind, Offset;
    char Rights[8];
    int PathAt = 0;
    if (sscanf(Line, "%llx-%llx %7s %llx %*s %*s %n", &First, &Behind, Rights,
               &Offset, &PathAt) < 4 ||
        Rights[2] != 'x' || Line[PathAt] != '/')
      continue;
    Line[strcspn(Line, "\n")] = '\0';
    __kmp_str_buf_print(&Out, "%s[%llu, %llu, %llu, ", Comma, First, Behind,
                        Offset);
    addString(Out, Line + PathAt);
    __kmp_str_buf_print(&Out, "]");
    Comma = ", ";
  }
  if (Maps)
    fclose(Maps);
  __kmp_str_buf_print(&Out, "]");
}

void describeMachine() {
  static std::atomic<pid_t> Described{0};
  const pid_t Process = getpid();
  if (__builtin_expect(Described.load(std::memory_order_relaxed) == Process,
                       1) ||
      Described.exchange(Process, std::memory_order_relaxed) == Process)
    return;
  kmp_str_buf_t Out;
  __kmp_str_buf_init(&Out);
  char Text[4096] = "";
  const ssize_t Length = readlink("/proc/self/exe", Text, sizeof(Text) - 1);
  Text[Length > 0 ? Length : 0] = '\0';
  __kmp_str_buf_print(&Out, "{\"program\": ");
  addString(Out, Text);
  gethostname(Text, sizeof(Text) - 1);
  __kmp_str_buf_print(&Out, ",\n\"host\": ");
  addString(Out, Text);
  __kmp_str_buf_print(&Out, ",\n\"settings\": {");
  const char *Comma = "";
  for (int I = 0; I < NumSchedulingSettings; ++I) {
    __kmp_str_buf_print(&Out, "%s\"%s\": ", Comma, Variables[I].Name);
    addString(Out, settingValue(Variables[I].Name));
    Comma = ", ";
  }
  __kmp_str_buf_print(&Out, "}");
  addTopology(Out);
  addSystem(Out);
  addCode(Out);
  __kmp_str_buf_print(&Out, "}\n");
  Trace::writeText(ChunkKind::Machine, 0, Out.str, size_t(Out.used));
  __kmp_str_buf_free(&Out);
}

} // namespace locus
