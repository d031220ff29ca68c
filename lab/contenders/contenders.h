//===- contenders/contenders.h - Who schedules ------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_CONTENDERS_CONTENDERS_H
#define LOCUS_LAB_CONTENDERS_CONTENDERS_H

#include "lab/machine.h"
#include "lab/program.h"

namespace locus::lab {

/// As run(), for each a scheduler of its own.
Result runOurs(const Machine &M, const RunOptions &Options, const Program &P);
/// One of lab/models, by Options.Contender.
Result runModel(const Machine &M, const RunOptions &Options, const Program &P);

} // namespace locus::lab

#endif // LOCUS_LAB_CONTENDERS_CONTENDERS_H
