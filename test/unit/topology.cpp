//===- topology.cpp - Tests of machine/topology ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numa.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace locus;
using namespace locus::test;

//===----------------------------------------------------------------------===//
// NodeSet
//===----------------------------------------------------------------------===//

TEST(NodeSetTest, emptySetHasNothing) {
  NodeSet Set;
  EXPECT_EQ(Set.size(), 0);
  EXPECT_EQ(Set.at(0), -1);
  for (int Node = -1; Node <= MaxOsNodes; ++Node)
    EXPECT_FALSE(Set.contains(Node)) << Node;
}

TEST(NodeSetTest, eachNodeAlone) {
  for (int Node = 0; Node < MaxOsNodes; ++Node) {
    NodeSet Set;
    Set.add(Node);
    Set.add(Node); // twice is once
    ASSERT_EQ(Set.size(), 1) << Node;
    ASSERT_EQ(Set.at(0), Node);
    ASSERT_EQ(Set.at(1), -1);
    ASSERT_TRUE(Set.contains(Node));
    ASSERT_FALSE(Set.contains(Node - 1));
    ASSERT_FALSE(Set.contains(Node + 1));
    // Nor any other word's bit.
    ASSERT_FALSE(Set.contains((Node + 64) % MaxOsNodes));
  }
}

TEST(NodeSetTest, ranksGoUpAcrossWords) {
  const std::vector<int> Members = {0,   1,   31,  32,  62,  63,   64,  65,
                                    127, 128, 191, 192, 512, 1022, 1023};
  NodeSet Set;
  for (size_t I = Members.size(); I-- > 0;) // any order of adding
    Set.add(Members[I]);
  ASSERT_EQ(Set.size(), int(Members.size()));
  for (size_t I = 0; I < Members.size(); ++I)
    EXPECT_EQ(Set.at(int(I)), Members[I]);
  EXPECT_EQ(Set.at(int(Members.size())), -1);
  EXPECT_EQ(Set.at(1 << 30), -1);
}

TEST(NodeSetTest, fullSet) {
  NodeSet Set;
  for (int Node = 0; Node < MaxOsNodes; ++Node)
    Set.add(Node);
  EXPECT_EQ(Set.size(), MaxOsNodes);
  for (int Rank = 0; Rank < MaxOsNodes; ++Rank)
    ASSERT_EQ(Set.at(Rank), Rank);
  EXPECT_EQ(Set.at(MaxOsNodes), -1);
}

TEST(NodeSetTest, ignoresNumbersOutOfRange) {
  NodeSet Set;
  for (int Node : {-1, INT32_MIN, MaxOsNodes, MaxOsNodes + 64, INT32_MAX}) {
    Set.add(Node);
    EXPECT_FALSE(Set.contains(Node)) << Node;
  }
  EXPECT_EQ(Set.size(), 0);
}

TEST(NodeSetTest, equality) {
  EXPECT_TRUE(nodeSet({}) == nodeSet({}));
  EXPECT_TRUE(nodeSet({3, 700}) == nodeSet({700, 3}));
  EXPECT_FALSE(nodeSet({3}) == nodeSet({3, 1023}));
  EXPECT_FALSE(nodeSet({3}) == nodeSet({67}));
}

//===----------------------------------------------------------------------===//
// Synthetic machines
//===----------------------------------------------------------------------===//

/// Nodes x CPUs, in order: what most synthetic descriptions give.
static void expectRegular(const Topology &Machine, int Nodes, int CpusPerNode) {
  EXPECT_FALSE(Machine.isThisSystem());
  EXPECT_EQ(Machine.numNodes(), Nodes);
  ASSERT_EQ(Machine.numCpus(), Nodes * CpusPerNode);
  for (int I = 0; I < Machine.numCpus(); ++I) {
    EXPECT_EQ(Machine.cpuAt(I), I);
    EXPECT_EQ(Machine.nodeOfCpu(I), I / CpusPerNode) << "CPU " << I;
  }
  EXPECT_EQ(Machine.nodeOfCpu(Machine.numCpus()), -1);
}

TEST(TopologyTest, nodesOfCpus) {
  expectRegular(topology("node:1 pu:1"), 1, 1);
  expectRegular(topology("node:2 pu:2"), 2, 2);
  expectRegular(topology("node:4 pu:2"), 4, 2);
  expectRegular(topology("node:4 pu:8"), 4, 8);
  expectRegular(topology("node:24 pu:8"), 24, 8);
}

TEST(TopologyTest, nodesAtAnyLevel) {
  expectRegular(topology("package:2 node:2 l3:2 core:2 pu:2"), 4, 8);
  expectRegular(topology("package:2 l3:2 node:2 core:2 pu:1"), 8, 2);
  expectRegular(topology("node:2 package:2 core:1 pu:2"), 2, 4);
  expectRegular(topology("package:3 [numa] core:2 pu:2"), 3, 4);
  // No node given: hwloc makes one for the whole machine.
  expectRegular(topology("package:2 core:2 pu:1"), 1, 4);
}

TEST(TopologyTest, manyNodes) {
  expectRegular(topology("node:1024 pu:2"), 1024, 2);
  // One more than the kernel can have.
  auto TooMany = std::make_unique<Topology>();
  EXPECT_FALSE(TooMany->load("node:1025 pu:1"));
  EXPECT_EQ(TooMany->numNodes(), 1);
}

TEST(TopologyTest, cpusAndNodesOutOfOrder) {
  const Topology &Machine =
      topology("node:2(indexes=7,3) pu:2(indexes=4,0,2,9)");
  EXPECT_EQ(Machine.numNodes(), 2);
  ASSERT_EQ(Machine.numCpus(), 4);
  // hwloc sorts the CPUs of one core or node.
  const int Order[] = {0, 4, 2, 9};
  for (int I = 0; I < 4; ++I)
    EXPECT_EQ(Machine.cpuAt(I), Order[I]);
  EXPECT_EQ(Machine.nodeOfCpu(4), 7);
  EXPECT_EQ(Machine.nodeOfCpu(0), 7);
  EXPECT_EQ(Machine.nodeOfCpu(2), 3);
  EXPECT_EQ(Machine.nodeOfCpu(9), 3);
  EXPECT_EQ(Machine.nodeOfCpu(1), -1);
  EXPECT_EQ(Machine.distance(7, 3), 20u);
}

TEST(TopologyTest, hyperThreadsAreCpus) {
  // Linux' usual numbering: the second threads of all cores come last.
  const Topology &Machine =
      topology("node:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
  ASSERT_EQ(Machine.numCpus(), 8);
  for (int Cpu = 0; Cpu < 8; ++Cpu)
    EXPECT_EQ(Machine.nodeOfCpu(Cpu), (Cpu % 4) / 2) << "CPU " << Cpu;
  EXPECT_EQ(Machine.cpuAt(1), 4);
}

TEST(TopologyTest, cpuNumbersOutOfRange) {
  const Topology &Machine = topology("node:2 pu:2");
  for (int Cpu : {-1, INT32_MIN, 4, 8191, 8192, INT32_MAX})
    EXPECT_EQ(Machine.nodeOfCpu(Cpu), -1) << Cpu;
}

TEST(TopologyTest, secondNodeOfTheSameCpus) {
  // Fast memory beside the ordinary one: the CPUs belong to the first.
  const Topology &Machine =
      topology("package:2 [numa(memory=64GB)] [numa(memory=1GB)] pu:2");
  EXPECT_EQ(Machine.numNodes(), 4);
  ASSERT_EQ(Machine.numCpus(), 4);
  // OS nodes in order: the two of the first package, then those of the second.
  const int Nodes[] = {0, 0, 2, 2};
  for (int Cpu = 0; Cpu < 4; ++Cpu)
    EXPECT_EQ(Machine.nodeOfCpu(Cpu), Nodes[Cpu]) << "CPU " << Cpu;
}

TEST(TopologyTest, machineWideMemoryNode) {
  // A memory-only node for all CPUs, as CXL memory may be shown: the packages'
  // own nodes keep them.
  const Topology &Machine =
      topology("[numa(memory=256GB)] package:2 [numa(memory=64GB)] pu:2");
  EXPECT_EQ(Machine.numNodes(), 3);
  const int Nodes[] = {0, 0, 1, 1};
  for (int Cpu = 0; Cpu < 4; ++Cpu)
    EXPECT_EQ(Machine.nodeOfCpu(Cpu), Nodes[Cpu]) << "CPU " << Cpu;
}

//===----------------------------------------------------------------------===//
// Machines from XML
//===----------------------------------------------------------------------===//

TEST(TopologyTest, irregular) {
  const Topology &Machine = irregularMachine();
  EXPECT_FALSE(Machine.isThisSystem());
  EXPECT_EQ(Machine.numNodes(), 3);
  ASSERT_EQ(Machine.numCpus(), 8);
  const int Cpus[] = {2, 5, 9, 10, 11, 12, 13, 14};
  const int Nodes[] = {0, 1, 1, 2, 2, 2, 2, 2};
  for (int I = 0; I < 8; ++I) {
    EXPECT_EQ(Machine.cpuAt(I), Cpus[I]);
    EXPECT_EQ(Machine.nodeOfCpu(Cpus[I]), Nodes[I]);
  }
  for (int Cpu : {0, 1, 3, 4, 6, 7, 8, 15})
    EXPECT_EQ(Machine.nodeOfCpu(Cpu), -1) << Cpu;
}

TEST(TopologyTest, nodeWithoutCpus) {
  const Topology &Machine = topology(test::Machine{
      "node:3 pu:2", {0, 1, 4, 5}, {10, 14, 20, 14, 10, 18, 20, 18, 10}});
  EXPECT_EQ(Machine.numNodes(), 3);
  ASSERT_EQ(Machine.numCpus(), 4);
  const int Nodes[] = {0, 0, 2, 2};
  for (int I = 0; I < 4; ++I)
    EXPECT_EQ(Machine.nodeOfCpu(Machine.cpuAt(I)), Nodes[I]);
  EXPECT_EQ(Machine.nodeOfCpu(2), -1);
  // It has distances all the same: data can lie there.
  EXPECT_EQ(Machine.distance(0, 1), 14u);
  EXPECT_EQ(Machine.distance(2, 1), 18u);
  EXPECT_EQ(Machine.distance(0, 2), 20u);
}

TEST(TopologyTest, sparseNodeNumbers) {
  const Topology &Machine =
      topology(test::Machine{"node:3(indexes=900,5,1023) pu:1",
                             {},
                             {10, 11, 12, 21, 10, 23, 31, 32, 10}});
  EXPECT_EQ(Machine.numNodes(), 3);
  EXPECT_EQ(Machine.nodeOfCpu(0), 900);
  EXPECT_EQ(Machine.nodeOfCpu(2), 1023);
  // Asymmetric: from the row to the column.
  EXPECT_EQ(Machine.distance(900, 5), 11u);
  EXPECT_EQ(Machine.distance(5, 900), 21u);
  EXPECT_EQ(Machine.distance(1023, 5), 32u);
  EXPECT_EQ(Machine.distance(5, 1023), 23u);
  EXPECT_EQ(Machine.distance(5, 6), 20u); // no such node
}

TEST(TopologyTest, distancesOfThePaperMachine) {
  const Topology &Machine = paperMachine();
  ASSERT_EQ(Machine.numNodes(), 24);
  ASSERT_EQ(Machine.numCpus(), 192);
  EXPECT_EQ(Machine.distance(0, 0), 10u);
  EXPECT_EQ(Machine.distance(0, 1), 16u);
  EXPECT_EQ(Machine.distance(6, 0), 22u);
  EXPECT_EQ(Machine.distance(8, 7), 32u);
  EXPECT_EQ(Machine.distance(23, 22), 16u);
}

TEST(TopologyTest, distancesWithoutAMatrix) {
  const Topology &Machine = topology("node:4 pu:2");
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J)
      EXPECT_EQ(Machine.distance(I, J), I == J ? 10u : 20u);
  for (int Node : {-1, INT32_MIN, 4, MaxOsNodes - 1, MaxOsNodes, INT32_MAX}) {
    EXPECT_EQ(Machine.distance(Node, 0), 20u) << Node;
    EXPECT_EQ(Machine.distance(0, Node), 20u) << Node;
  }
}

TEST(TopologyTest, distancesWithAMatrixOutOfRange) {
  const Topology &Machine = irregularMachine();
  for (int Node : {-1, INT32_MIN, 3, MaxOsNodes - 1, MaxOsNodes, INT32_MAX}) {
    EXPECT_EQ(Machine.distance(Node, 0), 20u) << Node;
    EXPECT_EQ(Machine.distance(0, Node), 20u) << Node;
  }
}

//===----------------------------------------------------------------------===//
// Failure, and loading again
//===----------------------------------------------------------------------===//

static void expectOneNode(const Topology &Machine) {
  EXPECT_TRUE(Machine.isThisSystem());
  EXPECT_EQ(Machine.numNodes(), 1);
  EXPECT_GT(Machine.numCpus(), 0);
  for (int I = 0; I < Machine.numCpus(); ++I) {
    ASSERT_EQ(Machine.cpuAt(I), I);
    ASSERT_EQ(Machine.nodeOfCpu(I), 0);
  }
  EXPECT_EQ(Machine.distance(0, 0), 10u);
  EXPECT_EQ(Machine.distance(0, 1), 20u);
}

TEST(TopologyTest, brokenDescriptionIsOneNode) {
  for (const char *Text : {"", "node:", "node:0 pu:1", "node:2 pu", "nonsense",
                           "node:2 pu:2 extra:3"}) {
    SCOPED_TRACE(Text);
    auto Machine = std::make_unique<Topology>();
    EXPECT_FALSE(Machine->load(Text));
    expectOneNode(*Machine);
  }
  // Who calls load() decides what to say.
  EXPECT_TRUE(takeWarnings().empty());
}

TEST(TopologyTest, loadAgainForgetsTheFirst) {
  static Topology Machine;
  std::string Name = writeXml({"node:2 pu:2", {}, {10, 15, 15, 10}});
  setenv("HWLOC_XMLFILE", Name.c_str(), 1);
  ASSERT_TRUE(Machine.load(nullptr));
  unsetenv("HWLOC_XMLFILE");
  EXPECT_EQ(Machine.distance(0, 1), 15u);
  ASSERT_TRUE(Machine.load("node:3 pu:1"));
  expectRegular(Machine, 3, 1);
  EXPECT_EQ(Machine.distance(0, 1), 20u);
  EXPECT_FALSE(Machine.load("nonsense"));
  expectOneNode(Machine);
}

TEST(TopologyTest, thisMachine) {
  static Topology Machine;
  ASSERT_TRUE(Machine.load(nullptr));
  EXPECT_TRUE(Machine.isThisSystem());
  EXPECT_EQ(Machine.numNodes(), numa_num_configured_nodes());
  // Every CPU that this process may use is there, on the node libnuma names.
  cpu_set_t Mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof(Mine), &Mine), 0);
  for (int Cpu = 0; Cpu < CPU_SETSIZE; ++Cpu)
    if (CPU_ISSET(Cpu, &Mine))
      EXPECT_EQ(Machine.nodeOfCpu(Cpu), numa_node_of_cpu(Cpu)) << Cpu;
}

//===----------------------------------------------------------------------===//
// The process' own topology, each in a process of its own
//===----------------------------------------------------------------------===//

/// What this program prints with --describe and \p Setting in its environment.
static std::string describe(const std::string &Setting) {
  char Self[4096] = {};
  EXPECT_GT(readlink("/proc/self/exe", Self, sizeof(Self) - 1), 0);
  std::string Command = "env '" + Setting + "' '" + Self + "' --describe";
  FILE *Pipe = popen(Command.c_str(), "r");
  EXPECT_NE(Pipe, nullptr);
  std::string Text;
  char Buffer[4096];
  while (size_t Bytes = fread(Buffer, 1, sizeof(Buffer), Pipe))
    Text.append(Buffer, Bytes);
  int Status = pclose(Pipe);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0) << Command;
  return Text;
}

TEST(ProcessTopologyTest, synthetic) {
  EXPECT_EQ(describe("HWLOC_SYNTHETIC=node:2 pu:2"),
            "may have nodes 1, this system 0, nodes 2, cpus 4: 0@0 1@0 2@1 "
            "3@1\n");
}

TEST(ProcessTopologyTest, xml) {
  std::string Name = writeXml({"node:3 pu:2", {1, 2, 3}});
  EXPECT_EQ(describe("HWLOC_XMLFILE=" + Name),
            "may have nodes 1, this system 0, nodes 3, cpus 3: 1@0 2@1 3@1\n");
}

TEST(ProcessTopologyTest, ownMachine) {
  std::string Text = describe("LC_ALL=C");
  const char *May =
      numa_max_node() > 0 ? "may have nodes 1," : "may have nodes 0,";
  EXPECT_EQ(Text.compare(0, strlen(May), May), 0) << Text;
  EXPECT_NE(Text.find("this system 1"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("warning"), std::string::npos) << Text;
}

TEST(ProcessTopologyTest, unreadableIsOneNodeAndReportedOnce) {
  // None of hwloc's ways to look at a machine.
  std::string Text = describe("HWLOC_COMPONENTS=stop");
  EXPECT_NE(Text.find("this system 1, nodes 1, cpus 8192: 0@0 1@0"),
            std::string::npos)
      << Text;
  size_t First = Text.find("warning: task affinity: hwloc cannot read");
  ASSERT_NE(First, std::string::npos) << Text;
  EXPECT_EQ(Text.find("warning", First + 1), std::string::npos) << Text;
}
