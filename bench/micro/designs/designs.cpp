//===-- designs.cpp - Designs of handing a task over ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread makes a task at a time, another waits for it: nanoseconds from
// the making of a task of 320 bytes until the other has read it. The runtime's
// own queues in each of their ways, without OpenMP, and a slot into which a
// hungry thread's task is put. Beside it what the maker pays for a task that
// nobody wants.
//
//===----------------------------------------------------------------------===//

#include "locus/queue/task_queue.h"
#include "locus/queue/work_deque.h"
#include "locus/support/cpu.h"
#include "locus/support/host.h"
#include "locus/tuning.h"

#include <algorithm>
#include <array>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <vector>

using namespace locus;

void locus::notePass(uint32_t) {}
void locus::warn(const char *Text) { fprintf(stderr, "%s\n", Text); }

/// What stands for libomp's descriptor of a task: as large as that.
struct alignas(64) Descriptor {
  std::array<uint64_t, 40> Words; ///< all the same: when it was made
};

static bool admitAll(const Taker &, Task *) { return true; }

static std::atomic<int32_t> Unfinished{2};
static int Finished = 0;
static const Taker Anyone = {admitAll, nullptr, &Finished, nullptr};

/// The deque as it is: owner and thief pay a full fence each.
class OwnDeque {
public:
  static constexpr const char *Name = "deque";
  OwnDeque() { Deque.init(-1); }

  void push(Task *New) { Deque.push(New); }
  Task *take() { return Deque.steal(Anyone, false, Unfinished).Found; }
  Task *pop() { return Deque.pop(Anyone).Found; }

private:
  WorkDeque Deque;
};

/// Every push and every take locks.
class LockedQueue {
public:
  static constexpr const char *Name = "queue under one lock";
  LockedQueue() {
    Counters.Unfinished = &Unfinished;
    Queue.init(&Counters, -1);
  }
  void push(Task *New) { Queue.push(New); }
  Task *take() {
    return Queue.size() ? Queue.take(End::Oldest, Anyone).Found : nullptr;
  }
  Task *pop() { return Queue.take(End::Newest, Anyone).Found; }

private:
  TeamCounters Counters;
  TaskQueue Queue;
};

/// The hungry thread says so in a slot; who makes a task puts it there.
class HungrySlot {
public:
  static constexpr const char *Name = "slot of the hungry thread";
  void push(Task *New) {
    while (Slot.load(std::memory_order_relaxed) != hungry())
      ;
    Task *Expected = hungry();
    Slot.compare_exchange_strong(Expected, New);
  }
  Task *take() {
    if (!IsHungry) {
      IsHungry = true;
      Slot.store(hungry(), std::memory_order_release);
    }
    Task *Found = Slot.load(std::memory_order_acquire);
    if (Found == hungry())
      return nullptr;
    IsHungry = false;
    return Found;
  }

private:
  static Task *hungry() { return reinterpret_cast<Task *>(uintptr_t(1)); }
  alignas(64) std::atomic<Task *> Slot{nullptr};
  alignas(64) bool IsHungry = false; ///< the taker's
};

static double TicksPerNanosecond;

static void findTickLength() {
  const uint64_t Start = nanoseconds(), First = ticks();
  while (nanoseconds() - Start < 50000000)
    ;
  TicksPerNanosecond = double(ticks() - First) / double(nanoseconds() - Start);
}

static cpu_set_t Allowed; ///< at the start of the process

/// The calling thread stays on processor \p Number of those allowed.
static void bindTo(int Number) {
  cpu_set_t One;
  CPU_ZERO(&One);
  for (int Cpu = 0; Cpu < CPU_SETSIZE; ++Cpu)
    if (CPU_ISSET(Cpu, &Allowed) && Number-- == 0)
      CPU_SET(Cpu, &One);
  if (pthread_setaffinity_np(pthread_self(), sizeof One, &One) != 0)
    fprintf(stderr, "designs: error: cannot bind a thread\n"), exit(1);
}

static Descriptor Pool[32]; // no task is made again while it is being read

/// Takes \p Count tasks as they come. \returns the ticks that each took.
template <class Design>
static std::vector<double> consume(Design &Way, std::atomic<long> &Done,
                                   long Count) {
  std::vector<double> Times;
  for (long I = 0; I < Count;) {
    auto *Found = reinterpret_cast<Descriptor *>(Way.take());
    if (!Found)
      continue;
    uint64_t All = 0;
    for (uint64_t &Word : Found->Words)
      All += Word;
    const uint64_t Made = Found->Words[0], Now = ticks();
    if (All != Made * Found->Words.size())
      fprintf(stderr, "designs: a task that was not whole\n"), exit(1);
    Times.push_back(double(Now - Made));
    Found->Words.fill(Now); // as running a task writes to its descriptor
    Done.store(++I, std::memory_order_release);
  }
  return Times;
}

/// Nanoseconds from making to reading, of \p Count tasks \p Pause ns apart.
template <class Design> static void handOver(long Count, double Pause) {
  static Design Way;
  alignas(64) std::atomic<long> Done{0};
  std::vector<double> Times;
  std::thread Consumer([&] {
    bindTo(1);
    Times = consume(Way, Done, Count);
  });
  for (long I = 0; I < Count; ++I) {
    const uint64_t Start = ticks();
    while (double(ticks() - Start) < Pause * TicksPerNanosecond)
      ;
    Descriptor &Made = Pool[size_t(I) % std::size(Pool)];
    Made.Words.fill(ticks());
    Way.push(reinterpret_cast<Task *>(&Made));
    while (Done.load(std::memory_order_acquire) <= I)
      ;
  }
  Consumer.join();
  std::sort(Times.begin(), Times.end());
  printf("%-32s ns_handover %.0f ns_handover_90 %.0f\n", Design::Name,
         Times[Times.size() / 2] / TicksPerNanosecond,
         Times[Times.size() * 9 / 10] / TicksPerNanosecond);
}

/// Nanoseconds of a push and a pop while nobody else looks; the least of five.
template <class Design> static void alone(const char *Name, long Count) {
  static Design Way;
  uint64_t Best = UINT64_MAX;
  for (int Round = 0; Round < 5; ++Round) {
    const uint64_t Start = nanoseconds();
    for (long I = 0; I < Count; ++I) {
      Way.push(reinterpret_cast<Task *>(&Pool[0]));
      if (!Way.pop())
        fprintf(stderr, "designs: a task is lost\n"), exit(1);
    }
    Best = std::min(Best, nanoseconds() - Start);
  }
  printf("%-32s ns_alone %.1f\n", Name, double(Best) / double(Count));
}

int main(int argc, char **argv) {
  const long Count = argc > 1 ? atol(argv[1]) : 20000;
  const double Pause = argc > 2 ? atof(argv[2]) : 1000;
  if (Count < 1 || !(Pause >= 0)) {
    fprintf(stderr, "usage: designs [TASKS [NANOSECONDS BETWEEN THEM]]\n");
    return 2;
  }
  pthread_getaffinity_np(pthread_self(), sizeof Allowed, &Allowed);
  if (CPU_COUNT(&Allowed) < 2) {
    fprintf(stderr, "designs: error: takes two processors\n");
    return 2;
  }
  setvbuf(stdout, nullptr, _IOLBF, 0);
  findTickLength();
  bindTo(0);
  handOver<OwnDeque>(Count, Pause);
  handOver<LockedQueue>(Count, Pause);
  handOver<HungrySlot>(Count, Pause);
  alone<OwnDeque>(OwnDeque::Name, 50 * Count);
  alone<LockedQueue>(LockedQueue::Name, 50 * Count);
  return 0;
}
