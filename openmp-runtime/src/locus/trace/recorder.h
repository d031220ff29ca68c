//===- trace/recorder.h - A record of what tasks did ------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KMP_TASK_TRACE: each thread records events in a buffer of its own, without
// any lock, and writes it to the file when it is full. While there is no trace
// an event costs one predicted branch. PROOF.md has the argument.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TRACE_RECORDER_H
#define LOCUS_TRACE_RECORDER_H

#include "locus/trace/format.h"

#include <atomic>
#include <stddef.h>

namespace locus {

// A trace asks the kernel where data is.
/// So often for each thread in any case: a short program is known as a whole.
constexpr unsigned TraceFreeQuestions = 256;
/// Then the answers take at most one of so many parts of the thread's time.
constexpr unsigned TraceQuestionShare = 50;
/// An answer that took longer, in ns, was held up by something else.
constexpr unsigned TraceQuestionMost = 50000;

/// The trace of the process.
class Trace {
public:
  /// Whether events are recorded.
  static bool enabled() {
    return __builtin_expect(Enabled.load(std::memory_order_relaxed), 0);
  }

  /// Records from now on, to the file that \p Pattern names: nameFile(). False,
  /// after a warning, if that cannot be, or if there has been a trace before.
  /// Not for two threads at once, nor when tasks have been created.
  ///
  /// A forked child writes a file of its own from its first task on, with its
  /// number in the name.
  static bool enable(const char *Pattern);

  /// Ends the trace: what the threads have recorded is in the file.
  static void finish();

  /// Records an event of the calling thread, now. The first one of a thread
  /// allocates its buffer; one in some 2000 writes it to the file.
  static void record(Event Kind, uint32_t Task, uint8_t Flags = 0,
                     uint16_t Thread = NoThread, uint64_t Data = 0,
                     uint32_t A = 0, uint32_t B = 0);

  /// Forgets the event that the calling thread has just recorded.
  static void takeBack();

  /// A number for a task, region or implicit task.
  static uint32_t newNumber();

  /// The number of the text \p Text, which lives as long as the program; 0 for
  /// null, or if there are too many. Writes it to the file the first time that
  /// it is asked for.
  static uint32_t nameOf(const char *Text);

  /// Writes \p Bytes bytes at \p Text as a chunk of kind \p Kind.
  static void writeText(ChunkKind Kind, uint32_t Number, const char *Text,
                        size_t Bytes);

  /// The calling thread looks for a task in vain, or has stopped to look. Says
  /// so once.
  static void noteSearch(bool Searches);

  /// Whether the calling thread may ask the kernel something for the trace: so
  /// seldom that it hardly costs. It says by hasAsked() when it began.
  static bool mayAsk();
  static void hasAsked(uint64_t Began);

  /// A task was stolen; \p Closeness is a Level, \p Victim a team thread number
  /// or, with \p FromNode, a team node.
  static void noteSteal(int Closeness, int Victim, bool FromNode = false) {
    if (enabled())
      record(Event::Steal, 0, uint8_t(Closeness), NoThread, FromNode,
             uint32_t(Victim));
  }

  /// The calling thread has decided that there are \p Now shared lists where
  /// there were \p Before, as of the threads' time \p Access thousandths went
  /// into access to them and \p Idle into waiting.
  static void noteLists(int Before, int Now, uint32_t Access, uint32_t Idle) {
    if (enabled())
      record(Event::Lists, 0, 0, NoThread, uint64_t(Access) << 32 | Idle,
             uint32_t(Now), uint32_t(Before));
  }

private:
  static void stop();

  // Hidden: read at one place after the other, without the table of addresses.
  __attribute__((visibility("hidden"))) static std::atomic<bool> Enabled;
};

} // namespace locus

#endif // LOCUS_TRACE_RECORDER_H
