//===- inplace/inplace.cpp - Tasks that run in place ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/inplace/inplace.h"

#include <stddef.h>

namespace locus {

const std::atomic<int32_t> NeverInPlace{0};
const std::atomic<int32_t> AlwaysInPlace{INT32_MAX};

static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t) &&
                  offsetof(InPlaceState, Depth) == 2 * sizeof(void *) &&
                  sizeof(InPlaceState) == 2 * sizeof(void *) + 8,
              "the compiler knows this layout");

} // namespace locus

__thread locus::InPlaceState __kmpc_task_inline = {&locus::NeverInPlace,
                                                   nullptr, 0, 0};
