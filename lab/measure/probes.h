//===- measure/probes.h - What a machine takes, measured --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_MEASURE_PROBES_H
#define LOCUS_LAB_MEASURE_PROBES_H

#include <functional>
#include <hwloc.h>
#include <stddef.h>
#include <vector>

namespace locus::lab {

/// The machine that we run on. Figures are the best of a few tries.
class ThisMachine {
public:
  /// Throws std::runtime_error if hwloc fails.
  ThisMachine();
  ~ThisMachine();
  ThisMachine(const ThisMachine &) = delete;
  ThisMachine &operator=(const ThisMachine &) = delete;

  hwloc_topology_t hwloc() const { return Made; }
  int numProcessors() const { return int(Processors.size()); }
  int numNodes() const { return NumNodes; }
  int nodeOf(int Processor) const { return Nodes[size_t(Processor)]; }
  /// Those on \p Node.
  std::vector<int> processorsOf(int Node) const;
  /// Whether both are below the same object of \p Type.
  bool share(hwloc_obj_type_t Type, int A, int B) const;

  /// Runs \p Body(I) on \p On[I], all at the same time. The seconds from the
  /// moment when all are ready until the last one has ended.
  double together(const std::vector<int> &On,
                  const std::function<void(size_t)> &Body) const;
  /// \p Bytes of memory on \p Node, touched.
  void *memoryOn(int Node, size_t Bytes) const;
  void release(void *Memory, size_t Bytes) const;

private:
  hwloc_topology_t Made;
  std::vector<hwloc_obj_t> Processors;
  std::vector<int> Nodes;
  int NumNodes = 0;
};

/// ns until processor \p B has a line that \p A wrote: half of a round trip.
double lineNs(const ThisMachine &M, int A, int B);
/// ns of a load from memory of \p Node on \p Processor that nothing hides.
double memoryNs(const ThisMachine &M, int Node, int Processor);
/// GB/s that \p Readers read together from memory of \p Node.
double readGBs(const ThisMachine &M, int Node, const std::vector<int> &Readers);
/// How much longer a written byte takes than a read one.
double writeFactor(const ThisMachine &M, int Node, int Processor);
/// GB/s of one processor from \p Bytes that it has just read.
double cacheGBs(const ThisMachine &M, int Processor, size_t Bytes);

/// Of one processor.
double gigahertz();
/// Of multiplications and additions of vectors without memory, less a tenth.
double gigaflops();
/// ns of a fixed piece of the kind of code that schedulers are.
double instructionsNs();
/// instructionsNs() of the machine on which Costs was measured.
constexpr double ReferenceInstructionsNs = 1.19;

double lockedNs();
double fenceNs();
double yieldNs();
struct WakeTimes {
  double Waker, Latency; ///< ns
};
/// Between processors 0 and \p Other.
WakeTimes wakeTimes(const ThisMachine &M, int Other);

} // namespace locus::lab

#endif // LOCUS_LAB_MEASURE_PROBES_H
