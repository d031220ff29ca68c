// Who ends a task still looks at a `taskwait depend` that waited for it, which
// must not have returned by then: it is on the stack. The one case to be seen
// is that the taskwait finds the task, and at the end of its list of
// dependences that it need not wait, as the task has ended meanwhile.
//
// So the processor's trap flag stops the waiting thread in the middle of that
// list, and then the thread that ends the task after 1, 2, 3, ... instructions.
// The first one goes on, and shows that it waits (by a task that it runs), or
// yields, or has left. If it has left, it fills its stack with a pattern, and
// the other one goes on.
//
// No other processor has a trap flag that a program sets for itself.
// REQUIRES: x86_64
// RUN: %build
// RUN: env OMP_NUM_THREADS=2 KMP_USE_YIELD=1 %run %t

#include "check.h"
#include <omp-tools.h>
#include <signal.h>
#include <ucontext.h>

enum {
  Cells = 200,        // of the list; each takes some ten instructions
  StepsInList = 400,  // more than one cell takes, fewer than all
  StepsBehind = 100,  // until the task has let go of the taskwait
  LeftsAtTheEnd = 20, // rounds in which all was over before
  MaxRounds = 1000,
  TrapFlag = 0x100,
  Pattern = 0x01010101,
};

static int Cell[Cells];
/// Of a round. Main is the thread that waits, Other the one that ends the task.
static int Begun, MainStopped, OtherStopped, Waits, Yields, Left, Filled, Over;
static int StepsBefore; ///< of Other, before it stops

static __thread int Steps;
static __thread enum { Free, Main, Other } Role;

__attribute__((noinline)) static void trap(void) {
  __asm__ volatile("sub $128, %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\t"
                   "add $128, %%rsp" ::"i"(TrapFlag)
                   : "cc", "memory");
}

static void yield(void) { syscall(SYS_sched_yield); }

/// Each call is the runtime's.
int sched_yield(void) {
  if (Role == Main)
    set(&Yields, 1);
  yield();
  return 0;
}

static int isDecided(void) {
  return get(&Left) ? get(&Filled) : get(&Waits) || get(&Yields);
}

/// After each instruction of a thread with a role.
static void onTrap(int Signal, siginfo_t *Info, void *Context) {
  (void)Signal, (void)Info;
  const int Step = ++Steps;
  int Last = 0;
  if (Role == Main) {
    Last = Step == StepsInList;
    if (Last) {
      set(&MainStopped, 1);
      while (!get(&OtherStopped))
        yield();
    }
  } else {
    if (Step == StepsBefore) {
      set(&OtherStopped, 1);
      while (!isDecided())
        yield();
    }
    Last = Step == StepsBefore + StepsBehind;
    if (Last) {
      Role = Free;
      set(&Over, 1);
    }
  }
  if (Last)
    ((ucontext_t *)Context)->uc_mcontext.gregs[REG_EFL] &= ~TrapFlag;
}

/// \p Task has been found to be unfinished, and is locked.
static void onDependence(ompt_data_t *Task, ompt_data_t *Behind) {
  (void)Task, (void)Behind;
  if (Role == Main && Steps == 0)
    trap();
}

static void onSchedule(ompt_data_t *Prior, ompt_task_status_t Status,
                       ompt_data_t *Then) {
  (void)Prior, (void)Then;
  if (Role == Other && Status == ompt_task_complete)
    trap();
}

static int initialize(ompt_function_lookup_t Lookup, int Device,
                      ompt_data_t *Data) {
  (void)Device, (void)Data;
  ompt_set_callback_t Set = (ompt_set_callback_t)Lookup("ompt_set_callback");
  Set(ompt_callback_task_schedule, (ompt_callback_t)onSchedule);
  CHECK_EQUAL(Set(ompt_callback_task_dependence, (ompt_callback_t)onDependence),
              ompt_set_always, "the tool");
  return 1;
}
static void finalize(ompt_data_t *Data) { (void)Data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned Version, const char *Name) {
  static ompt_start_tool_result_t Result = {initialize, finalize, {0}};
  (void)Version, (void)Name;
  return &Result;
}

__attribute__((noinline)) static void waitForAll(void) {
#pragma omp taskwait depend(iterator(I = 0 : Cells), in : Cell[I])
}

/// Uses the stack where the taskwait was.
__attribute__((noinline)) static void fill(int Round) {
  volatile int Stack[16384];
  const int Size = sizeof(Stack) / sizeof(*Stack);
  for (int I = 0; I < Size; ++I)
    Stack[I] = Pattern;
  set(&Filled, 1);
  WAIT_FOR(&Over, 1);
  for (int I = 0; I < Size; ++I)
    if (Stack[I] != Pattern)
      FAIL("round %d: after the taskwait somebody wrote to its stack: %#x",
           Round, (unsigned)Stack[I]);
}

/// Whether the taskwait left while the other thread stood still.
static int run(int Round) {
  Begun = MainStopped = OtherStopped = Waits = Yields = Left = Filled = Over =
      0;
  StepsBefore = Round;
#pragma omp task depend(out : Cell[0])
  {
    Role = Other;
    Steps = 0;
    set(&Begun, 1);
    WAIT_FOR(&MainStopped, 1);
  }
  WAIT_FOR(&Begun, 1); // so the other thread has it
#pragma omp task
  if (Role == Main)
    set(&Waits, 1);
  Steps = 0;
  Role = Main;
  waitForAll();
  Role = Free;
  const int Stood = !get(&Over);
  set(&Left, 1);
  fill(Round);
#pragma omp taskwait
  return Stood && !get(&Waits) && !get(&Yields);
}

int main(void) {
  struct sigaction Action;
  memset(&Action, 0, sizeof(Action));
  Action.sa_sigaction = onTrap;
  Action.sa_flags = SA_SIGINFO;
  CHECK(sigaction(SIGTRAP, &Action, NULL) == 0, "sigaction");
  int Waited = 0, Lefts = 0;
#pragma omp parallel
#pragma omp masked
  for (int Round = 1; Lefts < LeftsAtTheEnd; ++Round) {
    CHECK(Round <= MaxRounds, "the task never ended");
    if (run(Round))
      ++Lefts;
    else
      ++Waited, Lefts = 0;
  }
  CHECK(Waited > 0, "the task had always ended");
  return 0;
}
