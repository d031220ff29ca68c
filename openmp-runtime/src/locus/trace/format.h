//===- trace/format.h - What a trace file consists of -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is a contract with tools/locus-trace and whatever else reads
// traces: FORMAT.md says what may change. All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TRACE_FORMAT_H
#define LOCUS_TRACE_FORMAT_H

#include <stdint.h>

namespace locus {

/// Another major number: old readers cannot read the file. Another minor one:
/// there are kinds of records, chunks or flags more, which readers skip. 1.2 is
/// what locus-trace merge writes.
constexpr uint16_t TraceMajor = 1, TraceMinor = 3;

/// The first bytes of a file.
struct TraceHeader {
  char Magic[8] = {'L', 'O', 'C', 'U', 'S', 'T', 'R', 'C'};
  uint16_t Major = TraceMajor, Minor = TraceMinor;
  uint16_t HeaderBytes = 64; ///< the first chunk begins here
  uint16_t RecordBytes = 32;
  uint32_t Process = 0;
  int32_t Rank = -1;      ///< of MPI, -1 if the launcher names none
  uint64_t StartTime = 0; ///< CLOCK_MONOTONIC in ns, as all times of records
  uint64_t WallTime = 0;  ///< CLOCK_REALTIME in ns at the same moment
  uint32_t Parent = 0; ///< of a forked child, the process that forked; else 0
  uint32_t Reserved[5] = {};
};
static_assert(sizeof(TraceHeader) == 64, "as the readers have it");

/// What a chunk holds.
enum class ChunkKind : uint16_t {
  Events = 1,  ///< records of one thread, in the order of their times
  Name = 2,    ///< a number (4 bytes) and the text that it stands for
  Machine = 3, ///< JSON: where the program runs, and under which settings
  End = 4      ///< the program has ended, and nothing follows; no bytes
};

/// In front of each chunk.
struct ChunkHeader {
  uint32_t Magic = 0x4b4e4843; ///< "CHNK"
  ChunkKind Kind = ChunkKind::Events;
  uint16_t Reserved = 0;
  uint32_t Bytes = 0;    ///< of what follows, without what pads it to 8 bytes
  uint32_t Sequence = 0; ///< 0, 1, ... for the chunks of one writer
  uint32_t Writer = 0;   ///< a number for each thread, from 1 on; 0 for others
  uint32_t OsThread = 0; ///< the kernel's number of that thread
  uint64_t Reserved2 = 0;
};
static_assert(sizeof(ChunkHeader) == 32, "as the readers have it");

/// What a record says. "Task" is the field TraceRecord::Task; A, B, Data and
/// Flags are fields, too. FORMAT.md has the table.
enum class Event : uint8_t {
  Region = 1,
  RegionEnd = 2,
  Implicit = 3,
  ImplicitEnd = 4,
  Create = 5,
  Hint = 6,
  Depend = 7,
  Ready = 8,
  Start = 9,
  End = 10,
  Drop = 11,
  Steal = 12,
  Wait = 13,
  WaitEnd = 14,
  Search = 15,
  SearchEnd = 16,
  Sleep = 17,
  Awake = 18,
  Wake = 19,
  DataNode = 20,
  Flush = 21,
  DependNode = 22,
  Lists = 23
};

/// Flags of Create.
enum CreateFlags : uint8_t {
  CreatedUntied = 1,
  CreatedFinal = 2,
  CreatedUndeferred = 4, ///< runs on the thread that creates it, at once
  CreatedDetachable = 8,
  CreatedCopy = 16, ///< by a taskloop
  CreatedTarget = 32,
  CreatedPriority = 64
};

/// Flags of Start.
enum StartFlags : uint8_t {
  StartUndeferred = 1,
  StartUnbound = 2 ///< some thread of the team may run on several nodes
};

/// Where a ready task is put: the low bits of the flags of Ready.
enum class ReadyWhere : uint8_t {
  Own = 0,       ///< in the list of the thread that makes it ready
  OnThread = 1,  ///< in a queue of thread A
  OnNode = 2,    ///< in a queue of team node A
  Throttled = 3, ///< nowhere: it runs at once
  Libomp = 4     ///< in libomp's own lists
};
constexpr uint8_t ReadyWhereMask = 0x0f;
constexpr uint8_t ReadyStrict = 0x40;  ///< nobody else may run it
constexpr uint8_t ReadyForeign = 0x80; ///< by a thread of another team

/// Who gave a task its hint: B of Hint.
enum class HintSource : uint8_t {
  Clause = 1,
  Api = 2,
  List = 3,    ///< the standard affinity clause
  Depend = 4,  ///< what the task writes by its depend clauses
  Inferred = 5 ///< a node, from that
};
constexpr uint8_t HintStrict = 0x80; ///< in Flags, beside the kind

/// What a thread waits for: Flags of Wait and WaitEnd.
enum class WaitFor : uint8_t {
  Children = 1,     ///< taskwait
  Group = 2,        ///< the end of a taskgroup
  Barrier = 3,      ///< not that at the end of a region
  Predecessors = 4, ///< taskwait depend, or an undeferred task's
  Others = 5        ///< it has created too many tasks with dependences
};

constexpr uint16_t NoThread = 0xffff;
constexpr uint32_t NoNode = 0xffffffff;

struct TraceRecord {
  uint64_t Time; ///< CLOCK_MONOTONIC in ns
  Event Kind;
  uint8_t Flags;
  uint16_t Thread; ///< team thread number, or NoThread
  uint32_t Task;   ///< 1, 2, ...; 0 if it is not known
  uint64_t Data;
  uint32_t A;
  uint32_t B;
};
static_assert(sizeof(TraceRecord) == 32, "as the readers have it");

} // namespace locus

#endif // LOCUS_TRACE_FORMAT_H
