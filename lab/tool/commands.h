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

namespace locus::lab {

/// What follows the command: options with their values, and the rest.
class Arguments {
public:
  /// An option is `--NAME VALUE` or `--NAME=VALUE`; those in \p Flags have no
  /// value. Throws std::invalid_argument for one that is in neither list.
  Arguments(int Count, char **Words, const std::vector<std::string> &Options,
            const std::vector<std::string> &Flags = {});

  bool has(const std::string &Option) const;
  /// The last value of \p Option, else \p Default.
  std::string text(const std::string &Option,
                   const std::string &Default = "") const;
  /// The same as a whole number from \p Least to \p Most.
  long number(const std::string &Option, long Default, long Least,
              long Most) const;
  /// All values of \p Option, each NAME=VALUE.
  std::vector<std::pair<std::string, std::string>>
  pairs(const std::string &Option) const;
  const std::vector<std::string> &rest() const { return Rest; }

private:
  std::vector<std::pair<std::string, std::string>> Given;
  std::vector<std::string> Rest;
};

/// Options of commands that run something: --machine, --threads, --contender,
/// --set, --seed, --scale, and the flag --no-hints.
extern const std::vector<std::string> RunOptionNames;
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

// Each returns the exit status, and throws std::invalid_argument with a line
// for the user.
int listMachines(int Count, char **Words);
int listPrograms(int Count, char **Words);
int runProgram(int Count, char **Words);
int predict(int Count, char **Words);
int measure(int Count, char **Words);

} // namespace locus::lab

#endif // LOCUS_LAB_TOOL_COMMANDS_H
