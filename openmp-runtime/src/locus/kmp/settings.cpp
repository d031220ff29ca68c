//===- kmp/settings.cpp - Environment variables ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/settings.h"
#include "locus/flow/register.h"
#include "locus/support/file_name.h"
#include "locus/support/host.h"
#include "locus/trace/recorder.h"

#include "kmp_i18n.h"
#include "kmp_io.h"
#include "kmp_str.h"

#include <ctype.h>
#include <initializer_list>
#include <string.h>
#include <strings.h>

namespace locus {

void warn(const char *Text) {
  if (__kmp_generate_warnings != kmp_warnings_off)
    __kmp_printf("OMP: Warning: %s\n", Text);
}

void outOfMemory() {
  KMP_FATAL(MemoryAllocFailed);
  abort(); // the compiler does not know that the other one does not return
}

//===----------------------------------------------------------------------===//
// Variables that choose from a list
//===----------------------------------------------------------------------===//

Choices Chosen;

/// The place of \p Text among the legal values of \p V; of the first, after a
/// warning, if it is none.
static int choose(const Variable &V, const char *Text) {
  int I = 0;
  while (V.Values[I] && !__kmp_str_match(V.Values[I], 0, Text))
    ++I;
  if (V.Values[I])
    return I;
  kmp_str_buf_t Legal;
  __kmp_str_buf_init(&Legal);
  for (int J = 0; J < I; ++J)
    __kmp_str_buf_print(&Legal, "%s%s",
                        J == 0       ? ""
                        : J == I - 1 ? " and "
                                     : ", ",
                        V.Values[J]);
  warnOf("%s=\"%.1000s\": legal values are %s; using %s.", V.Name, Text,
         Legal.str, V.Values[0]);
  __kmp_str_buf_free(&Legal);
  return 0;
}

//===----------------------------------------------------------------------===//
// The other ones
//===----------------------------------------------------------------------===//

/// A variable that is a number of tasks, or not set: then a default that may
/// change.
struct TaskCount {
  const char *Name;
  const char *Unset; ///< how its default is said; null: by its number
  uint32_t Value = 0;
  bool IsSet = false;

  static constexpr uint32_t Most = 1 << 30;

  /// Not set: the default of libomp's own deques.
  uint32_t value() const { return IsSet ? Value : Tuned.ListLimit; }
  void parse(const char *Text);
  const char *show() const;
};

void TaskCount::parse(const char *Text) {
  char *Rest;
  errno = 0;
  const long long Number = strtoll(Text, &Rest, 10);
  const bool IsUnset = Unset && __kmp_str_match(Unset, 0, Text);
  IsSet = !IsUnset && errno == 0 && Rest != Text && *Rest == '\0' &&
          Number >= 0 && Number <= Most;
  if (IsSet)
    Value = uint32_t(Number);
  if (IsSet || IsUnset)
    return;
  warnOf("%s=\"%.1000s\": legal values are %s%snumbers of tasks from 0 "
         "(unbounded) to %u; using %s.",
         Name, Text, Unset ? Unset : "", Unset ? " and " : "", Most, show());
}

const char *TaskCount::show() const {
  static char Text[16];
  if (Unset && !IsSet)
    return Unset;
  snprintf(Text, sizeof(Text), "%u", value());
  return Text;
}

static TaskCount QueueSize = {"KMP_TASK_QUEUE_SIZE", nullptr};
static TaskCount DependentLimit = {"KMP_TASK_DEPENDENT_LIMIT", "adaptive"};

/// Whether two words differ by at most one letter that is missing, more,
/// another one, or, of two side by side, the first.
static bool isNear(const char *A, const char *B) {
  while (*A && tolower(*A) == tolower(*B))
    ++A, ++B;
  return strcasecmp(*A ? A + 1 : A, B) == 0 ||
         strcasecmp(A, *B ? B + 1 : B) == 0 ||
         (*A && *B &&
          (strcasecmp(A + 1, B + 1) == 0 ||
           (A[1] && B[1] && tolower(A[0]) == tolower(B[1]) &&
            tolower(A[1]) == tolower(B[0]) && strcasecmp(A + 2, B + 2) == 0)));
}

/// Warns if the name of a file in \p Variable is rather one of the \p Words, or
/// what other variables take for a truth.
static void warnOfWord(const char *Variable, const char *Value,
                       std::initializer_list<const char *> Words) {
  if (strpbrk(Value, "./%"))
    return;
  bool IsWord = Value[strspn(Value, "0123456789")] == '\0' ||
                __kmp_str_match_true(Value) || __kmp_str_match_false(Value);
  for (const char *Word : Words)
    IsWord |= isNear(Value, Word);
  if (!IsWord)
    return;
  kmp_str_buf_t Legal;
  __kmp_str_buf_init(&Legal);
  for (const char *Word : Words)
    __kmp_str_buf_print(&Legal, "%s, ", Word);
  warnOf("%s=%s: this is taken for the name of a file to write, ./%s. Legal "
         "values are %sand the name of a file; for this one write ./%s.",
         Variable, Value, Value, Legal.str, Value);
  __kmp_str_buf_free(&Legal);
}

/// KMP_TASK_QUEUES: what parseQueues() knows.
static char QueuesValue[32] = "thread";
static ListsOptions Queues;

static void parseQueuesSetting(const char *Value) {
  if (strlen(Value) >= sizeof(QueuesValue) || !parseQueues(Value, Queues)) {
    warnOf("KMP_TASK_QUEUES=\"%.1000s\": legal values are %s; using thread.",
           Value, LegalQueues);
    Value = "thread";
    parseQueues(Value, Queues);
  }
  strcpy(QueuesValue, Value);
}

/// Whether \p Value switches off what \p Variable has beside the \p Words.
static bool isOff(const char *Variable, const char *Value, const char *Words) {
  if (*Value == '\0')
    warnOf(
        "%s=\"\": legal values are %s and the name of a file to write; using "
        "off.",
        Variable, Words);
  return *Value == '\0' || __kmp_str_match("off", 0, Value);
}

/// KMP_TASK_STATS: off, on or summary, a file name, or json:FILE for one that
/// is also a word.
static char StatsValue[MaxPattern] = "off";

static void parseStats(const char *Value) {
  if (strcmp(Value, "json:") == 0)
    Value = "";
  if (isOff("KMP_TASK_STATS", Value, "off, on, summary, json:FILE")) {
    Stats::disable();
    Value = "off";
  } else {
    const char *File = Value;
    if (__kmp_str_match("summary", 0, Value) || __kmp_str_match("on", 0, Value))
      File = nullptr;
    else if (strncmp(Value, "json:", 5) == 0)
      File = Value + 5;
    else
      warnOfWord("KMP_TASK_STATS", Value, {"off", "on", "summary"});
    if (!Stats::enable(File))
      Value = "off";
  }
  snprintf(StatsValue, sizeof(StatsValue), "%s", Value);
}

/// KMP_TASK_TRACE: off or a file name.
static char TraceValue[MaxPattern] = "off";

static void parseTrace(const char *Value) {
  if (isOff("KMP_TASK_TRACE", Value, "off")) {
    Trace::finish();
    Value = "off";
  } else if (TCR_4(__kmp_init_parallel)) {
    return warn("KMP_TASK_TRACE: the first parallel region has begun; it is "
                "too late for a trace.");
  } else {
    warnOfWord("KMP_TASK_TRACE", Value, {"off"});
    if (!Trace::enable(Value))
      Value = "off";
  }
  snprintf(TraceValue, sizeof(TraceValue), "%s", Value);
}

/// KMP_TASK_TUNING: name=value,... or help.
static void parseTuning(const char *Value) {
  if (__kmp_str_match("help", 0, Value)) {
    listTuning([](const char *Line) { __kmp_printf("OMP: %s\n", Line); });
    return;
  }
  // Threads read the numbers without looking for changes.
  const char *Why = TCR_4(__kmp_init_parallel)
                        ? "the first parallel region has begun"
                        : setTuning(Value);
  if (Why)
    warnOf("KMP_TASK_TUNING=\"%.1000s\": %s; nothing of it is used. "
           "KMP_TASK_TUNING=help shows all names.",
           Value, Why);
}

static const char *currentTuning() {
  static char Text[2048];
  showTuning(Text, sizeof(Text));
  return Text;
}

/// A variable that is no choice.
struct FreeSetting {
  Setting Of;
  void (*Parse)(const char *Value);
  const char *(*Show)();
};
static constexpr FreeSetting FreeSettings[] = {
    {Setting::Queues, parseQueuesSetting,
     []() -> const char * { return QueuesValue; }},
    {Setting::QueueSize, [](const char *Value) { QueueSize.parse(Value); },
     [] { return QueueSize.show(); }},
    {Setting::DependentLimit,
     [](const char *Value) { DependentLimit.parse(Value); },
     [] { return DependentLimit.show(); }},
    {Setting::Stats, parseStats, []() -> const char * { return StatsValue; }},
    {Setting::Trace, parseTrace, []() -> const char * { return TraceValue; }},
    {Setting::Tuning, parseTuning, currentTuning}};

static const FreeSetting &freeSetting(int Which) {
  for (const FreeSetting &S : FreeSettings)
    if (int(S.Of) == Which)
      return S;
  LOCUS_CHECK(!"a variable without values is missing here");
  return FreeSettings[0];
}

//===----------------------------------------------------------------------===//
// For libomp's table, and for the adapter
//===----------------------------------------------------------------------===//

void parseSetting(char const *Name, char const *Value, void *) {
  const int I = int(settingOf(Name));
  if (Variables[I].Values[0])
    Chosen.At[I] = choose(Variables[I], Value);
  else
    freeSetting(I).Parse(Value);
}

const char *settingValue(char const *Name) {
  const int I = int(settingOf(Name));
  return Variables[I].Values[0] ? Variables[I].Values[Chosen.At[I]]
                                : freeSetting(I).Show();
}

TeamOptions teamOptions() {
  TeamOptions Options;
  static_cast<ListsOptions &>(Options) = Queues;
  Chosen.set(Options);
  Options.Limit = __kmp_enable_task_throttling ? QueueSize.value() : 0;
  return Options;
}

uint32_t dependentLimit(int NumThreads) {
  if (!__kmp_enable_task_throttling || isStock())
    return 0;
  return DependentLimit.IsSet ? DependentLimit.Value
                              : flow::defaultDependentLimit(NumThreads);
}

} // namespace locus
