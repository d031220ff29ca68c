//===- locus_stats.cpp - What the scheduler did ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_stats.h"
#include "locus_array.h"
#include "locus_clock.h"
#include "locus_combine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace locus {

static const char *const Names[NumStats] = {
    "created",           "run",
    "inlined",           "pushed_own",
    "pushed_thread",     "pushed_node",
    "pushed_strict",     "taken_own",
    "taken_node",        "stolen_core",
    "stolen_l3",         "stolen_numa",
    "stolen_package",    "stolen_machine",
    "empty_searches",    "forced",
    "lookups",           "combiner_passes",
    "combined_requests", "lookup_seconds",
    "access_seconds",    "idle_seconds"};

static bool isTime(int S) { return S >= int(Stat::LookupTime); }

/// Tasks placed on a node, by whomever.
struct NodeStats {
  std::atomic<uint64_t> Strict{0}, Public{0};
};

bool Stats::Enabled = false;
static NodeStats *Nodes = nullptr;
static char File[1024] = "";
static std::atomic<ThreadStats *> All{nullptr};
static uint64_t FirstTicks;
static timespec FirstTime;

static double secondsSinceStart() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return double(Now.tv_sec - FirstTime.tv_sec) +
         double(Now.tv_nsec - FirstTime.tv_nsec) * 1e-9;
}

void Stats::enable(const char *FileName) {
  Nodes = makeArray<NodeStats>(MaxOsNodes);
  if (!Nodes) {
    warn("KMP_TASK_STATS: no memory for the counters; they stay off.");
    return;
  }
  size_t Used = 0;
  for (const char *C = FileName ? FileName : ""; *C; ++C) {
    if (C[0] == '%' && C[1] == 'p') {
      Used += size_t(
          snprintf(File + Used, sizeof(File) - Used, "%ld", long(getpid())));
      ++C;
    } else if (Used + 1 < sizeof(File)) {
      File[Used++] = *C;
    }
    if (Used + 16 > sizeof(File)) {
      warn("KMP_TASK_STATS: the file name is too long; the counters stay off.");
      return;
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &FirstTime);
  FirstTicks = ticks();
  Enabled = true;
}

ThreadStats &Stats::mine() {
  static thread_local ThreadStats *Mine = nullptr;
  // Threads that find no memory share one, and may miss counts.
  static ThreadStats Shared;
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

void Stats::addSearch(bool Found, int OsNode) {
  ThreadStats &Mine = mine();
  Mine.OsNode = OsNode;
  if (!Found)
    add(Mine.Counts[int(Stat::Searches)], 1);
  if (Found && Mine.IdleSince == 0)
    return;
  const uint64_t Now = ticks();
  if (Mine.IdleSince != 0)
    add(Mine.Counts[int(Stat::IdleTime)], Now - Mine.IdleSince);
  Mine.IdleSince = Found ? 0 : Now;
}

void Stats::countPass(uint32_t Requests) {
  if (!enabled())
    return;
  ThreadStats &Mine = mine();
  add(Mine.Counts[int(Stat::Passes)], 1);
  add(Mine.Counts[int(Stat::Served)], Requests);
  if (Requests > Mine.LargestBatch.load(std::memory_order_relaxed))
    Mine.LargestBatch.store(Requests, std::memory_order_relaxed);
}

void notePass(uint32_t Requests) { Stats::countPass(Requests); }

void Stats::countPlaced(int OsNode, bool Strict) {
  if (!enabled() || OsNode < 0 || OsNode >= MaxOsNodes)
    return;
  NodeStats &Node = Nodes[OsNode];
  (Strict ? Node.Strict : Node.Public).fetch_add(1, std::memory_order_relaxed);
}

/// Counters of several threads.
struct Sum {
  uint64_t Counts[NumStats] = {};
  uint64_t LargestBatch = 0;
  int Threads = 0;

  void add(const ThreadStats &T) {
    ++Threads;
    for (int S = 0; S < NumStats; ++S)
      Counts[S] += T.Counts[S].load(std::memory_order_relaxed);
    const uint64_t Largest = T.LargestBatch.load(std::memory_order_relaxed);
    LargestBatch = Largest > LargestBatch ? Largest : LargestBatch;
  }

  /// One value a counter: "name": value, ... or name value, ...
  void print(FILE *Out, bool Json, double SecondsPerTick) const {
    const char *Quote = Json ? "\"" : "";
    const char *Colon = Json ? ":" : "";
    const char *Comma = "";
    for (int S = 0; S < NumStats; ++S) {
      // A person wants to see what there was.
      if (!Json && Counts[S] == 0)
        continue;
      if (isTime(S))
        fprintf(Out, "%s%s%s%s%s %.6f", Comma, Quote, Names[S], Quote, Colon,
                double(Counts[S]) * SecondsPerTick);
      else
        fprintf(Out, "%s%s%s%s%s %llu", Comma, Quote, Names[S], Quote, Colon,
                static_cast<unsigned long long>(Counts[S]));
      Comma = ", ";
    }
    if (Json || LargestBatch)
      fprintf(Out, "%s%slargest_batch%s%s %llu", Comma, Quote, Quote, Colon,
              static_cast<unsigned long long>(LargestBatch));
  }
};

void Stats::report() {
  if (!Enabled)
    return;
  const bool Json = File[0] != '\0';
  FILE *Out = Json ? fopen(File, "w") : stderr;
  if (!Out) {
    char Text[sizeof(File) + 128];
    snprintf(Text, sizeof(Text), "KMP_TASK_STATS: cannot write '%s': %s.", File,
             strerror(errno));
    warn(Text);
    return;
  }
  const double Seconds = secondsSinceStart();
  const double SecondsPerTick = Seconds / double(ticks() - FirstTicks);
  Sum Total;
  const ThreadStats *First = All.load(std::memory_order_acquire);
  for (const ThreadStats *T = First; T; T = T->Next)
    Total.add(*T);

  fprintf(Out,
          Json ? "{\"seconds\": %.6f,\n \"total\": {\"threads\": %d, "
               : "OMP: tasks in %.6f seconds, %d threads: ",
          Seconds, Total.Threads);
  Total.print(Out, Json, SecondsPerTick);
  fprintf(Out, Json ? "},\n \"nodes\": [" : "\n");
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
    Here.print(Out, Json, SecondsPerTick);
    fprintf(Out, Json ? "}" : "\n");
    Comma = ",";
  }
  fprintf(Out, Json ? "],\n \"threads\": [" : "");
  Comma = "";
  int Number = 0;
  for (const ThreadStats *T = First; T; T = T->Next) {
    Sum One;
    One.add(*T);
    fprintf(Out,
            Json ? "%s\n  {\"thread\": %d, \"os_node\": %d, "
                 : "%sOMP: thread %d, OS node %d: ",
            Json ? Comma : "", Number++, T->OsNode);
    One.print(Out, Json, SecondsPerTick);
    fprintf(Out, Json ? "}" : "\n");
    Comma = ",";
  }
  if (!Json)
    return;
  fprintf(Out, "]}\n");
  if (fclose(Out) != 0)
    warn("KMP_TASK_STATS: the file is incomplete, as writing to it failed.");
}

/// The end of the program, or of the library.
__attribute__((destructor)) static void reportAtExit() { Stats::report(); }

} // namespace locus
