//===- kmp/threads_reserve.cpp - OMP_THREADS_RESERVE ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP 6.0, 4.3.10.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/settings.h"
#include "locus/support/host.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

namespace locus {

ThreadsReserved Reserved;
static char ReserveText[100] = "";

/// One reservation at \p Text: `structured`, `free_agent`, each perhaps with a
/// number in parentheses. Null if it is none, else what lies behind it.
static const char *parseReservation(const char *Text, int *Structured,
                                    int *OfAgents) {
  static constexpr struct {
    const char *Name;
    bool IsAgents;
  } Kinds[] = {{"structured", false}, {"free_agent", true}};
  for (const auto &Kind : Kinds) {
    const size_t Length = strlen(Kind.Name);
    if (strncasecmp(Text, Kind.Name, Length) != 0)
      continue;
    Text += Length;
    Text += strspn(Text, " \t");
    long Number = INT_MAX;
    if (*Text == '(') {
      char *Rest;
      errno = 0;
      Number = strtol(Text + 1, &Rest, 10);
      Rest += strspn(Rest, " \t");
      if (Rest == Text + 1 || errno != 0 || *Rest != ')' || Number < 0 ||
          Number > INT_MAX)
        return nullptr;
      Text = Rest + 1;
    }
    (Kind.IsAgents ? *OfAgents : *Structured) = int(Number);
    return Text + strspn(Text, " \t");
  }
  return nullptr;
}

static bool parseReserveList(const char *Text, int *Structured, int *OfAgents) {
  char *Rest;
  errno = 0;
  const long Number = strtol(Text, &Rest, 10);
  if (Rest != Text) {
    *Structured = int(Number);
    return errno == 0 && Rest[strspn(Rest, " \t")] == '\0' && Number >= 0 &&
           Number <= INT_MAX;
  }
  do {
    Text += strspn(Text, " \t");
    Text = parseReservation(Text, Structured, OfAgents);
  } while (Text && *Text++ == ',');
  return Text && Text[-1] == '\0';
}

void parseReserve(char const *Name, char const *Value, void *) {
  int Structured = 1, OfAgents = -1;
  if (strlen(Value) >= sizeof(ReserveText) ||
      !parseReserveList(Value, &Structured, &OfAgents)) {
    warnOf("%s=\"%.1000s\": legal values are a number of threads, and a list "
           "of structured(N) and free_agent(N), as in "
           "\"structured(4),free_agent(2)\"; nothing is reserved.",
           Name, Value);
    return;
  }
  Reserved.Structured = Structured;
  Reserved.Agents = OfAgents == INT_MAX ? -1 : OfAgents;
  strcpy(ReserveText, Value);
}

const char *reserveValue() { return ReserveText; }

} // namespace locus
