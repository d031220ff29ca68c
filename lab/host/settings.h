//===- host/settings.h - The core's settings in the laboratory --*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_HOST_SETTINGS_H
#define LOCUS_LAB_HOST_SETTINGS_H

#include "lab/program.h"
#include "locus/team/settings.h"

namespace locus::lab {

struct Settings {
  TeamOptions Options;
  bool IsPassive = false;                 ///< OMP_WAIT_POLICY
  uint64_t BlockTime = 200 * 1000 * 1000; ///< KMP_BLOCKTIME, in ns
  Choices Chosen;
  bool HasDependentLimit = false;
  uint32_t DependentLimit = 0;
  bool UsesHints = true;

  /// What \p From says, beside Tuned, which it sets. Throws
  /// std::invalid_argument with the legal values.
  static Settings parse(const RunOptions &From);
};

} // namespace locus::lab

#endif // LOCUS_LAB_HOST_SETTINGS_H
