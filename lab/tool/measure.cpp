//===- tool/measure.cpp - Writes the file of this machine ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/measure/probes.h"
#include "lab/tool/commands.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

using nlohmann::ordered_json;

namespace locus::lab {

namespace {

class Writer {
public:
  ordered_json write();

private:
  ordered_json figure(double Value, const std::string &How = "") const {
    const double Rounded = strtod(text(Value).c_str(), nullptr);
    return {{"value", Rounded}, {"source", How.empty() ? Source : How}};
  }
  static std::string text(double Value) {
    char Text[32];
    snprintf(Text, sizeof Text, "%.4g", Value);
    return Text;
  }
  void findClasses();
  ordered_json classFigures(size_t Class);
  double lineWithin(int Node, double Default) const;
  int firstOf(int Node) const;

  ThisMachine M;
  std::string Source;
  std::vector<std::string> Rows;            ///< node_classes
  std::vector<std::pair<int, int>> Samples; ///< a pair of nodes of each
};

std::string topologyText(const ThisMachine &M) {
  char Text[4096];
  if (hwloc_topology_export_synthetic(
          M.hwloc(), Text, sizeof Text,
          HWLOC_TOPOLOGY_EXPORT_SYNTHETIC_FLAG_NO_ATTRS) <= 0)
    throw std::runtime_error(
        "this machine's packages, nodes and caches are not all alike, which "
        "hwloc's synthetic syntax cannot say");
  return Text;
}

std::string sourceText() {
  char Host[256] = "", Date[32] = "";
  gethostname(Host, sizeof Host - 1);
  const time_t Now = time(nullptr);
  strftime(Date, sizeof Date, "%Y-%m-%d", gmtime(&Now));
  return std::string("measured on ") + Host + ", " + Date;
}

/// Nodes at the same distance, by the firmware's table, are one class.
void Writer::findClasses() {
  std::map<uint64_t, size_t> ByDistance;
  hwloc_distances_s *Table = nullptr;
  unsigned Count = 1;
  const bool IsKnown =
      hwloc_distances_get_by_type(M.hwloc(), HWLOC_OBJ_NUMANODE, &Count, &Table,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) == 0 &&
      Count > 0;
  for (int A = 0; A < M.numNodes(); ++A) {
    Rows.emplace_back();
    for (int B = 0; B < M.numNodes(); ++B) {
      const uint64_t Far =
          A == B    ? 0
          : IsKnown ? Table->values[size_t(A) * Table->nbobjs + size_t(B)]
                    : 20;
      const auto [Found, IsNew] = ByDistance.insert({Far, Samples.size()});
      if (IsNew)
        Samples.push_back({A, B});
      if (Found->second > 9)
        throw std::runtime_error("nodes are at more than ten distances");
      Rows.back() += char('0' + Found->second);
    }
  }
  if (IsKnown)
    hwloc_distances_release(M.hwloc(), Table);
}

int Writer::firstOf(int Node) const {
  const std::vector<int> All = M.processorsOf(Node);
  if (All.empty())
    throw std::runtime_error("node " + std::to_string(Node) +
                             " has no processor; such machines cannot be "
                             "written yet");
  return All.front();
}

/// Between two L3 of a node, if it has two.
double Writer::lineWithin(int Node, double Default) const {
  for (int P : M.processorsOf(Node))
    if (!M.share(HWLOC_OBJ_L3CACHE, firstOf(Node), P) && P != firstOf(Node))
      return lineNs(M, firstOf(Node), P);
  return Default;
}

ordered_json Writer::classFigures(size_t Class) {
  const auto [From, To] = Samples[Class];
  const int Reader = firstOf(To);
  ordered_json Of;
  Of["name"] = Class ? "distance " + std::to_string(Class) : "same node";
  Of["memory_ns"] = figure(memoryNs(M, From, Reader));
  Of["core_gbs"] = figure(readGBs(M, From, {Reader}));
  Of["pair_gbs"] = Class == 0 ? figure(0, "no limit but the node's memory")
                              : figure(readGBs(M, From, M.processorsOf(To)));
  Of["line_ns"] =
      figure(Class ? lineNs(M, firstOf(From), Reader) : lineWithin(From, 50));
  return Of;
}

ordered_json Writer::write() {
  Source = sourceText();
  findClasses();
  ordered_json Root;
  Root["name"] = "this machine";
  Root["description"] = "by locus-lab measure";
  Root["topology"] = topologyText(M);
  const hwloc_obj_t L3 = hwloc_get_obj_by_type(M.hwloc(), HWLOC_OBJ_L3CACHE, 0);
  const double L3Bytes = L3 ? double(L3->attr->cache.size) : 0;
  Root["l3_bytes"] = L3Bytes;
  Root["node_classes"] = Rows;
  for (size_t C = 0; C < Samples.size(); ++C)
    Root["classes"].push_back(classFigures(C));

  double SameCore = 0, SameL3 = 0;
  for (int P = 1; P < M.numProcessors() && !(SameCore && SameL3); ++P)
    if (M.share(HWLOC_OBJ_CORE, 0, P) && !SameCore)
      SameCore = lineNs(M, 0, P);
    else if (M.share(HWLOC_OBJ_L3CACHE, 0, P) && !SameL3)
      SameL3 = lineNs(M, 0, P);
  const std::string Assumed = "no such pair of processors: an assumption";
  Root["line_same_core_ns"] = SameCore ? figure(SameCore) : figure(8, Assumed);
  Root["line_same_l3_ns"] = SameL3 ? figure(SameL3) : figure(40, Assumed);
  Root["node_memory_gbs"] = figure(readGBs(M, 0, M.processorsOf(0)));
  Root["node_egress_gbs"] = figure(0, "not measured: pair_gbs limits");
  Root["package_link_gbs"] = figure(0, "not measured: pair_gbs limits");
  Root["write_factor"] = figure(writeFactor(M, 0, firstOf(0)));
  Root["l3_gbs"] = figure(
      cacheGBs(M, 0, size_t(L3Bytes > 0 ? std::min(L3Bytes / 2, 8e6) : 1e6)));
  Root["ghz"] = figure(gigahertz());
  Root["core_gflops"] = figure(gigaflops());
  Root["instruction_factor"] =
      figure(instructionsNs() / ReferenceInstructionsNs);
  Root["locked_ns"] = figure(lockedNs());
  Root["fence_ns"] = figure(fenceNs());
  const WakeTimes Wake = M.numProcessors() > 1
                             ? wakeTimes(M, M.numProcessors() - 1)
                             : WakeTimes{2000, 5000};
  Root["wake_ns"] = figure(Wake.Waker);
  Root["wake_latency_ns"] = figure(Wake.Latency);
  Root["yield_ns"] = figure(yieldNs());
  return Root;
}

} // namespace

int measure(const Arguments &A) {
  const std::string Text = Writer().write().dump(1);
  parseMachine(Text, "what was measured");
  if (A.What.empty()) {
    printf("%s\n", Text.c_str());
    return 0;
  }
  std::ofstream Out(A.What);
  Out << Text << "\n";
  Out.close();
  if (!Out)
    throw std::runtime_error(A.What + " cannot be written");
  return 0;
}

} // namespace locus::lab
