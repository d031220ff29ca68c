//===- machine/file.cpp - Machines in files ------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine/file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;
using nlohmann::json;

namespace locus::lab {

/// Of a class of node pairs, and of the whole machine.
static const std::vector<std::string> ClassFigures = {"memory_ns", "core_gbs",
                                                      "pair_gbs", "line_ns"};
static const std::vector<std::string> MachineFigures = {"line_same_core_ns",
                                                        "line_same_l3_ns",
                                                        "node_memory_gbs",
                                                        "node_egress_gbs",
                                                        "package_link_gbs",
                                                        "write_factor",
                                                        "l3_gbs",
                                                        "ghz",
                                                        "core_gflops",
                                                        "instruction_factor",
                                                        "locked_ns",
                                                        "fence_ns",
                                                        "wake_ns",
                                                        "wake_latency_ns",
                                                        "yield_ns"};

const std::vector<std::string> &figureNames() {
  static const std::vector<std::string> All = [] {
    std::vector<std::string> Names = ClassFigures;
    Names.insert(Names.end(), MachineFigures.begin(), MachineFigures.end());
    return Names;
  }();
  return All;
}

namespace {

/// One file while it is read.
class Reader {
public:
  Reader(const std::string &Name, const Factors &Scaled)
      : Name(Name), Scaled(Scaled) {}

  [[noreturn]] void fail(const std::string &Text) const {
    throw std::invalid_argument(Name + ": " + Text);
  }

  MachineFile read(const std::string &Text);

private:
  double figure(const json &Of, const std::string &Key,
                const std::string &Suffix = "");
  std::string text(const json &Of, const char *Key) const;
  void requireKnown(const json &Of, std::set<std::string> Known,
                    const std::string &Where) const;
  void readShape(const json &Root);
  void readClasses(const json &Root);
  void readCosts(const json &Root);
  void addLinks(double MemoryGBs, double EgressGBs, double PackageGBs);

  const std::string &Name;
  const Factors &Scaled;
  MachineFile F;
  std::vector<std::vector<size_t>> ClassOf; ///< by nodes
  std::vector<double> PairGBs;              ///< by class; 0: no limit
};

double Reader::figure(const json &Of, const std::string &Key,
                      const std::string &Suffix) {
  if (!Of.contains(Key))
    fail("figure " + Key + Suffix + " is missing");
  const json &Entry = Of[Key];
  if (!Entry.is_object() || !Entry.contains("value") ||
      !Entry["value"].is_number())
    fail("figure " + Key + Suffix + " has no number as its value");
  if (!Entry.contains("source") || !Entry["source"].is_string() ||
      Entry["source"].get<std::string>().empty())
    fail("figure " + Key + Suffix + " has no source");
  double Value = Entry["value"];
  if (!(Value >= 0))
    fail("figure " + Key + Suffix + " is negative");
  const auto Factor = Scaled.find(Key);
  if (Factor != Scaled.end())
    Value *= Factor->second;
  F.Figures.push_back({Key + Suffix, Value, Entry["source"]});
  return Value;
}

std::string Reader::text(const json &Of, const char *Key) const {
  if (!Of.contains(Key) || !Of[Key].is_string())
    fail(std::string(Key) + " is missing, or no text");
  return Of[Key];
}

void Reader::requireKnown(const json &Of, std::set<std::string> Known,
                          const std::string &Where) const {
  for (const auto &[Key, Value] : Of.items())
    if (!Known.count(Key))
      fail("'" + Key + "'" + Where + " is not known");
}

void Reader::readShape(const json &Root) {
  F.M.Name = text(Root, "name");
  F.Description = text(Root, "description");
  F.M.Synthetic = text(Root, "topology");
  Machine Shape = F.M;
  Shape.fromTopology();
  F.M.NumNodes = Shape.NumNodes;
  F.M.L3Bytes = Root.value("l3_bytes", 0.0);
  const json Rows = Root.value("node_classes", json::array());
  const size_t N = size_t(Shape.NumNodes);
  if (!Rows.is_array() || Rows.size() != N)
    fail("node_classes has " + std::to_string(Rows.size()) +
         " rows, but the topology has " + std::to_string(N) + " nodes");
  for (const json &Row : Rows) {
    const std::string Digits = Row.is_string() ? Row.get<std::string>() : "";
    if (Digits.size() != N ||
        Digits.find_first_not_of("0123456789") != std::string::npos)
      fail("node_classes: '" + Digits + "' is not one digit for each node");
    ClassOf.emplace_back();
    for (char Digit : Digits)
      ClassOf.back().push_back(size_t(Digit - '0'));
  }
}

void Reader::readClasses(const json &Root) {
  const json Classes = Root.value("classes", json::array());
  if (!Classes.is_array() || Classes.empty())
    fail("classes is missing");
  std::vector<double> Memory, Core, Line;
  for (size_t C = 0; C < Classes.size(); ++C) {
    const std::string Suffix = " of class " + std::to_string(C);
    std::set<std::string> Known(ClassFigures.begin(), ClassFigures.end());
    Known.insert({"name", "distance"});
    requireKnown(Classes[C], Known, Suffix);
    Memory.push_back(figure(Classes[C], "memory_ns", Suffix));
    Core.push_back(figure(Classes[C], "core_gbs", Suffix));
    PairGBs.push_back(figure(Classes[C], "pair_gbs", Suffix));
    Line.push_back(figure(Classes[C], "line_ns", Suffix));
  }
  for (const std::vector<size_t> &Row : ClassOf)
    for (size_t C : Row) {
      if (C >= Classes.size())
        fail("node_classes names class " + std::to_string(C) +
             ", but there are " + std::to_string(Classes.size()));
      F.M.MemoryNs.push_back(Memory[C]);
      F.M.ProcessorGBs.push_back(Core[C]);
      F.M.NodeLineNs.push_back(Line[C]);
    }
}

void Reader::readCosts(const json &Root) {
  Costs &C = F.M.Cost;
  F.M.CoreLineNs = figure(Root, "line_same_core_ns");
  F.M.L3LineNs = figure(Root, "line_same_l3_ns");
  F.M.L3GBs = figure(Root, "l3_gbs");
  F.M.WriteFactor = figure(Root, "write_factor");
  F.Speed.Ghz = figure(Root, "ghz");
  F.Speed.Gflops = figure(Root, "core_gflops");
  if (F.Speed.Ghz <= 0 || F.Speed.Gflops <= 0)
    fail("ghz and core_gflops have to be positive");
  C.LockedNs = figure(Root, "locked_ns");
  C.FenceNs = figure(Root, "fence_ns");
  C.WakeNs = figure(Root, "wake_ns");
  C.WakeUpNs = figure(Root, "wake_latency_ns");
  C.YieldNs = figure(Root, "yield_ns");
  C.TicksPerNs = F.Speed.Ghz;
  // The rest is instructions: the defaults are the reference's.
  const double Factor = figure(Root, "instruction_factor");
  for (double *Cost :
       {&C.AccessNs, &C.PauseNs, &C.ClockNs, &C.RdtscNs, &C.SleepNs,
        &C.PageQueryNs, &C.PageFaultNs, &C.CreateNs, &C.DependNs, &C.InvokeNs,
        &C.InPlaceNs, &C.ReplayNs, &C.WaitNs, &C.RoundNs})
    *Cost *= Factor;
}

/// A flow goes over the memory of its node; between nodes also over what
/// leaves it, what the pair of nodes has, and what the pair of packages has.
void Reader::addLinks(double MemoryGBs, double EgressGBs, double PackageGBs) {
  Machine Shape = F.M;
  Shape.fromTopology();
  const int N = F.M.NumNodes;
  std::vector<int> PackageOf(size_t(N), 0);
  for (int P = 0; P < Shape.numProcessors(); ++P)
    PackageOf[size_t(Shape.NodeOf[size_t(P)])] = Shape.PackageOf[size_t(P)];
  const auto Add = [&](const std::string &LinkName, double GBs) {
    F.M.Links.push_back({LinkName, GBs});
    return int(F.M.Links.size()) - 1;
  };
  std::vector<int> Memory, Egress;
  for (int Node = 0; Node < N; ++Node) {
    Memory.push_back(Add("memory " + std::to_string(Node), MemoryGBs));
    if (EgressGBs > 0)
      Egress.push_back(Add("out of " + std::to_string(Node), EgressGBs));
  }
  std::map<std::pair<int, int>, int> Between;
  for (int From = 0; From < N; ++From)
    for (int To = 0; To < N; ++To) {
      std::vector<int> Path = {Memory[size_t(From)]};
      if (From != To) {
        const double Pair = PairGBs[ClassOf[size_t(From)][size_t(To)]];
        const std::pair<int, int> Packages = {PackageOf[size_t(From)],
                                              PackageOf[size_t(To)]};
        if (EgressGBs > 0)
          Path.push_back(Egress[size_t(From)]);
        if (Pair > 0)
          Path.push_back(
              Add("nodes " + std::to_string(From) + " to " + std::to_string(To),
                  Pair));
        if (PackageGBs > 0 && Packages.first != Packages.second) {
          const auto [At, IsNew] = Between.insert({Packages, 0});
          if (IsNew)
            At->second = Add("packages " + std::to_string(Packages.first) +
                                 " to " + std::to_string(Packages.second),
                             PackageGBs);
          Path.push_back(At->second);
        }
      }
      F.M.Paths.push_back(Path);
    }
}

MachineFile Reader::read(const std::string &Text) {
  const json Root = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (!Root.is_object())
    fail("this is not a JSON object");
  std::set<std::string> Known(MachineFigures.begin(), MachineFigures.end());
  Known.insert({"name", "description", "topology", "node_classes", "classes",
                "l3_bytes"});
  requireKnown(Root, Known, "");
  readShape(Root);
  readClasses(Root);
  readCosts(Root);
  const double MemoryGBs = figure(Root, "node_memory_gbs");
  const double EgressGBs = figure(Root, "node_egress_gbs");
  addLinks(MemoryGBs, EgressGBs, figure(Root, "package_link_gbs"));
  F.M.fromTopology();
  F.M.check();
  return std::move(F);
}

} // namespace

MachineFile parseMachine(const std::string &Text, const std::string &Name,
                         const Factors &Scaled) {
  for (const auto &[Key, Factor] : Scaled) {
    const std::vector<std::string> &All = figureNames();
    if (std::find(All.begin(), All.end(), Key) == All.end())
      throw std::invalid_argument("there is no figure '" + Key + "'");
    if (!(Factor > 0))
      throw std::invalid_argument("the factor of " + Key + " is not positive");
  }
  return Reader(Name, Scaled).read(Text);
}

//===----------------------------------------------------------------------===//
// Where machines are
//===----------------------------------------------------------------------===//

/// Beside the installed program, else in the source.
static fs::path machineFolder() {
  std::error_code Error;
  const fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  const fs::path Installed =
      Self.parent_path().parent_path() / "share/locus/machines";
  if (!Error && fs::is_directory(Installed, Error))
    return Installed;
  return LOCUS_LAB_MACHINES;
}

std::vector<std::string> knownMachines() {
  std::vector<std::string> Names;
  std::error_code Error;
  for (const auto &Entry : fs::directory_iterator(machineFolder(), Error))
    if (Entry.path().extension() == ".json")
      Names.push_back(Entry.path().stem());
  std::sort(Names.begin(), Names.end());
  return Names;
}

MachineFile readMachine(const std::string &Name, const Factors &Scaled) {
  fs::path Path = Name;
  std::error_code Error;
  if (!fs::is_regular_file(Path, Error))
    Path = machineFolder() / (Name + ".json");
  std::ifstream In(Path);
  if (!In || !fs::is_regular_file(Path, Error)) {
    std::string All;
    for (const std::string &Known : knownMachines())
      All += (All.empty() ? "" : ", ") + Known;
    throw std::invalid_argument("there is no machine file " + Name +
                                "; those that come with it are: " + All);
  }
  std::stringstream Text;
  Text << In.rdbuf();
  return parseMachine(Text.str(), Name, Scaled);
}

} // namespace locus::lab
