//===- kmp/gomp.h - Names and versions of libgomp ---------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_GOMP_H
#define LOCUS_KMP_GOMP_H

#include "kmp.h"

// Libomp's, defined in kmp_gsupport.cpp and kmp_ftn_entry.h.
extern "C" {
void KMP_EXPAND_NAME(GOMP_taskwait_depend)(void **Depend);
int KMP_EXPAND_NAME(omp_get_initial_device)(void);
}

/// Begins the definition of an entry that libomp does not have: at libgomp's
/// \p Version, and as libomp's own. \p Digits make a name of the version.
#define GOMP_ENTRY(Version, Digits, Result, Name, Parameters)                  \
  Result KMP_EXPAND_NAME(Name) Parameters;                                     \
  KMP_VERSION_SYMBOL(Name, Digits, Version);                                   \
  Result KMP_EXPAND_NAME(Name) Parameters

/// Begins the definition of \p Name at libgomp's \p Version alone.
#define GOMP_ONLY(Version, Result, Name, Parameters)                           \
  __asm__(".symver gomp_" #Name "," #Name "@" Version);                        \
  Result gomp_##Name Parameters

#endif // LOCUS_KMP_GOMP_H
