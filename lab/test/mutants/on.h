//===- mutants/on.h - Which fault is on -------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before everything else where broken copies of the core's sources are
// compiled.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_TEST_MUTANTS_ON_H
#define LOCUS_LAB_TEST_MUTANTS_ON_H

/// Of mutants.h; 0: none.
extern int MutantThatIsOn;
inline bool isOn(int Mutant) { return MutantThatIsOn == Mutant; }

#endif // LOCUS_LAB_TEST_MUTANTS_ON_H
