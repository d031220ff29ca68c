//===- test/machine_file.cpp - Machines in files -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine/file.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace locus::lab;

namespace {

/// A file with two nodes of two processors, all figures 1, but for \p Change,
/// which replaces a text by another.
std::string file(const std::string &Old = "", const std::string &New = "") {
  const std::string One = "{\"value\": 1, \"source\": \"this test\"}";
  std::string Text = "{\"name\": \"m\", \"description\": \"d\", "
                     "\"topology\": \"numa:2 core:2 pu:1\", "
                     "\"node_classes\": [\"01\", \"10\"], \"classes\": [";
  const auto Add = [&](const std::string &Key) {
    Text += "\"" + Key + "\": " + One;
  };
  for (int C = 0; C < 2; ++C) {
    Text += C ? ", {" : "{";
    for (const char *Key : {"memory_ns", "core_gbs", "pair_gbs"})
      Add(Key), Text += ", ";
    Add("line_ns"), Text += "}";
  }
  Text += "]";
  const std::vector<std::string> &All = figureNames();
  for (size_t I = 4; I < All.size(); ++I)
    Text += ", ", Add(All[I]);
  Text += "}";
  const size_t At = Old.empty() ? std::string::npos : Text.find(Old);
  return At == std::string::npos ? Text : Text.replace(At, Old.size(), New);
}

std::string refusal(const std::string &Text, const Factors &Scaled = {}) {
  try {
    parseMachine(Text, "file", Scaled);
  } catch (const std::invalid_argument &Error) {
    return Error.what();
  }
  return "";
}

void expectRefused(const std::string &Text, const std::string &Why) {
  EXPECT_NE(refusal(Text).find(Why), std::string::npos)
      << "instead: " << refusal(Text);
}

TEST(MachineFileTest, AFlowGoesOverTheLinksThatTheFileNames) {
  const MachineFile F = parseMachine(file(), "file");
  EXPECT_EQ(F.M.numProcessors(), 4);
  // Memory and egress of each node, and a link for each pair.
  EXPECT_EQ(F.M.Links.size(), 2u + 2 + 2);
  EXPECT_EQ(F.M.Paths[F.M.pair(0, 0)].size(), 1u);
  EXPECT_EQ(F.M.Paths[F.M.pair(0, 1)].size(), 3u);
}

TEST(MachineFileTest, FiguresCanBeScaled) {
  const MachineFile F = parseMachine(file(), "file", {{"memory_ns", 1.25}});
  EXPECT_EQ(F.M.MemoryNs[1], 1.25);
  EXPECT_EQ(F.M.NodeLineNs[1], 1);
  EXPECT_NE(refusal(file(), {{"speed", 2}}).find("no figure 'speed'"),
            std::string::npos);
}

TEST(MachineFileTest, WhatIsWrongIsNamed) {
  expectRefused("", "not a JSON object");
  expectRefused("[1", "not a JSON object");
  expectRefused(file("\"ghz\"", "\"gigahertz\""), "'gigahertz' is not known");
  expectRefused(
      file(", \"ghz\": {\"value\": 1, \"source\": \"this test\"}", ""),
      "figure ghz is missing");
  expectRefused(file("\"source\": \"this test\"", "\"source\": \"\""),
                "memory_ns of class 0 has no source");
  expectRefused(file("\"value\": 1", "\"value\": \"1\""), "has no number");
  expectRefused(file("\"value\": 1", "\"value\": -1"), "is negative");
  expectRefused(file("\"value\": 1", "\"value\": 0"), "MemoryNs");
  expectRefused(file("[\"01\", \"10\"]", "[\"01\"]"), "has 1 rows");
  expectRefused(file("\"10\"", "\"1x\""), "'1x' is not one digit");
  expectRefused(file("\"10\"", "\"12\""), "names class 2");
  expectRefused(file("numa:2 core:2", "numa:2 corn:2"), "hwloc cannot read");
  expectRefused(file("core:2", "core:200"), "400 processors");
}

TEST(MachineFileTest, ThoseOfTheLaboratoryAreTheMachinesOfTheirNames) {
  const MachineFile Uv = readMachine("uv2000");
  EXPECT_EQ(Uv.M.numProcessors(), 192);
  EXPECT_EQ(Uv.M.NumNodes, 24);
  // A pair, one hop, two hops.
  EXPECT_GT(Uv.M.ProcessorGBs[1], Uv.M.ProcessorGBs[2]);
  EXPECT_GT(Uv.M.ProcessorGBs[2], Uv.M.ProcessorGBs[23]);
  EXPECT_EQ(readMachine("epyc-7742").M.numProcessors(), 128);
  EXPECT_EQ(readMachine("epyc-7742").M.NumNodes, 8);
  EXPECT_EQ(readMachine("cascade-lake").M.numProcessors(), 48);
  EXPECT_EQ(readMachine("graviton4").M.numProcessors(), 192);
  EXPECT_EQ(readMachine("grace").M.numProcessors(), 144);
  EXPECT_GE(knownMachines().size(), 3u);
  for (const std::string &Name : knownMachines())
    for (const Figure &F : readMachine(Name).Figures)
      EXPECT_FALSE(F.Source.empty()) << Name << ": " << F.Name;
}

TEST(MachineFileTest, AnUnknownNameListsTheKnownOnes) {
  try {
    readMachine("uv3000");
    FAIL();
  } catch (const std::invalid_argument &Error) {
    EXPECT_NE(std::string(Error.what()).find("epyc-7742"), std::string::npos);
  }
}

} // namespace
