//===- machine.h - The simulated machine ------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the laboratory knows of a machine. Every figure has a unit, and its
// source is in the machine's file (lab/machines). GB are 10^9 bytes.
//
// Numbers: a "processor" is a PU by hwloc's logical index; a "node" a NUMA node
// by logical index, which is the OS node of the simulated system; an "L3" a
// group of processors with one last-level cache.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_MACHINE_H
#define LOCUS_LAB_MACHINE_H

#include <stdint.h>
#include <string>
#include <vector>

namespace locus::lab {

/// More cannot be simulated.
constexpr int MaxProcessors = 256;
/// Of machines whose file names no other size.
constexpr uint64_t UsualPageBytes = 4096;

/// What an instruction of the scheduler costs, and what libomp does around it.
/// Nanoseconds, unless the name says otherwise.
struct Costs {
  /// A load or store of the scheduler that hits the first-level cache, with the
  /// other instructions that come with it: the mean over the scheduler's code.
  double AccessNs = 0.22;
  /// A locked instruction on a line that the processor has alone, beside
  /// AccessNs.
  double LockedNs = 5;
  /// A full fence with nothing to wait for.
  double FenceNs = 8;
  /// Stores that a processor has on their way before it has to wait.
  int StoreBuffer = 56;
  /// How long a reader of a line that others have keeps the next reader
  /// waiting. (A writer keeps it for the whole transfer.)
  double ShareNs = 5;
  double PauseNs = 40;   ///< the pause instruction, in the mean: it takes up to
                         ///< half as much more or less
  double YieldNs = 400;  ///< sched_yield with nobody else to run
  double ClockNs = 20;   ///< clock_gettime
  double TicksPerNs = 1; ///< of the time stamp counter
  double RdtscNs = 8;    ///< to read it
  double SleepNs = 3000; ///< to fall asleep: futex
  double WakeNs = 2000;  ///< of who wakes a thread
  double WakeUpNs = 5000;   ///< until the woken one runs
  double PageQueryNs = 600; ///< move_pages, for each page that it is asked of
  double PageFaultNs = 500; ///< the first touch of a page
  /// libomp's and the compiled code's own instructions, which are no memory
  /// accesses of the simulated scheduler, without cache misses:
  double CreateNs = 8;    ///< to allocate and fill in a task
  double DependNs = 1;    ///< to hand over one item of a depend clause
  double InvokeNs = 5;    ///< to begin and end a task
  double InPlaceNs = 0.7; ///< a task in place, instead of these two
  double ReplayNs = 2;    ///< a task of a graph, not queued
  double WaitNs = 3;      ///< a taskwait that finds nothing to wait for
  double RoundNs = 4;     ///< a round of a wait loop, around the search
};

/// A connection that flows share, or the memory of a node.
struct Link {
  std::string Name;
  double GBs; ///< at most, of all flows together
};

struct Machine {
  std::string Name;
  /// For the scheduler: hwloc's synthetic syntax, or the XML that hwloc reads.
  std::string Synthetic, Xml;

  //===--------------------------------------------------------------------===//
  // Shape; filled in by fromTopology()
  //===--------------------------------------------------------------------===//
  int NumNodes = 0;
  std::vector<int> NodeOf;    ///< by processor
  std::vector<int> L3Of;      ///< by processor
  std::vector<int> CoreOf;    ///< by processor
  std::vector<int> PackageOf; ///< by processor
  int numProcessors() const { return int(NodeOf.size()); }

  //===--------------------------------------------------------------------===//
  // Cache lines: nanoseconds until a processor has a line that another one
  // wrote last
  //===--------------------------------------------------------------------===//
  double CoreLineNs = 5; ///< of the same core
  double L3LineNs = 30;  ///< of the same L3
  /// By the node of who has it and of who wants it: NumNodes x NumNodes. The
  /// diagonal is for another L3 of the same node.
  std::vector<double> NodeLineNs;
  /// From memory, by the node of the memory and of the processor.
  std::vector<double> MemoryNs;

  //===--------------------------------------------------------------------===//
  // Bandwidth
  //===--------------------------------------------------------------------===//
  /// Of one processor alone, GB/s, by the node of the memory and of the
  /// processor: NumNodes x NumNodes.
  std::vector<double> ProcessorGBs;
  std::vector<Link> Links;
  /// The links that a flow from the row's node to the column's goes over, the
  /// memory of the row's node included: NumNodes x NumNodes lists of indices.
  std::vector<std::vector<int>> Paths;
  /// Bytes that move for each byte that a task writes, in proportion to one
  /// that it reads: 2 where a line is read before it is written and later
  /// written back, and bandwidths are those of reads.
  double WriteFactor = 1;

  //===--------------------------------------------------------------------===//
  // Caches and pages
  //===--------------------------------------------------------------------===//
  double L3Bytes = 0;                  ///< of each L3; 0: none
  double L3GBs = 10;                   ///< of one processor from its L3
  uint64_t PageBytes = UsualPageBytes; ///< of placement; a power of two

  Costs Cost;

  /// Nanoseconds until \p To has a line that \p From has.
  double lineNs(int From, int To) const {
    return CoreOf[From] == CoreOf[To] ? CoreLineNs
           : L3Of[From] == L3Of[To]
               ? L3LineNs
               : NodeLineNs[size_t(NodeOf[From]) * NumNodes + NodeOf[To]];
  }
  size_t pair(int Row, int Column) const {
    return size_t(Row) * size_t(NumNodes) + size_t(Column);
  }

  /// Fills in the shape by Synthetic or Xml, and tables that are empty: each
  /// node with memory of \p NodeGBs, \p CoreGBs for each processor, and
  /// \p RemoteFactor of both between nodes; \p LineNs within a node, twice as
  /// much between nodes; \p MemNs from memory, twice as much between nodes.
  /// Throws std::invalid_argument if hwloc cannot read it.
  void fromTopology(double NodeGBs = 20, double CoreGBs = 8,
                    double RemoteFactor = 0.5, double LineNs = 60,
                    double MemNs = 90);
  /// Throws std::invalid_argument, with a text for the user, if the machine is
  /// impossible.
  void check() const;
};

/// A machine of \p Nodes x \p Cores for tests, with the defaults above, one L3
/// of \p L3Bytes for each node.
Machine simpleMachine(int Nodes, int Cores, double L3Bytes = 0);

} // namespace locus::lab

#endif // LOCUS_LAB_MACHINE_H
