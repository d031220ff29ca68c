//===- tool/arguments.cpp - Words of the command line --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/tool/commands.h"

#include <algorithm>
#include <stdexcept>

namespace locus::lab {

const std::vector<std::string> RunOptionNames = {
    "machine", "threads", "contender", "set", "seed", "scale"};

static bool contains(const std::vector<std::string> &All,
                     const std::string &Name) {
  return std::find(All.begin(), All.end(), Name) != All.end();
}

Arguments::Arguments(int Count, char **Words,
                     const std::vector<std::string> &Options,
                     const std::vector<std::string> &Flags) {
  for (int I = 0; I < Count; ++I) {
    const std::string Word = Words[I];
    if (Word.compare(0, 2, "--") != 0) {
      Rest.push_back(Word);
      continue;
    }
    const size_t Equal = Word.find('=');
    const std::string Name = Word.substr(
        2, Equal == std::string::npos ? std::string::npos : Equal - 2);
    if (contains(Flags, Name) && Equal == std::string::npos) {
      Given.push_back({Name, ""});
    } else if (!contains(Options, Name)) {
      throw std::invalid_argument("there is no option " + Word);
    } else if (Equal != std::string::npos) {
      Given.push_back({Name, Word.substr(Equal + 1)});
    } else if (I + 1 < Count) {
      Given.push_back({Name, Words[++I]});
    } else {
      throw std::invalid_argument(Word + " wants a value");
    }
  }
}

bool Arguments::has(const std::string &Option) const {
  for (const auto &[Name, Value] : Given)
    if (Name == Option)
      return true;
  return false;
}

std::string Arguments::text(const std::string &Option,
                            const std::string &Default) const {
  std::string Found = Default;
  for (const auto &[Name, Value] : Given)
    if (Name == Option)
      Found = Value;
  return Found;
}

long Arguments::number(const std::string &Option, long Default, long Least,
                       long Most) const {
  if (!has(Option))
    return Default;
  const std::string Text = text(Option);
  char *End = nullptr;
  const long Value = strtol(Text.c_str(), &End, 10);
  if (Text.empty() || *End || Value < Least || Value > Most)
    throw std::invalid_argument(
        "--" + Option + " " + Text + ": it has to be a number from " +
        std::to_string(Least) + " to " + std::to_string(Most));
  return Value;
}

std::vector<std::pair<std::string, std::string>>
Arguments::pairs(const std::string &Option) const {
  std::vector<std::pair<std::string, std::string>> All;
  for (const auto &[Name, Value] : Given) {
    if (Name != Option)
      continue;
    const size_t Equal = Value.find('=');
    if (Equal == std::string::npos || Equal == 0)
      throw std::invalid_argument("--" + Option + " " + Value +
                                  ": it has to be NAME=VALUE");
    All.push_back({Value.substr(0, Equal), Value.substr(Equal + 1)});
  }
  return All;
}

MachineFile machineOf(const Arguments &A) {
  if (!A.has("machine"))
    throw std::invalid_argument("--machine is missing; `locus-lab machines` "
                                "lists those that there are");
  Factors Scaled;
  for (const auto &[Name, Value] : A.pairs("scale")) {
    char *End = nullptr;
    Scaled[Name] = strtod(Value.c_str(), &End);
    if (Value.empty() || *End)
      throw std::invalid_argument("--scale " + Name + "=" + Value +
                                  ": that is no number");
  }
  return readMachine(A.text("machine"), Scaled);
}

RunOptions runOptionsOf(const Arguments &A, const Machine &M) {
  RunOptions Options;
  Options.Threads = int(A.number("threads", M.numProcessors(), 1, 1 << 20));
  if (Options.Threads > M.numProcessors())
    throw std::invalid_argument("--threads " + std::to_string(Options.Threads) +
                                ": " + M.Name + " has " +
                                std::to_string(M.numProcessors()) +
                                " processors, and each runs one thread");
  Options.Contender = A.text("contender", "ours");
  Options.Settings = A.pairs("set");
  Options.Seed = uint64_t(A.number("seed", 1, 0, 1 << 30));
  Options.UseHints = !A.has("no-hints");
  return Options;
}

} // namespace locus::lab
