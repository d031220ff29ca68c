//===- kmp/settings.cpp - Environment variables ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/settings.h"
#include "locus/flow/register.h"
#include "locus/lists/queues_setting.h"
#include "locus/support/file_name.h"
#include "locus/support/host.h"
#include "locus/support/stats.h"
#include "locus/trace/recorder.h"
#include "locus/tuning.h"

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

/// Text of any length that is put together for a warning.
class Message {
public:
  Message() { __kmp_str_buf_init(&Text); }
  ~Message() { __kmp_str_buf_free(&Text); }
  Message(const Message &) = delete;
  Message &operator=(const Message &) = delete;

  template <class... Values> void add(const char *Format, Values... Items) {
    __kmp_str_buf_print(&Text, Format, Items...);
  }
  void warn() { locus::warn(Text.str); }

private:
  kmp_str_buf_t Text;
};

//===----------------------------------------------------------------------===//
// Variables that choose from a list
//===----------------------------------------------------------------------===//

/// What such a variable may say, and what each of it stands for: the number of
/// an enumerator, or a truth. The first is the default.
struct Choice {
  struct Value {
    const char *Name;
    int Meaning;
  };
  const char *Name;
  Value Values[8];
  int Chosen = 0;
  int Meaning = Values[0].Meaning; ///< of what is chosen

  void parse(const char *Text);
};

static Choice Scheduler = {"KMP_TASK_SCHEDULER",
                           {{"domains", false}, {"stock", true}}};
static Choice UnknownNodes = {"KMP_TASK_UNKNOWN_NODE",
                              {{"first", int(UnknownPolicy::First)},
                               {"local", int(UnknownPolicy::Local)}}};
static Choice DependAffinity = {"KMP_TASK_DEPEND_AFFINITY",
                                {{"1", true}, {"0", false}}};
static Choice LoopAffinity = {"KMP_TASK_LOOP_AFFINITY",
                              {{"1", true}, {"0", false}}};
static Choice Steal = {"KMP_TASK_STEAL",
                       {{"sample", int(StealPolicy::Sample)},
                        {"hierarchical", int(StealPolicy::Hierarchical)},
                        {"random", int(StealPolicy::Random)},
                        {"random_order", int(StealPolicy::RandomOrder)},
                        {"round_robin", int(StealPolicy::RoundRobin)},
                        {"producer", int(StealPolicy::Producer)},
                        {"producer_order", int(StealPolicy::ProducerOrder)}}};
static Choice Synchronization = {
    "KMP_TASK_SYNC",
    {{"combining", int(Sync::Combining)}, {"lock", int(Sync::Lock)}}};

static Choice *const Choices[] = {&Scheduler,      &UnknownNodes,
                                  &DependAffinity, &LoopAffinity,
                                  &Steal,          &Synchronization};

void Choice::parse(const char *Text) {
  Message Wrong;
  Wrong.add("%s=\"%s\": legal values are", Name, Text);
  Chosen = 0;
  Meaning = Values[0].Meaning;
  for (int I = 0; Values[I].Name; ++I) {
    if (__kmp_str_match(Values[I].Name, 0, Text)) {
      Chosen = I;
      Meaning = Values[I].Meaning;
      return;
    }
    const char *Before = I == 0 ? "" : Values[I + 1].Name ? "," : " and";
    Wrong.add("%s %s", Before, Values[I].Name);
  }
  Wrong.add("; using %s.", Values[0].Name);
  Wrong.warn();
}

//===----------------------------------------------------------------------===//
// The other ones
//===----------------------------------------------------------------------===//

/// A variable that is a number of tasks, or not set: then a default that may
/// change.
struct TaskCount {
  const char *Name;
  const char *Zero;  ///< what 0 means
  const char *Unset; ///< how its default is said, null: by its number
  uint32_t (*Default)();
  uint32_t Value = 0;
  bool IsSet = false;

  static constexpr uint32_t Most = 1 << 30;

  uint32_t value() const { return IsSet ? Value : Default(); }
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
  Message Wrong;
  Wrong.add("%s=\"%s\": legal values are ", Name, Text);
  if (Unset)
    Wrong.add("%s and ", Unset);
  Wrong.add("numbers of tasks from 0 (%s) to %u; using %s.", Zero, Most,
            show());
  Wrong.warn();
}

const char *TaskCount::show() const {
  static char Text[16];
  if (Unset && !IsSet)
    return Unset;
  snprintf(Text, sizeof(Text), "%u", value());
  return Text;
}

/// Not set: the default of libomp's own deques.
static TaskCount QueueSize = {"KMP_TASK_QUEUE_SIZE", "unbounded", nullptr,
                              [] { return Tuned.ListLimit; }};
static TaskCount DependentLimit = {"KMP_TASK_DEPENDENT_LIMIT", "unbounded",
                                   "adaptive", [] { return 0u; }};

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
  bool IsWord = Value[strspn(Value, "0123456789")] == '\0';
  for (const char *Truth : {"on", "yes", "no", "true", "false", "enable",
                            "enabled", "disable", "disabled", "none", "stderr"})
    IsWord |= strcasecmp(Value, Truth) == 0;
  for (const char *Word : Words)
    IsWord |= isNear(Value, Word);
  if (!IsWord)
    return;
  Message Wrong;
  Wrong.add("%s=%s: this is taken for the name of a file to write, ./%s. Legal "
            "values are",
            Variable, Value, Value);
  for (const char *Word : Words)
    Wrong.add(" %s,", Word);
  Wrong.add(" and the name of a file; for this one write ./%s.", Value);
  Wrong.warn();
}

/// KMP_TASK_QUEUES: what parseQueues() knows.
static char QueuesValue[32] = "thread";
static ListsOptions Queues;

static void parseQueuesSetting(const char *Value) {
  const bool IsLegal =
      strlen(Value) < sizeof(QueuesValue) && parseQueues(Value, Queues);
  if (!IsLegal) {
    parseQueues("thread", Queues);
    Message Wrong;
    Wrong.add("KMP_TASK_QUEUES=\"%s\": legal values are %s; using thread.",
              Value, LegalQueues);
    Wrong.warn();
  }
  snprintf(QueuesValue, sizeof(QueuesValue), "%s", IsLegal ? Value : "thread");
}

static const char *showQueues() { return QueuesValue; }

/// KMP_TASK_STATS: off, summary or a file name.
static char StatsValue[MaxPattern] = "off";

static void parseStats(const char *Value) {
  if (*Value == '\0')
    warn("KMP_TASK_STATS=\"\": legal values are off, summary and the name of a "
         "file to write; using off.");
  if (*Value == '\0' || __kmp_str_match("off", 0, Value)) {
    Stats::disable();
    Value = "off";
  } else {
    const bool IsSummary = __kmp_str_match("summary", 0, Value);
    if (!IsSummary)
      warnOfWord("KMP_TASK_STATS", Value, {"off", "summary"});
    if (!Stats::enable(IsSummary ? nullptr : Value))
      Value = "off";
  }
  snprintf(StatsValue, sizeof(StatsValue), "%s", Value);
}

static const char *showStats() { return StatsValue; }

/// KMP_TASK_TRACE: off or a file name.
static char TraceValue[MaxPattern] = "off";

static void parseTrace(const char *Value) {
  if (*Value == '\0')
    warn("KMP_TASK_TRACE=\"\": legal values are off and the name of a file to "
         "write; using off.");
  const bool IsOff = *Value == '\0' || __kmp_str_match("off", 0, Value);
  if (IsOff)
    Trace::finish();
  else if (TCR_4(__kmp_init_parallel))
    return warn("KMP_TASK_TRACE: the first parallel region has begun; it is "
                "too late for a trace.");
  if (!IsOff)
    warnOfWord("KMP_TASK_TRACE", Value, {"off"});
  snprintf(TraceValue, sizeof(TraceValue), "%s",
           !IsOff && Trace::enable(Value) ? Value : "off");
}

static const char *showTrace() { return TraceValue; }

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
  if (!Why)
    return;
  Message Wrong;
  Wrong.add("KMP_TASK_TUNING=\"%s\": %s; nothing of it is used. "
            "KMP_TASK_TUNING=help shows all names.",
            Value, Why);
  Wrong.warn();
}

static const char *currentTuning() {
  static char Text[2048];
  showTuning(Text, sizeof(Text));
  return Text;
}

struct FreeSetting {
  const char *Name;
  void (*Parse)(const char *Value);
  const char *(*Show)();
};
static constexpr FreeSetting FreeSettings[] = {
    {"KMP_TASK_QUEUES", parseQueuesSetting, showQueues},
    {"KMP_TASK_QUEUE_SIZE", [](const char *Value) { QueueSize.parse(Value); },
     [] { return QueueSize.show(); }},
    {"KMP_TASK_DEPENDENT_LIMIT",
     [](const char *Value) { DependentLimit.parse(Value); },
     [] { return DependentLimit.show(); }},
    {"KMP_TASK_STATS", parseStats, showStats},
    {"KMP_TASK_TRACE", parseTrace, showTrace},
    {"KMP_TASK_TUNING", parseTuning, currentTuning}};

//===----------------------------------------------------------------------===//
// For libomp's table, and for the adapter
//===----------------------------------------------------------------------===//

void parseSetting(char const *Name, char const *Value, void *) {
  for (Choice *C : Choices)
    if (strcmp(C->Name, Name) == 0)
      return C->parse(Value);
  for (const FreeSetting &S : FreeSettings)
    if (strcmp(S.Name, Name) == 0)
      return S.Parse(Value);
  LOCUS_CHECK(!"a row of LOCUS_SETTINGS is missing here");
}

const char *settingValue(char const *Name) {
  for (const Choice *C : Choices)
    if (strcmp(C->Name, Name) == 0)
      return C->Values[C->Chosen].Name;
  for (const FreeSetting &S : FreeSettings)
    if (strcmp(S.Name, Name) == 0)
      return S.Show();
  LOCUS_CHECK(!"a row of LOCUS_SETTINGS is missing here");
  return "";
}

bool isStock() { return Scheduler.Meaning; }

bool hasDependAffinity() { return !isStock() && DependAffinity.Meaning; }

bool hasLoopAffinity() { return !isStock() && LoopAffinity.Meaning; }

UnknownPolicy unknownPolicy() { return UnknownPolicy(UnknownNodes.Meaning); }

TeamOptions teamOptions() {
  TeamOptions Options;
  static_cast<ListsOptions &>(Options) = Queues;
  Options.Steal = StealPolicy(Steal.Meaning);
  Options.TakeBy = Sync(Synchronization.Meaning);
  Options.Limit = __kmp_enable_task_throttling ? QueueSize.value() : 0;
  return Options;
}

uint32_t dependentLimit(int NumThreads) {
  if (!__kmp_enable_task_throttling || isStock())
    return 0;
  return DependentLimit.IsSet ? DependentLimit.Value
                              : defaultDependentLimit(NumThreads);
}

} // namespace locus
