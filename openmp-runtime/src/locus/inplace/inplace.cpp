//===- inplace/inplace.cpp - Tasks that run in place ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/inplace/inplace.h"

#include <stddef.h>

namespace locus {

const std::atomic<int32_t> NeverInline{0};
const std::atomic<int32_t> AlwaysInline{INT32_MAX};

static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t) &&
                  offsetof(InlineState, Depth) == 2 * sizeof(void *) &&
                  sizeof(InlineState) == 2 * sizeof(void *) + 8,
              "the compiler knows this layout");

} // namespace locus

__thread locus::InlineState __kmpc_task_inline = {&locus::NeverInline, nullptr,
                                                  0, 0};
