//===- programs/catalog.h - Programs by name --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_PROGRAMS_CATALOG_H
#define LOCUS_LAB_PROGRAMS_CATALOG_H

#include "lab/programs/programs.h"

namespace locus::lab {

/// A program as the user asks for it: `NAME[:KEY=VALUE,...]`, such as
/// `jacobi:order=8192,place=strict`. \p Threads is the size of the team that
/// will run it: owners of blocks depend on it. Throws std::invalid_argument,
/// with a line for the user, for names, keys or values that are not known, and
/// for sizes that cannot be.
TimedProgram makeProgram(const std::string &Spec, int Threads, CoreSpeed Speed);

/// A line for each program: its name, its keys with their defaults.
std::vector<std::string> describePrograms();

} // namespace locus::lab

#endif // LOCUS_LAB_PROGRAMS_CATALOG_H
