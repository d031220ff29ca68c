// A tool sees each placed task once: created, begun and completed, in this
// order.
//
// RUN: %build
// RUN: %run-each --policies active,noblock %t

#include "check.h"
#include <omp-tools.h>

enum { Count = 600, MaxEvents = 4 * Count };

struct Events {
  int Created, Begun, Ended;
};
static struct Events Seen[MaxEvents];
static int Next, Wrong, ToolStarted;

static void onCreate(ompt_data_t *Parent, const ompt_frame_t *Frame,
                     ompt_data_t *Task, int Flags, int HasDependences,
                     const void *Address) {
  (void)Parent, (void)Frame, (void)HasDependences, (void)Address;
  if (!(Flags & ompt_task_explicit))
    return;
  int Number = add(&Next, 1);
  if (Number >= MaxEvents)
    FAIL("too many tasks");
  Task->value = (uint64_t)Number;
  add(&Seen[Number].Created, 1);
}

static void onSchedule(ompt_data_t *Prior, ompt_task_status_t Status,
                       ompt_data_t *Then) {
  if (Prior && Prior->value && Prior->value < MaxEvents &&
      Status == ompt_task_complete) {
    add(&Seen[Prior->value].Ended, 1);
    if (get(&Seen[Prior->value].Begun) != 1)
      add(&Wrong, 1);
  }
  // A task that is taken up again behind another one has begun before.
  if (Then && Then->value && Then->value < MaxEvents &&
      Status != ompt_task_complete)
    add(&Seen[Then->value].Begun, 1);
}

static int initialize(ompt_function_lookup_t Lookup, int Device,
                      ompt_data_t *Data) {
  (void)Device, (void)Data;
  ompt_set_callback_t Set = (ompt_set_callback_t)Lookup("ompt_set_callback");
  Set(ompt_callback_task_create, (ompt_callback_t)onCreate);
  Set(ompt_callback_task_schedule, (ompt_callback_t)onSchedule);
  ToolStarted = 1;
  return 1;
}
static void finalize(ompt_data_t *Data) { (void)Data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned Version, const char *Name) {
  static ompt_start_tool_result_t Result = {initialize, finalize, {0}};
  (void)Version, (void)Name;
  return &Result;
}

int main(void) {
  int Ran = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Count; ++I) {
    int Dep;
    omp_set_task_affinity((omp_affinitykind_t)(I % 4),
                          I % 4 == omp_affinity_data ? (uintptr_t)&Ran
                                                     : (uintptr_t)I,
                          I % 3 != 0);
    switch (I % 5) {
    case 0:
#pragma omp task depend(inout : Dep) shared(Ran)
      add(&Ran, 1);
      break;
    case 1:
#pragma omp task if (0) shared(Ran)
      add(&Ran, 1);
      break;
    default:
#pragma omp task shared(Ran)
      add(&Ran, 1);
    }
  }
  CHECK(ToolStarted, "no tool: libomp is built without OMPT");
  CHECK_EQUAL(Ran, Count, "tasks");
  CHECK_EQUAL(Next, Count, "tasks that were announced");
  CHECK_EQUAL(Wrong, 0, "tasks that ended before they began");
  for (int I = 1; I <= Count; ++I) {
    CHECK_EQUAL(Seen[I].Created, 1, "a task");
    CHECK_EQUAL(Seen[I].Begun, 1, "a task");
    CHECK_EQUAL(Seen[I].Ended, 1, "a task");
  }
  return 0;
}
