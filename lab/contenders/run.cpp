//===- contenders/run.cpp - Who schedules ---------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/contenders/contenders.h"

#include <stdexcept>

namespace locus::lab {

namespace {
struct Contender {
  const char *Name;
  Result (*Run)(const Machine &M, const RunOptions &Options, const Program &P);
};
const Contender All[] = {{"ours", runOurs},      {"stock", runModel},
                         {"libgomp", runModel},  {"ompi", runModel},
                         {"ompi-old", runModel}, {"kaapi", runModel},
                         {"pool", runModel}};
} // namespace

Result run(const Machine &M, const RunOptions &Options, const Program &P) {
  for (const Contender &C : All)
    if (Options.Contender == C.Name)
      return C.Run(M, Options, P);
  std::string Names;
  for (const Contender &C : All)
    Names += std::string(Names.empty() ? "" : ", ") + C.Name;
  throw std::invalid_argument("there is no scheduler '" + Options.Contender +
                              "'; there are " + Names);
}

std::vector<std::string> contenders() {
  std::vector<std::string> Names;
  for (const Contender &C : All)
    Names.push_back(C.Name);
  return Names;
}

} // namespace locus::lab
