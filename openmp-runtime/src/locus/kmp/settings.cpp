//===- kmp/settings.cpp - Environment variables ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the adapter to libomp: the variables KMP_TASK_*.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/inplace.h"
#include "locus/kmp/internal.h"

#include "kmp_i18n.h"
#include "kmp_io.h"
#include "kmp_str.h"

namespace locus {

void warn(const char *Text) {
  if (__kmp_generate_warnings != kmp_warnings_off)
    __kmp_printf("OMP: Warning: %s\n", Text);
}

/// One row for each variable that chooses from a list: what it may say, and
/// which it is. The first is the default.
struct Choice {
  const char *Name;
  const char *Values[8];
  int Chosen;
};

static Choice Choices[] = {
    {"KMP_TASK_SCHEDULER", {"domains", "stock"}, 0},
    {"KMP_TASK_UNKNOWN_NODE", {"first", "local"}, 0},
    {"KMP_TASK_DEPEND_AFFINITY", {"1", "0"}, 0},
    // The order of Level.
    {"KMP_TASK_QUEUES",
     {"thread", "core", "l3", "numa", "package", "machine", "adaptive"},
     0},
    // The order of StealPolicy.
    {"KMP_TASK_STEAL",
     {"hierarchical", "random", "random_order", "round_robin", "producer",
      "producer_order"},
     0},
    // The order of Sync.
    {"KMP_TASK_SYNC", {"combining", "lock"}, 0},
};
static const Choice &Scheduler = Choices[0];
static const Choice &UnknownNodeChoice = Choices[1];
static const Choice &DependAffinity = Choices[2];
static const Choice &Queues = Choices[3];
static const Choice &Steal = Choices[4];
static const Choice &SyncChoice = Choices[5];

/// KMP_TASK_QUEUE_SIZE. The default is the size of libomp's own deques.
static constexpr const char *QueueSizeName = "KMP_TASK_QUEUE_SIZE";
static constexpr uint32_t DefaultQueueSize = PoolOptions::DefaultLimit;
static constexpr uint32_t MaxQueueSize = 1 << 30;
static uint32_t QueueSize = DefaultQueueSize;

/// KMP_TASK_STATS: off, summary or a file name.
static constexpr const char *StatsName = "KMP_TASK_STATS";
static char StatsValue[1024] = "off";

bool isStock() { return Scheduler.Chosen != 0; }
bool followsDepend() { return !isStock() && DependAffinity.Chosen == 0; }
UnknownPolicy unknownPolicy() {
  return UnknownNodeChoice.Chosen == 0 ? UnknownPolicy::First
                                       : UnknownPolicy::Local;
}

PoolOptions poolOptions() {
  PoolOptions Options;
  Options.Adaptive = Queues.Chosen == NumLevels;
  Options.Queues = Options.Adaptive ? Level::Thread : Level(Queues.Chosen);
  Options.Steal = StealPolicy(Steal.Chosen);
  Options.How = Sync(SyncChoice.Chosen);
  Options.Limit = __kmp_enable_task_throttling ? QueueSize : 0;
  Options.InPlace = mayInline();
  return Options;
}

static Choice *findChoice(const char *Name) {
  for (Choice &C : Choices)
    if (strcmp(C.Name, Name) == 0)
      return &C;
  return nullptr;
}

static void parseQueueSize(const char *Value) {
  char *Rest;
  errno = 0;
  const long long Size = strtoll(Value, &Rest, 10);
  if (errno == 0 && Rest != Value && *Rest == '\0' && Size >= 0 &&
      Size <= MaxQueueSize) {
    QueueSize = uint32_t(Size);
    return;
  }
  kmp_str_buf_t Text;
  __kmp_str_buf_init(&Text);
  __kmp_str_buf_print(&Text,
                      "%s=\"%s\": legal values are numbers of tasks from 0 "
                      "(unbounded) to %u; using %u.",
                      QueueSizeName, Value, MaxQueueSize, DefaultQueueSize);
  warn(Text.str);
  __kmp_str_buf_free(&Text);
  QueueSize = DefaultQueueSize;
}

static void parseStats(const char *Value) {
  if (*Value == '\0')
    warn("KMP_TASK_STATS=\"\": legal values are off, summary and the name of a "
         "file to write; using off.");
  if (*Value == '\0' || __kmp_str_match("off", 0, Value)) {
    Stats::disable();
    Value = "off";
  } else if (!Stats::enable(__kmp_str_match("summary", 0, Value) ? nullptr
                                                                 : Value)) {
    Value = "off";
  }
  snprintf(StatsValue, sizeof(StatsValue), "%s", Value);
}

void parseSetting(char const *Name, char const *Value, void *) {
  if (strcmp(Name, QueueSizeName) == 0)
    return parseQueueSize(Value);
  if (strcmp(Name, StatsName) == 0)
    return parseStats(Value);
  Choice *C = findChoice(Name);
  KMP_DEBUG_ASSERT(C);
  kmp_str_buf_t Text;
  __kmp_str_buf_init(&Text);
  __kmp_str_buf_print(&Text, "%s=\"%s\": legal values are", Name, Value);
  C->Chosen = 0;
  for (int I = 0; C->Values[I]; ++I) {
    if (__kmp_str_match(C->Values[I], 0, Value)) {
      C->Chosen = I;
      __kmp_str_buf_free(&Text);
      return;
    }
    const char *Before = I == 0 ? "" : C->Values[I + 1] ? "," : " and";
    __kmp_str_buf_print(&Text, "%s %s", Before, C->Values[I]);
  }
  __kmp_str_buf_print(&Text, "; using %s.", C->Values[0]);
  warn(Text.str);
  __kmp_str_buf_free(&Text);
}

const char *settingValue(char const *Name) {
  if (strcmp(Name, QueueSizeName) == 0) {
    static char Text[16];
    snprintf(Text, sizeof(Text), "%u", QueueSize);
    return Text;
  }
  if (strcmp(Name, StatsName) == 0)
    return StatsValue;
  const Choice *C = findChoice(Name);
  KMP_DEBUG_ASSERT(C);
  return C->Values[C->Chosen];
}

} // namespace locus
