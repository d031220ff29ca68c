//===- kmp/recording.h - The name of libomp's own recording -----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether libomp is built to record and replay tasks, which is off by default:
// OMPX_TASKGRAPH, as LLVM 22 calls it. LLVM 23 has another name.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_RECORDING_H
#define LOCUS_KMP_RECORDING_H

#include "kmp.h"

#ifdef OMP_TASKGRAPH_EXPERIMENTAL
#define OMPX_TASKGRAPH OMP_TASKGRAPH_EXPERIMENTAL
#endif

#endif // LOCUS_KMP_RECORDING_H
