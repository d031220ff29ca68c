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

/// The place of \p Value in \p Words, behind whose last there is null.
int choose(const std::string &Name, const std::string &Value,
           const char *const *Words) {
  std::string Legal;
  for (int I = 0; Words[I]; ++I) {
    if (Value == Words[I])
      return I;
    Legal += std::string(I ? ", " : "") + Words[I];
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

/// Not those of libomp's own scheduler, of taskloops and of reports.
bool isKnown(Setting Of) {
  return Of != Setting::Scheduler && Of != Setting::LoopAffinity &&
         Of != Setting::Stats && Of != Setting::Trace;
}

void refuse(const std::string &Name) {
  std::string Known;
  for (int I = 0; I < NumSettings; ++I)
    if (isKnown(Setting(I)))
      Known += std::string(Variables[I].Name) + ", ";
  throw std::invalid_argument(
      "the setting " + Name + " is not known; known are " + Known +
      "KMP_BLOCKTIME, KMP_TASK_INPLACE and OMP_WAIT_POLICY");
}

void set(Settings &S, const std::string &Name, const std::string &Value) {
  static constexpr const char *Policies[] = {"active", "passive", nullptr};
  static constexpr const char *Truths[] = {"0", "1", nullptr};
  const Setting Of = settingOf(Name.c_str());
  if (Name == "OMP_WAIT_POLICY")
    S.IsPassive = choose(Name, Value, Policies) == 1;
  else if (Name == "KMP_BLOCKTIME")
    S.BlockTime = Value == "infinite" ? UINT64_MAX
                                      : uint64_t(number(Name, Value)) * 1000000;
  else if (Name == "KMP_TASK_INPLACE")
    S.Options.InPlace = choose(Name, Value, Truths) == 1;
  else if (Of == Setting::End || !isKnown(Of))
    refuse(Name);
  else if (Of == Setting::Queues)
    setQueues(S, Name, Value);
  else if (Of == Setting::QueueSize)
    S.Options.Limit = number(Name, Value);
  else if (Of == Setting::DependentLimit)
    S.HasDependentLimit = true, S.DependentLimit = number(Name, Value);
  else if (Of == Setting::Tuning)
    setTuned(Value);
  else
    S.Chosen.At[int(Of)] = choose(Name, Value, Variables[int(Of)].Values);
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
  S.Chosen.set(S.Options);
  S.UsesHints = From.UseHints;
  return S;
}

} // namespace locus::lab
