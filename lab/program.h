//===- program.h - A program that the laboratory runs -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a simulated program may do, and what is known of its run. Programs
// (lab/programs) are written against this; contenders (lab/host,
// lab/contenders) carry them out, each in its own way.
//
// Times are virtual. Addresses are those of a simulated address space, of which
// each program may use all from 2^32 to 2^47; nothing is stored there.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_PROGRAM_H
#define LOCUS_LAB_PROGRAM_H

#include <functional>
#include <stddef.h>
#include <stdint.h>
#include <string>
#include <vector>

namespace locus::lab {

struct Machine;

/// Memory that a task reads, or reads and writes.
struct Range {
  uint64_t Address, Bytes;
  bool Writes;
};

/// OpenMP's dependence types.
enum class DepKind : uint8_t { In, Out, InOut, MutexInOutSet, InOutSet };
struct Depend {
  uint64_t Address;
  DepKind Kind;
};

/// The clause `affinity(thread|node|data: Value[, strict])`; for Data, Value is
/// an address and Bytes the size of what is there (0: not known).
enum class HintKind : uint8_t { None, Thread, Node, Data };
struct Hint {
  HintKind Kind = HintKind::None;
  uint64_t Value = 0, Bytes = 0;
  bool Strict = false;
};

class Context;

/// A task to create.
struct TaskSpec {
  /// Runs on the simulated thread that takes the task. Copied at creation.
  std::function<void(Context &)> Body;
  std::vector<Depend> Depends;
  Hint Affinity;
  uint32_t Construct = 0; ///< index into Program::Constructs
  /// Compiled code may run it in place: it has no clause that forbids that.
  /// (With dependences it may in any case, if they are fulfilled.)
  bool MayRunInPlace = false;
};

/// What a running task or implicit task may do. Each call costs virtual time.
class Context {
public:
  virtual ~Context() = default;
  /// Computes for \p Ns nanoseconds without memory.
  virtual void compute(double Ns) = 0;
  /// Computes for \p ComputeNs nanoseconds and moves \p N ranges meanwhile: it
  /// takes as long as the longer of the two. Pages that nobody has touched go
  /// to the node of the calling thread.
  virtual void access(const Range *R, size_t N, double ComputeNs) = 0;
  virtual void create(const TaskSpec &Spec) = 0;
  /// Waits for the children of the current task.
  virtual void taskwait() = 0;
  /// The construct of OpenMP 6.0: what \p Body creates, which is the same each
  /// time for the same \p Id, is complete at its end. Who has no graphs runs
  /// the body.
  virtual void taskgraph(uint64_t Id,
                         const std::function<void(Context &)> &Body) {
    (void)Id;
    Body(*this);
    taskwait();
  }
  /// Waits for all threads and all tasks. Of implicit tasks only.
  virtual void barrier() = 0;
  virtual int thread() const = 0;     ///< its number in the team
  virtual int numThreads() const = 0; ///< of the team
  virtual int node() const = 0;       ///< the team node of this thread
  virtual int numNodes() const = 0;   ///< that the team's threads are on
  virtual double now() const = 0;     ///< nanoseconds since the run began
  /// Bytes \p Bytes from \p Address on go to OS node \p Node, as by
  /// omp_alloc or mbind; costs nothing. Before their first touch.
  virtual void place(uint64_t Address, uint64_t Bytes, int Node) = 0;
};

/// A program of one parallel region.
struct Program {
  std::string Name;
  std::vector<std::string> Constructs;
  /// Run by each thread of the team; thread() == 0 stands for `single`. A
  /// barrier follows.
  std::function<void(Context &)> ImplicitTask;
};

/// How to run it.
struct RunOptions {
  /// One on each of the first so many processors by hwloc's logical order; 0:
  /// on all.
  int Threads = 0;
  /// If not empty: the processors of the threads 0, 1, ...
  std::vector<int> Processors;
  /// Who schedules: `ours` is the core; see contenders().
  std::string Contender = "ours";
  /// Environment variables as OpenMP programs get them: KMP_TASK_QUEUES,
  /// KMP_TASK_TUNING, ... Which, is up to the contender.
  std::vector<std::pair<std::string, std::string>> Settings;
  /// Hints count; without, the clause is ignored.
  bool UseHints = true;
  /// For what a scheduler draws.
  uint64_t Seed = 1;
  /// A run that takes longer in virtual time is given up, with what was known;
  /// in seconds.
  double MostSeconds = 1e4;
  /// If not null: called at the end of each task, for conservation and traces.
  std::function<void(const struct TaskRecord &)> OnTask;
};

/// One execution of a task.
struct TaskRecord {
  uint64_t Number; ///< in the order of creation, from 1 on
  uint32_t Construct;
  int Thread;
  double Created, Begin, End; ///< ns; includes what ran on top of it
  bool InPlace, IsHome;       ///< IsHome: most of its bytes were near
};

/// Where a thread's time went, in seconds. The parts sum up to the run's time.
struct ThreadResult {
  uint64_t Tasks = 0;   ///< that it ran, those in place included
  uint64_t Created = 0; ///< that it created
  double Working = 0;   ///< in task bodies: computing and memory
  double Creating = 0;  ///< in the creation of tasks
  double Ending = 0;    ///< in the end of tasks: what it releases
  double Searching = 0; ///< for a task, in vain or not
  double Waiting = 0;   ///< for memory moved by others: lines in use
  double Sleeping = 0;
  double Other = 0; ///< barriers and the start of the region
};

struct Result {
  double Seconds = 0;     ///< virtual
  bool IsComplete = true; ///< false: given up; Why says why
  std::string Why;
  std::vector<ThreadResult> Threads;
  uint64_t Tasks = 0, InPlace = 0;
  uint64_t Hinted = 0; ///< tasks with a hint that counts, or with memory
  uint64_t AtHome = 0; ///< of these, run on the node with most of their bytes
  /// Bytes moved from the row's OS node to the column's; caches move none.
  std::vector<std::vector<double>> BytesMoved;
  double BytesFromCache = 0;
  /// Steals by distance: core, L3, NUMA node, package, machine.
  uint64_t Steals[5] = {};
  uint64_t EmptySearches = 0;
  uint64_t LinesMoved = 0;    ///< cache lines between processors
  double LineWaitSeconds = 0; ///< for lines in use, in all threads
  uint64_t Wakes = 0;
  uint64_t Steps = 0; ///< of the simulation: operations that were ordered
  /// Counters of the contender's own, by name.
  std::vector<std::pair<std::string, double>> Counters;
};

/// Runs \p P on \p M. Throws std::invalid_argument, with a text for the user,
/// for options that cannot be.
Result run(const Machine &M, const RunOptions &Options, const Program &P);

/// The names that RunOptions::Contender may have.
std::vector<std::string> contenders();

} // namespace locus::lab

#endif // LOCUS_LAB_PROGRAM_H
