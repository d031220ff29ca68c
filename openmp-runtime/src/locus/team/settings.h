//===- team/settings.h - The variables KMP_TASK_* ---------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of settings. libomp's table, the laboratory, traces and the
// stress test read it; docs/reference.md is compared with it.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_SETTINGS_H
#define LOCUS_TEAM_SETTINGS_H

#include "locus/lists/shared_lists.h"
#include "locus/steal/steal_search.h"
#include "locus/task/placement.h"
#include "locus/tuning.h"

#include <string.h>

namespace locus {

/// How several threads take from one queue: KMP_TASK_SYNC.
enum class Sync : uint8_t { Combining, Lock };

/// The settings of a team.
struct TeamOptions : ListsOptions {
  StealPolicy Steal = StealPolicy::Sample;
  /// Tasks in a list, for each thread that shares it, from which on new ones
  /// are throttled, which means that they run at once: KMP_TASK_QUEUE_SIZE.
  /// 0: never. The default is no less than the team's threads, for as many
  /// tasks may wait for each other.
  uint32_t Limit = Tuned.ListLimit;
  bool InPlace = false; ///< tasks may run in place, see inplace/README.md
  Sync TakeBy = Sync::Combining;

  bool operator==(const TeamOptions &O) const {
    return ListsOptions::operator==(O) && Steal == O.Steal &&
           Limit == O.Limit && InPlace == O.InPlace && TakeBy == O.TakeBy;
  }
};

#define LOCUS_STEAL_VALUE(Name, Search, Value) Value,

/// X(name, variable, its legal values, the default first: that of the I-th
/// enumerator). One without values is more than a choice: the host parses it.
#define LOCUS_VARIABLES(X)                                                     \
  X(Scheduler, "KMP_TASK_SCHEDULER", "domains", "stock")                       \
  X(Queues, "KMP_TASK_QUEUES", nullptr)                                        \
  X(Steal, "KMP_TASK_STEAL", LOCUS_STEAL_POLICIES(LOCUS_STEAL_VALUE) nullptr)  \
  X(Sync, "KMP_TASK_SYNC", "combining", "lock")                                \
  X(QueueSize, "KMP_TASK_QUEUE_SIZE", nullptr)                                 \
  X(DependentLimit, "KMP_TASK_DEPENDENT_LIMIT", nullptr)                       \
  X(DependAffinity, "KMP_TASK_DEPEND_AFFINITY", "1", "0")                      \
  X(LoopAffinity, "KMP_TASK_LOOP_AFFINITY", "1", "0")                          \
  X(UnknownNode, "KMP_TASK_UNKNOWN_NODE", "first", "local")                    \
  X(Stats, "KMP_TASK_STATS", nullptr)                                          \
  X(Trace, "KMP_TASK_TRACE", nullptr)                                          \
  X(Tuning, "KMP_TASK_TUNING", nullptr)

enum class Setting : uint8_t {
#define LOCUS_VARIABLE(Name, ...) Name,
  LOCUS_VARIABLES(LOCUS_VARIABLE)
#undef LOCUS_VARIABLE
      End ///< behind the last
};
constexpr int NumSettings = int(Setting::End);

/// What decides where tasks go comes first: a trace says it.
constexpr int NumSchedulingSettings = int(Setting::Stats);

struct Variable {
  const char *Name;
  const char *Values[16]; ///< null behind the last
};
constexpr Variable Variables[NumSettings] = {
#define LOCUS_VARIABLE(Name, Variable, ...) {Variable, {__VA_ARGS__}},
    LOCUS_VARIABLES(LOCUS_VARIABLE)
#undef LOCUS_VARIABLE
};

/// The variable of that name; End if there is none.
inline Setting settingOf(const char *Name) {
  int I = 0;
  while (I < NumSettings && strcmp(Variables[I].Name, Name) != 0)
    ++I;
  return Setting(I);
}

/// What is chosen of their values.
struct Choices {
  int At[NumSettings] = {};

  int operator[](Setting Of) const { return At[int(Of)]; }
  bool hasDependAffinity() const { return !(*this)[Setting::DependAffinity]; }
  bool hasLoopAffinity() const { return !(*this)[Setting::LoopAffinity]; }
  UnknownPolicy unknownPolicy() const {
    return UnknownPolicy((*this)[Setting::UnknownNode]);
  }
  /// Those of a team.
  void set(TeamOptions &Of) const {
    Of.Steal = StealPolicy((*this)[Setting::Steal]);
    Of.TakeBy = Sync((*this)[Setting::Sync]);
  }
};

} // namespace locus

#endif // LOCUS_TEAM_SETTINGS_H
