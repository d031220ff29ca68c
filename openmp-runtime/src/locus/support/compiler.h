//===- support/compiler.h - What the compiler is told -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_COMPILER_H
#define LOCUS_SUPPORT_COMPILER_H

/// For the few functions whose call would cost each task some 15 instructions,
/// and that have one caller.
#define LOCUS_ALWAYS_INLINE inline __attribute__((always_inline))

#endif // LOCUS_SUPPORT_COMPILER_H
