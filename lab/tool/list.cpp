//===- tool/list.cpp - What there is -------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/catalog.h"
#include "lab/tool/commands.h"

#include <stdexcept>
#include <stdio.h>

namespace locus::lab {

int listMachines(int Count, char **Words) {
  const Arguments A(Count, Words, {});
  if (A.rest().empty()) {
    for (const std::string &Name : knownMachines())
      printf("%-14s %s\n", Name.c_str(), readMachine(Name).Description.c_str());
    return 0;
  }
  for (const std::string &Name : A.rest()) {
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

int listPrograms(int Count, char **Words) {
  const Arguments A(Count, Words, {});
  if (!A.rest().empty())
    throw std::invalid_argument("it takes no arguments");
  for (const std::string &Line : describePrograms())
    printf("%s\n", Line.c_str());
  return 0;
}

} // namespace locus::lab
