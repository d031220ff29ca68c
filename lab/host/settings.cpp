//===- host/settings.cpp - The core's settings in the laboratory ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/host/settings.h"
#include "locus/lists/shared_lists.h"

#include <limits.h>
#include <stdexcept>

namespace locus::lab {

namespace {

/// The place of \p Value in \p Words.
size_t choose(const std::string &Name, const std::string &Value,
              const std::vector<std::string> &Words) {
  std::string Legal;
  for (size_t I = 0; I < Words.size(); ++I) {
    if (Value == Words[I])
      return I;
    Legal += (I ? ", " : "") + Words[I];
  }
  throw std::invalid_argument(Name + "=" + Value + ": legal values are " +
                              Legal);
}

uint32_t number(const std::string &Name, const std::string &Value) {
  char *End = nullptr;
  const long Number = strtol(Value.c_str(), &End, 10);
  if (Value == "unbounded")
    return 0;
  if (Value.empty() || *End != 0 || Number < 0 || Number > INT_MAX)
    throw std::invalid_argument(Name + "=" + Value +
                                ": legal are numbers and unbounded");
  return uint32_t(Number);
}

void setQueues(Settings &S, const std::string &Name, const std::string &Value) {
  if (!parseQueues(Value.c_str(), S.Options))
    throw std::invalid_argument(Name + "=" + Value + ": legal values are " +
                                LegalQueues);
}

void setTuned(const std::string &Value) {
  if (const char *Wrong = setTuning(Value.c_str()))
    throw std::invalid_argument("KMP_TASK_TUNING=" + Value + ": " + Wrong);
}

void set(Settings &S, const std::string &Name, const std::string &Value) {
  if (Name == "KMP_TASK_QUEUES")
    setQueues(S, Name, Value);
  else if (Name == "KMP_TASK_STEAL")
    S.Options.Steal = StealPolicy(choose(Name, Value,
                                         {
#define LOCUS_POLICY(Name, Search, Value) Value,
                                             LOCUS_STEAL_POLICIES(LOCUS_POLICY)
#undef LOCUS_POLICY
                                         }));
  else if (Name == "KMP_TASK_SYNC")
    S.Options.TakeBy = Sync(choose(Name, Value, {"combining", "lock"}));
  else if (Name == "KMP_TASK_QUEUE_SIZE")
    S.Options.Limit = number(Name, Value);
  else if (Name == "KMP_TASK_DEPENDENT_LIMIT")
    S.HasDependentLimit = true, S.DependentLimit = number(Name, Value);
  else if (Name == "KMP_TASK_DEPEND_AFFINITY")
    S.FollowsDepend = choose(Name, Value, {"0", "1"}) == 1;
  else if (Name == "KMP_TASK_UNKNOWN_NODE")
    S.Unknown = UnknownPolicy(choose(Name, Value, {"first", "local"}));
  else if (Name == "OMP_WAIT_POLICY")
    S.IsPassive = choose(Name, Value, {"active", "passive"}) == 1;
  else if (Name == "KMP_TASK_INPLACE")
    S.Options.InPlace = choose(Name, Value, {"0", "1"}) == 1;
  else if (Name != "KMP_TASK_TUNING")
    throw std::invalid_argument(
        "the setting " + Name +
        " is not known; known are KMP_TASK_QUEUES, KMP_TASK_STEAL, "
        "KMP_TASK_SYNC, KMP_TASK_QUEUE_SIZE, KMP_TASK_DEPENDENT_LIMIT, "
        "KMP_TASK_DEPEND_AFFINITY, KMP_TASK_UNKNOWN_NODE, KMP_TASK_TUNING, "
        "KMP_TASK_INPLACE and OMP_WAIT_POLICY");
  else
    setTuned(Value);
}

} // namespace

Settings Settings::parse(const RunOptions &From) {
  Tuned = Tuning();
  // Others follow from it.
  for (const auto &[Name, Value] : From.Settings)
    if (Name == "KMP_TASK_TUNING")
      setTuned(Value);
  Settings S;
  parseQueues("thread", S.Options); // forgets what the last run wanted
  S.Options.Limit = Tuned.ListLimit;
  S.Options.InPlace = true;
  for (const auto &[Name, Value] : From.Settings)
    set(S, Name, Value);
  S.UsesHints = From.UseHints;
  return S;
}

} // namespace locus::lab
