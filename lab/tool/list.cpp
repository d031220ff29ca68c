//===- tool/list.cpp - What there is -------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/catalog.h"
#include "lab/tool/commands.h"

#include <nlohmann/json.hpp>
#include <stdio.h>

namespace locus::lab {

static nlohmann::ordered_json describe(const std::string &Name) {
  const MachineFile F = readMachine(Name);
  nlohmann::ordered_json Of = {{"name", Name},
                               {"description", F.Description},
                               {"processors", F.M.numProcessors()},
                               {"nodes", F.M.NumNodes},
                               {"topology", F.M.Synthetic}};
  for (const Figure &One : F.Figures)
    Of["figures"][One.Name] = {{"value", One.Value}, {"source", One.Source}};
  return Of;
}

int listMachines(const Arguments &A) {
  if (A.Json) {
    nlohmann::ordered_json All = nlohmann::ordered_json::array();
    for (const std::string &Name : A.Names.empty() ? knownMachines() : A.Names)
      All.push_back(describe(Name));
    printf("%s\n", All.dump(1).c_str());
    return 0;
  }
  if (A.Names.empty()) {
    for (const std::string &Name : knownMachines())
      printf("%-14s %s\n", Name.c_str(), readMachine(Name).Description.c_str());
    return 0;
  }
  for (const std::string &Name : A.Names) {
    const MachineFile F = readMachine(Name);
    printf("%s: %s\n%d processors, %d nodes, %s\n", F.M.Name.c_str(),
           F.Description.c_str(), F.M.numProcessors(), F.M.NumNodes,
           F.M.Synthetic.c_str());
    for (const Figure &One : F.Figures)
      printf("%-26s %10.6g  %s\n", One.Name.c_str(), One.Value,
             One.Source.c_str());
  }
  return 0;
}

int listPrograms(const Arguments &A) {
  if (A.Json) {
    printf("%s\n", nlohmann::json(describePrograms()).dump(1).c_str());
    return 0;
  }
  for (const std::string &Line : describePrograms())
    printf("%s\n", Line.c_str());
  return 0;
}

} // namespace locus::lab
