//===- support/host.h - What the core asks of its host ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core is linked into a host: libomp, by the adapter in kmp/, or the
// laboratory, the unit tests, or the model check. It calls these functions, and
// its host defines them. There are two more, declared where they are used:
//
//   makeTasksKnown()  inplace/inplace.h; defined by kmp/inplace.cpp
//   notePass()        queue/combining.h; the core's own support/stats.cpp has
//                     it, but the model check is linked without that
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_HOST_H
#define LOCUS_SUPPORT_HOST_H

#include <stdarg.h>
#include <stdio.h>

namespace locus {

/// Prints "OMP: Warning: <Text>" unless warnings are off. Any thread may call
/// it; it may block for the output.
void warn(const char *Text);

/// The same of what printf() makes of \p Format, in the core itself.
__attribute__((format(printf, 1, 2))) inline void warnOf(const char *Format,
                                                         ...) {
  char Text[2560]; // two names of files and a sentence
  va_list Values;
  va_start(Values, Format);
  vsnprintf(Text, sizeof(Text), Format, Values);
  va_end(Values);
  warn(Text);
}

/// Says that there is no memory, and ends the program: for where a task would
/// be lost.
[[noreturn]] void outOfMemory();

} // namespace locus

#endif // LOCUS_SUPPORT_HOST_H
