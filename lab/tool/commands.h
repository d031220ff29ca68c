//===- tool/commands.h - The commands of locus-lab --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_TOOL_COMMANDS_H
#define LOCUS_LAB_TOOL_COMMANDS_H

#include "lab/machine/file.h"
#include "lab/program.h"

#include <optional>

namespace locus::lab {

/// The command line: what belongs to any of the commands.
struct Arguments {
  std::string Machine, TracedOn, Contender = "ours", Trace;
  std::vector<std::string> Settings, Scale; ///< NAME=VALUE
  std::optional<int> Threads;
  uint64_t Seed = 1;
  bool NoHints = false, Json = false;
  std::vector<std::string> Names; ///< machines
  std::string What;               ///< a program, a trace or a file
};

/// The machine that \p A names, with its figures scaled.
MachineFile machineOf(const Arguments &A);
/// The rest of them. \p M is for the number of threads.
RunOptions runOptionsOf(const Arguments &A, const Machine &M);

/// Thread-seconds of a run by what they were spent on.
struct Share {
  std::string What;
  double Seconds;
};
/// All but the work itself, the largest first. \p WorkSeconds is what the same
/// work takes one thread alone: more than that is memory that is far or shared.
std::vector<Share> losses(const Result &R, double WorkSeconds);
/// Share of the bytes from memory that came from the thread's own node.
double localBytes(const Result &R);

// Each returns the exit status, and throws std::exception with a line for the
// user.
int listMachines(const Arguments &A);
int listPrograms(const Arguments &A);
int runProgram(const Arguments &A);
int predict(const Arguments &A);
int measure(const Arguments &A);

} // namespace locus::lab

#endif // LOCUS_LAB_TOOL_COMMANDS_H
