// To a tool, each thread is in one task at a time: what it is said to leave is
// what it was said to enter before, also between the parts of untied tasks.
// Upstream's libomp does not tell that a part has ended (issue 83883).
//
// RUN: %build
// RUN: %run-each --policies active,noblock %t

#include "check.h"
#include <omp-tools.h>

static int Next, ToolStarted, Enters, Ends;
static __thread uint64_t Current; // the task that the tool believes to run

static void onImplicit(ompt_scope_endpoint_t Endpoint, ompt_data_t *Region,
                       ompt_data_t *Task, unsigned Size, unsigned Index,
                       int Flags) {
  (void)Region, (void)Size, (void)Index;
  if (Flags & ompt_task_initial || Endpoint != ompt_scope_begin)
    return;
  Task->value = (uint64_t)add(&Next, 1);
  Current = Task->value;
}

static void onCreate(ompt_data_t *Parent, const ompt_frame_t *Frame,
                     ompt_data_t *Task, int Flags, int HasDependences,
                     const void *Address) {
  (void)Parent, (void)Frame, (void)HasDependences, (void)Address;
  if (Flags & ompt_task_explicit)
    Task->value = (uint64_t)add(&Next, 1);
}

static void onSchedule(ompt_data_t *Prior, ompt_task_status_t Status,
                       ompt_data_t *Then) {
  CHECK(Prior && Then, "status %d: no task", (int)Status);
  if (Prior->value != Current)
    FAIL("status %d: task %d is left, and %d was the current one", (int)Status,
         (int)Prior->value, (int)Current);
  CHECK(Then->value != Prior->value, "a task is left for itself");
  Current = Then->value;
  add(&Enters, 1);
  if (Status == ompt_task_complete)
    add(&Ends, 1);
}

static int initialize(ompt_function_lookup_t Lookup, int Device,
                      ompt_data_t *Data) {
  (void)Device, (void)Data;
  ompt_set_callback_t Set = (ompt_set_callback_t)Lookup("ompt_set_callback");
  Set(ompt_callback_implicit_task, (ompt_callback_t)onImplicit);
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

enum { Untied = 100, Children = 3 };

static void tasks(int *Ran) {
  for (int I = 0; I < Untied; ++I) {
#pragma omp task untied
    {
      for (int J = 0; J < Children; ++J) {
#pragma omp task
        add(Ran, 1);
      }
#pragma omp taskwait
      add(Ran, 1);
#pragma omp taskyield
      add(Ran, 1);
    }
#pragma omp task untied if (0)
    add(Ran, 1);
  }
}

int main(void) {
  const int Should = Untied * (Children + 3);
  for (int Threads = 1; Threads <= 4; Threads *= 2) {
    int Ran = 0;
#pragma omp parallel num_threads(Threads)
#pragma omp single
    tasks(&Ran);
    CHECK_EQUAL(Ran, Should, "parts and children");
  }
  CHECK(ToolStarted, "no tool: libomp is built without OMPT");
  CHECK_EQUAL(Ends, 3 * Untied * (Children + 2), "tasks that ended");
  CHECK(Enters >= 2 * Ends, "%d switches", Enters);
  return 0;
}
