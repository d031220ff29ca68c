//===- machine/machine.cpp - The simulated machine ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine.h"

#include <hwloc.h>
#include <stdexcept>

namespace locus::lab {

namespace {
/// hwloc's view of a machine.
class HwlocTopology {
public:
  explicit HwlocTopology(const Machine &M) {
    if (hwloc_topology_init(&Made) != 0)
      throw std::runtime_error("hwloc cannot begin");
    const bool IsXml = !M.Xml.empty();
    const int Failed =
        IsXml ? hwloc_topology_set_xml(Made, M.Xml.c_str())
              : hwloc_topology_set_synthetic(Made, M.Synthetic.c_str());
    if (Failed != 0 || hwloc_topology_load(Made) != 0) {
      hwloc_topology_destroy(Made);
      throw std::invalid_argument(
          (IsXml ? "hwloc cannot read the XML file " + M.Xml
                 : "hwloc cannot read the machine '" + M.Synthetic + "'"));
    }
  }
  ~HwlocTopology() { hwloc_topology_destroy(Made); }
  HwlocTopology(const HwlocTopology &) = delete;
  HwlocTopology &operator=(const HwlocTopology &) = delete;

  int count(hwloc_obj_type_t Type) const {
    return hwloc_get_nbobjs_by_type(Made, Type);
  }
  hwloc_obj_t processor(int Index) const {
    return hwloc_get_obj_by_type(Made, HWLOC_OBJ_PU, unsigned(Index));
  }
  /// The logical index of the object of \p Type around \p Of; -1: none.
  static int above(hwloc_obj_t Of, hwloc_obj_type_t Type) {
    for (; Of; Of = Of->parent)
      if (Of->type == Type)
        return int(Of->logical_index);
    return -1;
  }
  int nodeOf(hwloc_obj_t Of) const {
    for (int N = 0; N < count(HWLOC_OBJ_NUMANODE); ++N) {
      hwloc_obj_t Node =
          hwloc_get_obj_by_type(Made, HWLOC_OBJ_NUMANODE, unsigned(N));
      if (hwloc_bitmap_isset(Node->cpuset, Of->os_index))
        return N;
    }
    return 0;
  }

private:
  hwloc_topology_t Made;
};
} // namespace

/// \p Table gets \p Diagonal within a node and \p Else between nodes, unless it
/// has something.
static void fill(std::vector<double> &Table, int NumNodes, double Diagonal,
                 double Else) {
  if (!Table.empty())
    return;
  Table.assign(size_t(NumNodes) * size_t(NumNodes), Else);
  for (int N = 0; N < NumNodes; ++N)
    Table[size_t(N) * size_t(NumNodes) + size_t(N)] = Diagonal;
}

void Machine::fromTopology(double NodeGBs, double CoreGBs, double RemoteFactor,
                           double LineNs, double MemNs) {
  const HwlocTopology T(*this);
  NumNodes = T.count(HWLOC_OBJ_NUMANODE);
  NodeOf.clear(), L3Of.clear(), CoreOf.clear(), PackageOf.clear();
  const int NumL3 = T.count(HWLOC_OBJ_L3CACHE);
  for (int P = 0; P < T.count(HWLOC_OBJ_PU); ++P) {
    const hwloc_obj_t Pu = T.processor(P);
    const int Core = T.above(Pu, HWLOC_OBJ_CORE);
    const int Package = T.above(Pu, HWLOC_OBJ_PACKAGE);
    NodeOf.push_back(T.nodeOf(Pu));
    CoreOf.push_back(Core >= 0 ? Core : P);
    PackageOf.push_back(Package >= 0 ? Package : 0);
    L3Of.push_back(NumL3 > 0 ? T.above(Pu, HWLOC_OBJ_L3CACHE) : NodeOf.back());
  }
  fill(NodeLineNs, NumNodes, LineNs, 2 * LineNs);
  fill(MemoryNs, NumNodes, MemNs, 2 * MemNs);
  fill(ProcessorGBs, NumNodes, CoreGBs, CoreGBs * RemoteFactor);
  if (!Links.empty())
    return;
  // The memory of each node, and what leaves it.
  for (int N = 0; N < NumNodes; ++N)
    Links.push_back({"memory " + std::to_string(N), NodeGBs});
  for (int N = 0; N < NumNodes; ++N)
    Links.push_back({"out of " + std::to_string(N), NodeGBs * RemoteFactor});
  Paths.assign(size_t(NumNodes) * size_t(NumNodes), {});
  for (int From = 0; From < NumNodes; ++From)
    for (int To = 0; To < NumNodes; ++To)
      Paths[pair(From, To)] = From == To
                                  ? std::vector<int>{From}
                                  : std::vector<int>{From, NumNodes + From};
}

//===----------------------------------------------------------------------===//
// What cannot be
//===----------------------------------------------------------------------===//

namespace {
/// Says no in the machine's name.
class Judge {
public:
  explicit Judge(const Machine &Of) : M(Of) {}

  void require(bool Condition, const std::string &Text) const {
    if (!Condition)
      throw std::invalid_argument("machine " +
                                  (M.Name.empty() ? "without a name" : M.Name) +
                                  ": " + Text);
  }
  void table(const std::vector<double> &Table, const char *Name) const {
    require(Table.size() == size_t(M.NumNodes) * size_t(M.NumNodes),
            std::string(Name) + " has " + std::to_string(Table.size()) +
                " entries, not " + std::to_string(M.NumNodes) + " x " +
                std::to_string(M.NumNodes));
    for (double Value : Table)
      require(Value > 0 && Value < 1e9, std::string(Name) + " has " +
                                            std::to_string(Value) +
                                            ": it has to be positive");
  }
  void number(double Value, const char *Name) const {
    require(Value >= 0 && Value < 1e12, std::string(Name) + " is " +
                                            std::to_string(Value) +
                                            ": it must not be negative");
  }

private:
  const Machine &M;
};
} // namespace

static void checkCosts(const Judge &J, const Costs &C) {
  J.require(C.AccessNs > 0, "AccessNs has to be positive: nothing takes no "
                            "time");
  J.require(C.StoreBuffer >= 1 && C.StoreBuffer <= 64,
            "StoreBuffer has to be 1 to 64 stores");
  const std::pair<double, const char *> All[] = {
      {C.AccessNs, "AccessNs"},
      {C.LockedNs, "LockedNs"},
      {C.FenceNs, "FenceNs"},
      {C.ShareNs, "ShareNs"},
      {C.PauseNs, "PauseNs"},
      {C.YieldNs, "YieldNs"},
      {C.ClockNs, "ClockNs"},
      {C.TicksPerNs, "TicksPerNs"},
      {C.RdtscNs, "RdtscNs"},
      {C.SleepNs, "SleepNs"},
      {C.WakeNs, "WakeNs"},
      {C.WakeUpNs, "WakeUpNs"},
      {C.PageQueryNs, "PageQueryNs"},
      {C.PageFaultNs, "PageFaultNs"},
      {C.CreateNs, "CreateNs"},
      {C.DependNs, "DependNs"},
      {C.InvokeNs, "InvokeNs"},
      {C.InPlaceNs, "InPlaceNs"},
      {C.ReplayNs, "ReplayNs"},
      {C.WaitNs, "WaitNs"},
      {C.RoundNs, "RoundNs"}};
  for (const auto &[Value, Name] : All)
    J.number(Value, Name);
}

static void checkPaths(const Judge &J, const Machine &M) {
  J.require(M.Paths.size() == size_t(M.NumNodes) * size_t(M.NumNodes),
            "there has to be a path for each pair of nodes");
  for (const Link &L : M.Links)
    J.require(L.GBs > 0 && L.GBs < 1e9, "link " + L.Name + " has " +
                                            std::to_string(L.GBs) +
                                            " GB/s: that has to be positive");
  for (const std::vector<int> &Path : M.Paths) {
    J.require(!Path.empty(), "a path goes over no link");
    for (int Link : Path)
      J.require(Link >= 0 && size_t(Link) < M.Links.size(),
                "a path goes over link " + std::to_string(Link) +
                    ", which is not there");
  }
}

void Machine::check() const {
  const Judge J(*this);
  J.require(numProcessors() >= 1, "there is no processor");
  J.require(numProcessors() <= MaxProcessors,
            std::to_string(numProcessors()) +
                " processors; the laboratory "
                "simulates no more than " +
                std::to_string(MaxProcessors));
  J.require(NumNodes >= 1, "there is no NUMA node");
  for (const std::vector<int> *Of : {&L3Of, &CoreOf, &PackageOf})
    J.require(Of->size() == NodeOf.size(), "the shape is not complete");
  for (int Node : NodeOf)
    J.require(Node >= 0 && Node < NumNodes, "a processor is on node " +
                                                std::to_string(Node) +
                                                ", which is not there");
  J.require(CoreLineNs > 0 && L3LineNs > 0, "lines have to take time");
  J.table(NodeLineNs, "NodeLineNs");
  J.table(MemoryNs, "MemoryNs");
  J.table(ProcessorGBs, "ProcessorGBs");
  checkPaths(J, *this);
  J.require(WriteFactor > 0, "WriteFactor has to be positive");
  J.number(L3Bytes, "L3Bytes");
  J.require(L3Bytes == 0 || L3GBs > 0, "L3GBs has to be positive");
  J.require(PageBytes >= 64 && (PageBytes & (PageBytes - 1)) == 0,
            "PageBytes has to be a power of two");
  checkCosts(J, Cost);
}

Machine simpleMachine(int Nodes, int Cores, double L3Bytes) {
  Machine M;
  M.Name = std::to_string(Nodes) + " x " + std::to_string(Cores);
  M.Synthetic = "numa:" + std::to_string(Nodes) +
                " l3:1 core:" + std::to_string(Cores) + " pu:1";
  M.fromTopology();
  M.L3Bytes = L3Bytes;
  return M;
}

} // namespace locus::lab
