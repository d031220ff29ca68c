//===- tool/arguments.cpp - What the command line asks for ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/tool/commands.h"

#include <stdexcept>

namespace locus::lab {

static std::vector<std::pair<std::string, std::string>>
pairs(const std::string &Option, const std::vector<std::string> &Values) {
  std::vector<std::pair<std::string, std::string>> All;
  for (const std::string &Value : Values) {
    const size_t Equal = Value.find('=');
    if (Equal == std::string::npos || Equal == 0)
      throw std::invalid_argument(Option + " " + Value +
                                  ": it has to be NAME=VALUE");
    All.push_back({Value.substr(0, Equal), Value.substr(Equal + 1)});
  }
  return All;
}

MachineFile machineOf(const Arguments &A) {
  Factors Scaled;
  for (const auto &[Name, Value] : pairs("--scale", A.Scale)) {
    char *End = nullptr;
    Scaled[Name] = strtod(Value.c_str(), &End);
    if (Value.empty() || *End)
      throw std::invalid_argument("--scale " + Name + "=" + Value +
                                  ": that is no number");
  }
  return readMachine(A.Machine, Scaled);
}

RunOptions runOptionsOf(const Arguments &A, const Machine &M) {
  RunOptions Options;
  Options.Threads = A.Threads.value_or(M.numProcessors());
  if (Options.Threads > M.numProcessors())
    throw std::invalid_argument("--threads " + std::to_string(Options.Threads) +
                                ": " + M.Name + " has " +
                                std::to_string(M.numProcessors()) +
                                " processors, and each runs one thread");
  Options.Contender = A.Contender;
  Options.Settings = pairs("--set", A.Settings);
  Options.Seed = A.Seed;
  Options.UseHints = !A.NoHints;
  return Options;
}

} // namespace locus::lab
