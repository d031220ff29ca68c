//===- lists/queues_setting.cpp - KMP_TASK_QUEUES -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/lists/queues_setting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

namespace locus {

const char LegalQueues[] =
    "thread, core, l3, numa, package, machine, adaptive, the name of another "
    "type of hwloc's objects (group, die, l2, ...) and numbers of lists from 1 "
    "to 1000000";

static constexpr long MostLists = 1000000;

/// A word of digits only is a number.
static int parseNumber(const char *Text) {
  if (*Text == '\0' || Text[strspn(Text, "0123456789")] != '\0')
    return 0;
  errno = 0;
  const long Number = strtol(Text, nullptr, 10);
  return errno == 0 && Number <= MostLists ? int(Number) : 0;
}

bool parseQueues(const char *Text, ListsOptions &Options) {
  Level Lists = Level::Thread;
  const int NumLists = parseNumber(Text);
  const bool Adaptive = strcasecmp(Text, "adaptive") == 0;
  if (NumLists != 0)
    Lists = FirstCut;
  // hwloc takes "thread" for no type.
  else if (!Adaptive && strcasecmp(Text, "thread") != 0 &&
           !Topology::parseType(Text, Lists))
    return false;
  Topology::wantObjects(Lists == FirstCut && NumLists == 0 ? Text : nullptr);
  Options.Lists = Lists;
  Options.NumLists = NumLists;
  Options.Adaptive = Adaptive;
  return true;
}

} // namespace locus
