//===- machine/topology.h - The NUMA nodes of this machine ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A read-only view of the machine as hwloc reports it: which OS node each CPU
// belongs to and how far nodes are from each other. "OS node" and "OS CPU" are
// the kernel's numbers; a team's own are those of machine/team_shape.h.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_TOPOLOGY_H
#define LOCUS_MACHINE_TOPOLOGY_H

#include "locus/support/check.h"

#include <stdint.h>
#include <string.h>

struct hwloc_topology;

namespace locus {

/// OS node numbers are below this; Linux' MAX_NUMNODES is 1024.
constexpr int MaxOsNodes = 1024;

/// A set of OS nodes.
class NodeSet {
public:
  void add(int OsNode) {
    if (OsNode >= 0 && OsNode < MaxOsNodes)
      Bits[OsNode / 64] |= uint64_t(1) << (OsNode % 64);
  }
  bool contains(int OsNode) const {
    return OsNode >= 0 && OsNode < MaxOsNodes &&
           (Bits[OsNode / 64] >> (OsNode % 64) & 1);
  }
  /// How many nodes the set has.
  int size() const {
    int Count = 0;
    for (uint64_t Word : Bits)
      Count += __builtin_popcountll(Word);
    return Count;
  }
  /// The member with \p Rank smaller members; -1 where there is none.
  int at(int Rank) const {
    for (int Word = 0; Word < MaxOsNodes / 64; ++Word) {
      uint64_t Left = Bits[Word];
      int Count = __builtin_popcountll(Left);
      if (Rank >= Count) {
        Rank -= Count;
        continue;
      }
      for (; Rank > 0; --Rank)
        Left &= Left - 1;
      return Word * 64 + __builtin_ctzll(Left);
    }
    return -1;
  }

  /// The nodes that are in both.
  NodeSet operator&(const NodeSet &Other) const {
    NodeSet Both;
    for (int I = 0; I < MaxOsNodes / 64; ++I)
      Both.Bits[I] = Bits[I] & Other.Bits[I];
    return Both;
  }

  bool operator==(const NodeSet &Other) const {
    return memcmp(Bits, Other.Bits, sizeof(Bits)) == 0;
  }

  /// As the kernel has sets of nodes, which takes one from the number of bits.
  unsigned long *mask() { return Bits; }
  static constexpr unsigned long MaskBits = MaxOsNodes + 1;

private:
  uint64_t Bits[MaxOsNodes / 64] = {};
};

/// The kinds of hwloc objects that group a team's threads, from fine to coarse.
enum class Level : uint8_t { Thread, Core, L3, Numa, Package, Machine };
constexpr int NumLevels = int(Level::Machine) + 1;
/// A team may have this many groupings beside those, see Hierarchy::cut(): the
/// I-th is Level(NumLevels + I). 8192 threads can be halved so often.
constexpr int MaxCuts = 12;
constexpr Level FirstCut = Level(NumLevels); ///< the first of them
constexpr int NumGroupings = NumLevels + MaxCuts;

/// OpenMP's memory spaces that are a matter of the memory itself.
enum class MemorySpace : uint8_t { LargeCapacity, HighBandwidth, LowLatency };
constexpr int NumMemorySpaces = int(MemorySpace::LowLatency) + 1;

/// The machine. Immutable once loaded, so all members may be called from any
/// thread without synchronization.
class Topology {
public:
  constexpr Topology() = default;
  Topology(const Topology &) = delete;
  Topology &operator=(const Topology &) = delete;

  /// The topology of this process, read by hwloc in the first call (tens of
  /// milliseconds); later calls cost one load. HWLOC_SYNTHETIC and
  /// HWLOC_XMLFILE are honoured. Where hwloc fails, a warning is printed once
  /// and the machine looks like one node, number 0.
  static const Topology &get();

  /// False if this machine has one node for certain. Costs almost nothing, so
  /// that programs that ask nothing of us never wait for get().
  static bool mayHaveNodes();

  /// The level of hwloc's type \p Name in hwloc's spelling of any case, such as
  /// "socket"; FirstCut for a type that is none of the levels, such as "group",
  /// "die", "l2". False if hwloc knows no such type of objects that have CPUs.
  static bool parseType(const char *Name, Level &L);

  /// For all later calls of load(), get()'s included: the objects of type
  /// \p Name, of which parseType() says FirstCut, are wanted. A null pointer:
  /// none. Where a machine has several levels of groups, "group" means the
  /// outermost, "group0", "group1", ... a certain one. Not for two threads at
  /// once.
  static void wantObjects(const char *Name);

  /// Whether the machine has objects of the type that is wanted now,
  /// and has read them: not if another type was wanted when it was loaded.
  bool hasWantedObjects() const;

  /// Reads the machine that \p Synthetic describes (hwloc's syntax), or this
  /// one if it is null. Returns false where hwloc can't; the object is then
  /// the one-node machine. For get() and for tests.
  bool load(const char *Synthetic);

  /// False for a synthetic or imported topology: CPU numbers of this process
  /// then mean nothing, and threads take the CPUs of the topology in order.
  bool isThisSystem() const { return ThisSystem; }

  /// How many NUMA nodes the machine has, those without CPUs included.
  int numNodes() const { return NumNodes; }

  /// How many OS CPUs cpuAt() knows.
  int numCpus() const { return NumCpus; }

  /// The OS CPU with logical index \p Index (0 <= Index < numCpus()).
  int cpuAt(int Index) const {
    LOCUS_CHECK(Index >= 0 && Index < NumCpus);
    return CpuOrder[Index];
  }

  /// The OS node of \p OsCpu; -1 for a CPU that hwloc does not show.
  int nodeOfCpu(int OsCpu) const {
    return OsCpu >= 0 && OsCpu < MaxCpus ? CpuNode[OsCpu] : -1;
  }

  /// The logical index of the object at \p L that \p OsCpu belongs to; -1 if
  /// the machine has none there, or hwloc does not show the CPU. Level::Thread
  /// counts as the CPU itself, FirstCut as the type that is wanted.
  int objectOfCpu(Level L, int OsCpu) const {
    return OsCpu >= 0 && OsCpu < MaxCpus ? Objects[int(L)][OsCpu] : -1;
  }

  /// All OS nodes, with or without CPUs.
  NodeSet nodes() const;

  /// The OS nodes that have CPUs.
  NodeSet nodesWithCpus() const;

  /// The OS nodes, with or without CPUs, whose memory is of this kind, by
  /// hwloc's memory attributes as seen from near CPUs: at least half of the
  /// largest capacity, at least half of the highest bandwidth, at most a
  /// quarter more than the lowest latency. Kinds of memory differ by more than
  /// that, and nodes of one kind by less. Empty if the machine does not say.
  NodeSet nodesOf(MemorySpace Space) const { return Spaces[int(Space)]; }

  /// The relative distance from OS node \p From to \p To in the firmware's
  /// units (10 = local); 10 or 20 where the machine does not say.
  unsigned distance(int From, int To) const;

private:
  static constexpr int MaxCpus = 8192;

  void setOneNode();
  bool read(hwloc_topology *Machine);
  void forgetAll();
  void readCpus(hwloc_topology *Machine);
  void readWanted(hwloc_topology *Machine);
  void readNodes(hwloc_topology *Machine);

  bool ThisSystem = true;
  int NumNodes = 0;
  int NumCpus = 0;
  int16_t CpuNode[MaxCpus] = {};
  int16_t CpuOrder[MaxCpus] = {};
  int16_t Objects[int(FirstCut) + 1][MaxCpus] = {}; ///< above each CPU
  char WantedType[32] = ""; ///< that of the FirstCut objects; empty for none
  NodeSet Spaces[NumMemorySpaces];
  int16_t NodeRank[MaxOsNodes] = {}; ///< row in Distance, -1 for no such node
  uint32_t *Distance = nullptr;      ///< NumNodes x NumNodes, null if not known
};

} // namespace locus

#endif // LOCUS_MACHINE_TOPOLOGY_H
