//===- support.cpp - What the unit tests share ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"
#include "locus/machine/page_node.h"
#include "locus/support/host.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <errno.h>
#include <gtest/gtest.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <hwloc/memattrs.h>
#include <map>
#include <mutex>
#include <unistd.h>
#include <utility>

static std::mutex WarningsLock;
static std::vector<std::string> Warnings;

void locus::warn(const char *Text) {
  std::lock_guard<std::mutex> Guard(WarningsLock);
  Warnings.push_back(Text);
}

void locus::outOfMemory() {
  std::fprintf(stderr, "no memory\n");
  std::abort();
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// ThreadSanitizer calls this at each report. Without it no test fails but the
// process at its end, and each child that a later test forks.
extern "C" void __tsan_on_report() { ADD_FAILURE() << "a data race"; }
#endif
#endif

// The linker sends the core's calls of move_pages here (--wrap).
extern "C" long __real_move_pages(int, unsigned long, void **, const int *,
                                  int *, int);
extern "C" long __wrap_move_pages(int Pid, unsigned long Count, void **Pages,
                                  const int *Nodes, int *Status, int Flags) {
  if (Nodes && locus::test::FakeOrders) // to move: data/block.h
    return locus::test::FakeOrders(Count, Pages, Status);
  if (Nodes)
    return __real_move_pages(Pid, Count, Pages, Nodes, Status, Flags);
  ++locus::test::MovePagesCalls;
  EXPECT_LE(Count, unsigned(locus::MaxPagesAsked));
  if (locus::test::FakeMovePages)
    return locus::test::FakeMovePages(Count, Pages, Status);
  return __real_move_pages(Pid, Count, Pages, Nodes, Status, Flags);
}

extern "C" ssize_t __real_write(int, const void *, size_t);
extern "C" ssize_t __wrap_write(int Descriptor, const void *Bytes,
                                size_t Count) {
  if (locus::test::BeforeWrite)
    locus::test::BeforeWrite();
  return __real_write(Descriptor, Bytes, Count);
}

static std::atomic<uint64_t> FakeTime{0};

extern "C" int __real_clock_gettime(clockid_t Clock, timespec *Time);
extern "C" int __wrap_clock_gettime(clockid_t Clock, timespec *Time) {
  const uint64_t Now = FakeTime;
  if (Now == 0)
    return __real_clock_gettime(Clock, Time);
  Time->tv_sec = time_t(Now / 1000000000);
  Time->tv_nsec = long(Now % 1000000000);
  return 0;
}

namespace locus::test {

void FakeClock::set(uint64_t Nanoseconds) { FakeTime = Nanoseconds; }

MovePages FakeMovePages, FakeOrders;
std::function<void()> BeforeWrite;
int MovePagesCalls = 0;

std::vector<std::string> takeWarnings() {
  std::lock_guard<std::mutex> Guard(WarningsLock);
  return std::exchange(Warnings, {});
}

/// Never freed, as a Topology is made for the life of the process.
static Topology &newTopology() {
  static auto *All = new std::deque<Topology>;
  return All->emplace_back();
}

const Topology &topology(const std::string &Synthetic) {
  static std::map<std::string, Topology *> Known;
  Topology *&Found = Known[Synthetic];
  if (!Found) {
    Found = &newTopology();
    EXPECT_TRUE(Found->load(Synthetic.c_str())) << Synthetic;
  }
  return *Found;
}

/// Names of temporary files, which go with the program.
struct TemporaryFiles {
  ~TemporaryFiles() {
    for (const std::string &Name : Names)
      unlink(Name.c_str());
  }
  std::vector<std::string> Names;
};

/// Says of each node of \p Made what its own CPUs see of it.
static void setAttribute(hwloc_topology_t Made, hwloc_memattr_id_t Attribute,
                         const std::vector<int> &Values) {
  for (size_t I = 0; I < Values.size(); ++I) {
    hwloc_obj_t Node =
        hwloc_get_obj_by_type(Made, HWLOC_OBJ_NUMANODE, unsigned(I));
    EXPECT_NE(Node, nullptr);
    hwloc_location From;
    From.type = HWLOC_LOCATION_TYPE_CPUSET;
    From.location.cpuset = Node->cpuset;
    EXPECT_EQ(hwloc_memattr_set_value(Made, Attribute, Node, &From, 0,
                                      hwloc_uint64_t(Values[I])),
              0);
  }
}

std::string writeXml(const Machine &From) {
  static TemporaryFiles Files;
  std::string Name = testing::TempDir() + "locus-unit-XXXXXX";
  int File = mkstemp(Name.data());
  EXPECT_GE(File, 0) << Name << ": " << strerror(errno);
  close(File);
  Files.Names.push_back(Name);

  hwloc_topology_t Made;
  hwloc_topology_init(&Made);
  EXPECT_EQ(hwloc_topology_set_synthetic(Made, From.Synthetic.c_str()), 0);
  EXPECT_EQ(hwloc_topology_load(Made), 0);
  if (!From.Latencies.empty()) {
    int Count = hwloc_get_nbobjs_by_type(Made, HWLOC_OBJ_NUMANODE);
    EXPECT_EQ(From.Latencies.size(), size_t(Count) * Count);
    std::vector<hwloc_obj_t> Nodes;
    for (int I = 0; I < Count; ++I)
      Nodes.push_back(hwloc_get_obj_by_type(Made, HWLOC_OBJ_NUMANODE, I));
    std::vector<hwloc_uint64_t> Values(From.Latencies.begin(),
                                       From.Latencies.end());
    hwloc_distances_add_handle_t Handle = hwloc_distances_add_create(
        Made, "NUMALatency",
        HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    EXPECT_NE(Handle, nullptr);
    EXPECT_EQ(hwloc_distances_add_values(Made, Handle, Count, Nodes.data(),
                                         Values.data(), 0),
              0);
    EXPECT_EQ(hwloc_distances_add_commit(Made, Handle, 0), 0);
  }
  setAttribute(Made, HWLOC_MEMATTR_ID_BANDWIDTH, From.Bandwidths);
  setAttribute(Made, HWLOC_MEMATTR_ID_LATENCY, From.NearLatencies);
  if (!From.Cpus.empty()) {
    hwloc_bitmap_t Kept = hwloc_bitmap_alloc();
    for (int Cpu : From.Cpus)
      hwloc_bitmap_set(Kept, Cpu);
    EXPECT_EQ(hwloc_topology_restrict(Made, Kept, 0), 0);
    hwloc_bitmap_free(Kept);
  }
  EXPECT_EQ(hwloc_topology_export_xml(Made, Name.c_str(), 0), 0);
  hwloc_topology_destroy(Made);
  return Name;
}

const Topology &topology(const Machine &From) {
  std::string Name = writeXml(From);
  Topology &Made = newTopology();
  setenv("HWLOC_XMLFILE", Name.c_str(), 1);
  EXPECT_TRUE(Made.load(nullptr));
  unsetenv("HWLOC_XMLFILE");
  return Made;
}

const Topology &paperMachine() {
  static const Topology *Made = [] {
    Machine Paper = {"package:12 node:2 pu:8"};
    for (int I = 0; I < 24; ++I)
      for (int J = 0; J < 24; ++J)
        Paper.Latencies.push_back(I == J           ? 10
                                  : I / 2 == J / 2 ? 16
                                  : I / 8 == J / 8 ? 22
                                                   : 32);
    return &topology(Paper);
  }();
  return *Made;
}

const Topology &irregularMachine() {
  static const Topology *Made =
      &topology(Machine{"node:3 pu:5",
                        {2, 5, 9, 10, 11, 12, 13, 14},
                        {10, 30, 20, 30, 10, 25, 20, 25, 10}});
  return *Made;
}

/// An entry of machines(), with what topology() takes.
#define MACHINE(Name, ...)                                                     \
  {Name, []() -> const Topology & {                                            \
     static const Topology *Made = &topology(__VA_ARGS__);                     \
     return *Made;                                                             \
   }}

const std::vector<NamedMachine> &machines() {
  static const std::vector<NamedMachine> All = {
      MACHINE("n1x1", "node:1 pu:1"),
      MACHINE("n2x2", "node:2 pu:2"),
      MACHINE("n4x8", "node:4 pu:8"),
      {"n24x8", paperMachine},
      {"irregular", irregularMachine},
      // Node 1 has no CPU that the process may use.
      MACHINE("nodeWithoutCpus", Machine{"node:3 pu:2",
                                         {0, 1, 4, 5},
                                         {10, 14, 20, 14, 10, 18, 20, 18, 10}}),
      // As CXL memory may be shown.
      MACHINE("memoryOnly",
              "[numa(memory=256GB)] package:2 [numa(memory=64GB)] pu:2"),
      // Linux' usual numbering: the second threads of all cores come last.
      MACHINE("hyperThreads", "node:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"),
      // Several L3 for each node, as AMD has them: one node to a package, and
      // two.
      MACHINE("l3", "package:2 [numa] l3:2 core:2 pu:2"),
      MACHINE("nps2", Machine{"package:2 numa:2 l3:2 core:2 pu:1",
                              {},
                              {10, 12, 32, 32, 12, 10, 32, 32, 32, 32, 10, 12,
                               32, 32, 12, 10}}),
      // Caches that span nodes.
      MACHINE("subNuma", "package:2 l3:1 numa:2 core:2 pu:1"),
      MACHINE("noPackage", "numa:2 l3:2 pu:2"),
      MACHINE("coresOnly", "core:4 pu:2"),
      // The distances contradict the packages.
      MACHINE("crossed", Machine{"package:2 node:2 pu:1",
                                 {},
                                 {10, 15, 11, 20, 15, 10, 20, 11, 11, 20, 10,
                                  15, 20, 11, 15, 10}}),
  };
  return All;
}

#undef MACHINE

const Topology &machine(const std::string &Name) {
  for (const NamedMachine &M : machines())
    if (M.Name == Name)
      return M.Get();
  ADD_FAILURE() << "no machine is called " << Name;
  return machines().front().Get();
}

std::vector<ThreadSpot> onCpus(const Topology &Machine,
                               const std::vector<int> &OsCpus) {
  std::vector<ThreadSpot> Spots;
  for (int Cpu : OsCpus)
    Spots.push_back({Cpu, Machine.nodeOfCpu(Cpu)});
  return Spots;
}

std::vector<ThreadSpot> onEachCpu(const Topology &Machine) {
  std::vector<int> All;
  for (int I = 0; I < Machine.numCpus(); ++I)
    All.push_back(Machine.cpuAt(I));
  return onCpus(Machine, All);
}

std::vector<ThreadSpot> onNodes(const std::vector<int> &OsNodes) {
  std::vector<ThreadSpot> Spots;
  for (int Node : OsNodes)
    Spots.push_back({-1, Node});
  return Spots;
}

const SeekerHost Picker::Host = {admit, placeOf, nests, sleepersOf};

Taker Picker::taker() {
  const Seeker &S = seeker(nullptr);
  return {admit, &S, &Finished, nullptr, MayKeep, /*IsExempt=*/false};
}

const Seeker &Picker::seeker(const Team *Of) {
  Mine.Host = &Host;
  Mine.Where = Of;
  Mine.Finished = &Finished;
  Mine.IsWaiting = IsWaiting;
  Mine.OwnsDeque = !Finished;
  Mine.MayKeep = MayKeep;
  Mine.ScanAll = ScanAll;
  Mine.ReachesFar = ReachesFar;
  Mine.Owner = this;
  return Mine;
}

bool Picker::admit(const Taker &Who, Task *Candidate) {
  Picker &Self = *static_cast<const Search &>(*Who.Search).Owner;
  Self.Offered.push_back(numberOf(Candidate));
  if (Who.IsExempt)
    Self.OfferedExempt.push_back(numberOf(Candidate));
  return !Self.Accept || Self.Accept(numberOf(Candidate));
}

NodeSet nodeSet(const std::vector<int> &OsNodes) {
  NodeSet Set;
  for (int Node : OsNodes)
    Set.add(Node);
  return Set;
}

std::vector<NodeSet> boundTo(const std::vector<int> &OsNodes) {
  std::vector<NodeSet> Sets;
  for (int Node : OsNodes)
    Sets.push_back(nodeSet({Node}));
  return Sets;
}

} // namespace locus::test

/// With --describe, prints the process' own topology: the tests run it so in
/// another process, as it is read once only.
static int describe() {
  using locus::Topology;
  const Topology &Machine = Topology::get();
  std::printf("may have nodes %d, this system %d, nodes %d, cpus %d:",
              Topology::mayHaveNodes(), Machine.isThisSystem(),
              Machine.numNodes(), Machine.numCpus());
  for (int I = 0; I < Machine.numCpus() && I < 16; ++I)
    std::printf(" %d@%d", Machine.cpuAt(I),
                Machine.nodeOfCpu(Machine.cpuAt(I)));
  std::printf("\n");
  for (const std::string &Text : locus::test::takeWarnings())
    std::printf("warning: %s\n", Text.c_str());
  // The second answer is the same object, and nothing is said twice.
  bool Same = &Topology::get() == &Machine;
  return Same && locus::test::takeWarnings().empty() ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--describe") == 0)
    return describe();
  // The tests bring their own machines.
  for (const char *Name : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE",
                           "HWLOC_THISSYSTEM", "HWLOC_COMPONENTS"})
    unsetenv(Name);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
