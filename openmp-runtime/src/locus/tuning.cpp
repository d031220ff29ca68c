//===- tuning.cpp - Numbers that can be set -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/tuning.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

namespace locus {

Tuning Tuned;

struct TuningRow {
  const char *Name;
  uint32_t Tuning::*Field;
  uint32_t Default, Least, Most;
  const char *Unit;
};

static const TuningRow Rows[] = {
#define LOCUS_TUNING_ROW(Name, Default, Least, Most, Unit)                     \
  {#Name, &Tuning::Name, Default, Least, Most, Unit},
    LOCUS_TUNING(LOCUS_TUNING_ROW)
#undef LOCUS_TUNING_ROW
};

static char Trouble[256];

/// Reads one name=value of \p Length characters into \p Into.
static bool setOne(const char *Text, size_t Length, Tuning &Into) {
  char Item[64];
  size_t Used = 0;
  for (size_t I = 0; I < Length; ++I)
    if (!isspace(static_cast<unsigned char>(Text[I])) &&
        Used + 1 < sizeof(Item))
      Item[Used++] = Text[I];
  Item[Used] = '\0';
  char *Value = strchr(Item, '=');
  if (!Value) {
    snprintf(Trouble, sizeof(Trouble), "'%s' is not name=value", Item);
    return false;
  }
  *Value++ = '\0';
  for (const TuningRow &Row : Rows) {
    if (strcasecmp(Row.Name, Item) != 0)
      continue;
    char *End;
    const unsigned long long Number = strtoull(Value, &End, 10);
    if (!isdigit(static_cast<unsigned char>(*Value)) || *End != '\0' ||
        Number < Row.Least || Number > Row.Most) {
      snprintf(Trouble, sizeof(Trouble), "%s is a number of %s from %u to %u",
               Row.Name, Row.Unit, Row.Least, Row.Most);
      return false;
    }
    Into.*Row.Field = uint32_t(Number);
    return true;
  }
  snprintf(Trouble, sizeof(Trouble), "there is no '%s'", Item);
  return false;
}

/// Null, or why values that are legal each do not go together.
static const char *conflict(const Tuning &T) {
  if (T.FirstCapacity & (T.FirstCapacity - 1))
    return "FirstCapacity is a power of two";
  if (T.NodeChunkLeast > T.NodeChunkMost)
    return "NodeChunkLeast is no more than NodeChunkMost";
  return nullptr;
}

const char *setTuning(const char *Text) {
  Tuning Wanted = Tuned;
  for (const char *At = Text; *At;) {
    const size_t Length = strcspn(At, ",");
    if (!setOne(At, Length, Wanted))
      return Trouble;
    At += Length;
    if (*At == ',')
      ++At;
  }
  if (const char *Why = conflict(Wanted))
    return Why;
  Tuned = Wanted;
  return nullptr;
}

void showTuning(char *Text, unsigned Size) {
  unsigned Used = 0;
  Text[0] = '\0';
  for (const TuningRow &Row : Rows) {
    const uint32_t Value = Tuned.*Row.Field;
    if (Value == Row.Default || Used >= Size)
      continue;
    const int More = snprintf(Text + Used, Size - Used, "%s%s=%u",
                              Used ? "," : "", Row.Name, Value);
    Used += More > 0 ? unsigned(More) : 0;
  }
}

void listTuning(void (*Say)(const char *Line)) {
  for (const TuningRow &Row : Rows) {
    char Line[128];
    snprintf(Line, sizeof(Line), "%s=%u, %u to %u %s", Row.Name,
             Tuned.*Row.Field, Row.Least, Row.Most, Row.Unit);
    Say(Line);
  }
}

} // namespace locus
