//===- support/stats.cpp - What the scheduler did -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/stats.h"
#include "locus/machine/topology.h"
#include "locus/queue/combining.h"
#include "locus/support/array.h"
#include "locus/support/file_name.h"
#include "locus/support/host.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace locus {

static_assert(int(Level::Core) == 1 &&
                  int(Stat::StolenMachine) - int(Stat::StolenCore) ==
                      int(Level::Machine) - int(Level::Core),
              "countSteal(): one for each level from Core on, in their order");

static const char *const Names[NumStats] = {
#define LOCUS_STAT_NAME(Name, Reported) Reported,
    LOCUS_STATS(LOCUS_STAT_NAME)
#undef LOCUS_STAT_NAME
};

/// Tasks placed on a node, by whomever.
struct NodeStats {
  std::atomic<uint64_t> Strict{0}, Public{0};
};

std::atomic<bool> Stats::Enabled{false};
static NodeStats *Nodes = nullptr;
static char File[MaxPattern] = ""; ///< as the user wrote it; empty for stderr
static std::atomic<ThreadStats *> All{nullptr};
static thread_local ThreadStats *Mine = nullptr;
/// Of threads that find no memory, which may miss counts.
static ThreadStats Shared;
static uint64_t FirstTicks;
static uint64_t FirstTime; ///< in ns

static struct stat AtBegin; ///< the report's file; all zeros: there was none

/// Whether the file is \p Now as it was when the program began.
static bool isAsAtBegin(const struct stat &Now) {
  return Now.st_dev == AtBegin.st_dev && Now.st_ino == AtBegin.st_ino &&
         Now.st_size == AtBegin.st_size &&
         Now.st_mtim.tv_sec == AtBegin.st_mtim.tv_sec &&
         Now.st_mtim.tv_nsec == AtBegin.st_mtim.tv_nsec;
}

static void startClock() {
  FirstTime = nanoseconds();
  FirstTicks = ticks();
}

bool Stats::enable(const char *Pattern) {
  disable();
  if (Pattern && hasOthersRights()) {
    warn("KMP_TASK_STATS: no file is written for a program that runs with "
         "other rights than its user's; the counters stay off.");
    return false;
  }
  FileName Name;
  if (Pattern &&
      (strlen(Pattern) >= sizeof(File) || !nameFile(Pattern, Name))) {
    warn("KMP_TASK_STATS: the file name is too long; the counters stay off.");
    return false;
  }
  if (!Nodes) {
    Nodes = makeArray<NodeStats>(MaxOsNodes);
    if (!Nodes || pthread_atfork(nullptr, nullptr, forgetParent) != 0) {
      free(Nodes);
      Nodes = nullptr;
      warn("KMP_TASK_STATS: no memory for the counters; they stay off.");
      return false;
    }
    startClock();
  }
  strcpy(File, Pattern ? Pattern : "");
  if (!Pattern || stat(Name, &AtBegin) != 0)
    AtBegin = {};
  Enabled.store(true, std::memory_order_relaxed);
  return true;
}

/// In a forked child, where the calling thread is the only one.
void Stats::forgetParent() {
  for (ThreadStats *T = All.load(std::memory_order_relaxed), *Next; T;
       T = Next) {
    Next = T->Next;
    if (T != Mine)
      free(T);
  }
  if (Mine)
    new (Mine) ThreadStats();
  new (&Shared) ThreadStats();
  All.store(Mine, std::memory_order_relaxed);
  for (int Node = 0; Node < MaxOsNodes; ++Node)
    new (&Nodes[Node]) NodeStats();
  startClock();
}

ThreadStats &Stats::mine() {
  if (__builtin_expect(!Mine, 0)) {
    Mine = makeArray<ThreadStats>(1);
    if (!Mine)
      return Shared;
    // Kept when the thread ends: its counts belong to the report.
    Mine->Next = All.load(std::memory_order_relaxed);
    while (!All.compare_exchange_weak(
        Mine->Next, Mine, std::memory_order_release, std::memory_order_relaxed))
      ;
  }
  return *Mine;
}

void Stats::countSearch(bool Found, int OsNode) {
  ThreadStats &Mine = mine();
  Mine.OsNode = OsNode;
  if (!Found)
    addOwn(Mine.Counts[int(Stat::Searches)], 1);
  Mine.Idle.look(Found, Mine.Counts[int(Stat::IdleTime)]);
}

void notePass(uint32_t Requests) {
  if (!Stats::enabled())
    return;
  Stats::count(Stat::Passes);
  Stats::count(Stat::Served, Requests);
}

void Stats::countPlaced(int OsNode, bool Strict) {
  if (!enabled() || OsNode < 0 || OsNode >= MaxOsNodes)
    return;
  NodeStats &Node = Nodes[OsNode];
  (Strict ? Node.Strict : Node.Public).fetch_add(1, std::memory_order_relaxed);
}

/// Counters of several threads.
struct Sum {
  uint64_t Counts[NumStats] = {};
  int Threads = 0;

  void add(const ThreadStats &T) {
    ++Threads;
    for (int S = 0; S < NumStats; ++S)
      Counts[S] += T.Counts[S].load(std::memory_order_relaxed);
  }
};

/// Whether nobody else has written, or is writing, the file of the descriptor
/// \p Out since this program began. Nobody begins until it is closed.
static bool isFree(int Out) {
  struct stat Now;
  if (fstat(Out, &Now) != 0 || !S_ISREG(Now.st_mode))
    return true;
  if (flock(Out, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return false;
  // Somebody may have come between.
  return fstat(Out, &Now) != 0 || Now.st_size == 0 || isForked() ||
         isAsAtBegin(Now);
}

/// Opens \p Name for the report; null, after a warning, if it cannot be
/// written.
static FILE *openReport(const char *Name) {
  int Out = openForUser(Name, 0);
  if (Out >= 0 && !isFree(Out)) {
    close(Out);
    FileName Other;
    snprintf(Other, sizeof(Other), "%s.%ld", Name, long(getpid()));
    warnOf("KMP_TASK_STATS: another program has written '%s' meanwhile; the "
           "counters of this one are in '%s'. %%p in a name stands for the "
           "process.",
           Name, Other);
    Out = openForUser(Other, 0);
  }
  FILE *Stream = Out >= 0 && (ftruncate(Out, 0) == 0 || errno == EINVAL)
                     ? fdopen(Out, "w")
                     : nullptr;
  if (!Stream)
    warnOf("KMP_TASK_STATS: cannot write '%s': %s.", Name, whyNotOpen(errno));
  return Stream;
}

/// The report, as JSON or for people.
class Report {
public:
  Report(FILE *Out, bool Json, const ThreadStats *First)
      : Out(Out), Json(Json), First(First),
        Seconds(double(nanoseconds() - FirstTime) * 1e-9),
        SecondsPerTick(Seconds / double(ticks() - FirstTicks)) {}

  void write(const Sum &Total) const {
    writeTotal(Total);
    writeNodes();
    writeThreads();
    if (Json)
      fprintf(Out, "]}\n");
  }

private:
  void writeTotal(const Sum &Total) const;
  void writeNodes() const;
  void writeThreads() const;
  void writeCounters(const Sum &Counters) const;
  void endLine() const { fprintf(Out, Json ? "}" : "\n"); }

  FILE *const Out;
  const bool Json;
  const ThreadStats *const First; ///< of the list of threads
  const double Seconds;
  const double SecondsPerTick;
};

/// "name": count, ..., or name count, ... for people.
void Report::writeCounters(const Sum &Counters) const {
  const char *Comma = "";
  for (int S = 0; S < NumStats; ++S) {
    const uint64_t Count = Counters.Counts[S];
    // A person wants to see what there was.
    if (!Json && Count == 0)
      continue;
    if (isTime(Stat(S)))
      fprintf(Out, Json ? "%s\"%s\": %.6f" : "%s%s %.6f", Comma, Names[S],
              double(Count) * SecondsPerTick);
    else
      fprintf(Out, Json ? "%s\"%s\": %llu" : "%s%s %llu", Comma, Names[S],
              static_cast<unsigned long long>(Count));
    Comma = ", ";
  }
}

void Report::writeTotal(const Sum &Total) const {
  fprintf(Out,
          Json ? "{\"seconds\": %.6f,\n \"total\": {\"threads\": %d, "
               : "OMP: tasks in %.6f seconds, %d threads: ",
          Seconds, Total.Threads);
  writeCounters(Total);
  fprintf(Out, Json ? "},\n \"nodes\": [" : "\n");
}

void Report::writeNodes() const {
  const char *Comma = "";
  for (int Node = 0; Node < MaxOsNodes; ++Node) {
    Sum Here;
    for (const ThreadStats *T = First; T; T = T->Next)
      if (T->OsNode == Node)
        Here.add(*T);
    const unsigned long long Strict = Nodes[Node].Strict, // placed on it
        Public = Nodes[Node].Public;
    if (Here.Threads == 0 && Strict + Public == 0)
      continue;
    fprintf(Out,
            Json ? "%s\n  {\"os_node\": %d, \"threads\": %d, "
                   "\"placed_strict\": %llu, \"placed\": %llu, "
                 : "%sOMP: OS node %d, %d threads: placed_strict %llu, "
                   "placed %llu, ",
            Json ? Comma : "", Node, Here.Threads, Strict, Public);
    writeCounters(Here);
    endLine();
    Comma = ",";
  }
}

void Report::writeThreads() const {
  if (Json)
    fprintf(Out, "],\n \"threads\": [");
  const char *Comma = "";
  int Number = 0;
  for (const ThreadStats *T = First; T; T = T->Next) {
    Sum One;
    One.add(*T);
    fprintf(Out,
            Json ? "%s\n  {\"thread\": %d, \"os_node\": %d, "
                 : "%sOMP: thread %d, OS node %d: ",
            Json ? Comma : "", Number++, T->OsNode);
    writeCounters(One);
    endLine();
    Comma = ",";
  }
}

void Stats::report() {
  if (!enabled())
    return;
  Sum Total;
  const ThreadStats *First = All.load(std::memory_order_acquire);
  for (const ThreadStats *T = First; T; T = T->Next)
    Total.add(*T);
  // A child that only did something else, as many do, has nothing to say.
  if (isForked() && Total.Counts[int(Stat::Created)] == 0)
    return;
  if (File[0] == '\0')
    return Report(stderr, false, First).write(Total);
  FileName Name;
  if (!nameFile(File, Name)) {
    warn("KMP_TASK_STATS: the file name is too long; there is no report.");
    return;
  }
  if (FILE *Out = openReport(Name)) {
    Report(Out, true, First).write(Total);
    if (fclose(Out) != 0)
      warn("KMP_TASK_STATS: the file is incomplete, as writing to it failed.");
  }
}

/// The end of the program, or of the library.
__attribute__((destructor)) static void reportAtExit() { Stats::report(); }

} // namespace locus
