//===- machine/file.h - Machines in files -----------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_MACHINE_FILE_H
#define LOCUS_LAB_MACHINE_FILE_H

#include "lab/machine.h"
#include "lab/programs/build.h"

#include <map>

namespace locus::lab {

/// A figure of a machine's file, and who measured it.
struct Figure {
  std::string
      Name; ///< as in the file; of a class of node pairs with its number
  double Value;
  std::string Source;
};

/// A machine as its file says it: lab/machines/README.md has the format.
struct MachineFile {
  Machine M;
  CoreSpeed Speed;
  std::string Description;
  std::vector<Figure> Figures;
};

/// Factors for figures by name, `memory_ns` for all classes: for the question
/// what a wrong figure would change.
using Factors = std::map<std::string, double>;

/// Reads the machine \p Name: a file, or one of those in lab/machines without
/// its `.json`. Throws std::invalid_argument with a line for the user: no such
/// file, no JSON, a figure that is missing, not known, or without a source, or
/// a machine that cannot be.
MachineFile readMachine(const std::string &Name, const Factors &Scaled = {});

/// The same from the text of a file; \p Name is for messages.
MachineFile parseMachine(const std::string &Text, const std::string &Name,
                         const Factors &Scaled = {});

/// The names of all figures that a factor may name.
const std::vector<std::string> &figureNames();

/// The machines that come with the laboratory.
std::vector<std::string> knownMachines();

} // namespace locus::lab

#endif // LOCUS_LAB_MACHINE_FILE_H
