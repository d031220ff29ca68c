// Where the kernel refuses membarrier, from the start or later, tasks are still
// run, and shared: with one word where it is a surprise. (PushesOpen=1: so that
// no deque stays open, in which thieves need no membarrier.)
//
// RUN: %build
// RUN: env KMP_TASK_TUNING=PushesOpen=1 OMP_NUM_THREADS=2 %run %t later 2>&1 | FileCheck --check-prefix=LATER %s
// RUN: env KMP_TASK_TUNING=PushesOpen=1 OMP_NUM_THREADS=2 %run %t sandbox 2>&1 | FileCheck --check-prefix=LATER %s
// RUN: env OMP_NUM_THREADS=2 %run %t start 2>&1 | count 0
// RUN: env KMP_TASK_TUNING=PushesOpen=1 OMP_NUM_THREADS=8 OMP_WAIT_POLICY=passive %run %t sandbox 2>&1 | FileCheck --check-prefix=LATER %s
// LATER: Warning: the kernel refuses the system call membarrier by now{{.*}}
// LATER-NOT: {{.}}

#include "check.h"
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

static int Refuses, Refusals;

/// Instead of the C library's, for the runtime, too.
long syscall(long Number, ...) {
  va_list List;
  long A[6], Result;
  va_start(List, Number);
  for (int I = 0; I < 6; ++I)
    A[I] = va_arg(List, long);
  va_end(List);
  register long R10 __asm__("r10") = A[3];
  register long R8 __asm__("r8") = A[4];
  register long R9 __asm__("r9") = A[5];
  if (Number == SYS_membarrier && get(&Refuses))
    Result = -EPERM;
  else
    __asm__ volatile("syscall"
                     : "=a"(Result)
                     : "a"(Number), "D"(A[0]), "S"(A[1]), "d"(A[2]), "r"(R10),
                       "r"(R8), "r"(R9)
                     : "rcx", "r11", "memory");
  if (Number == SYS_membarrier && Result < 0)
    add(&Refusals, 1);
  if (Result >= 0)
    return Result;
  errno = (int)-Result;
  return -1;
}

/// A real one, for all threads.
static void refuseMembarrier(void) {
  struct sock_filter Filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog Program = {sizeof(Filter) / sizeof(*Filter), Filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
              &Program))
    FAIL("no sandbox: %s", strerror(errno));
}

/// The task that this thread keeps for itself is run by another one, while this
/// one does something long.
static void give(void) {
  int Ran = 0;
#pragma omp task shared(Ran)
  add(&Ran, 1);
  WAIT_FOR(&Ran, 1);
}

/// Others have tried in vain to take tasks from this thread, which keeps some.
/// They are busy meanwhile: a thread that waits sees new tasks without a call.
static void keep(int Later) {
  int Ran = 0, Begun = 0, Go = 0;
  const int Others = omp_get_num_threads() - 1;
  for (int I = 0; I < Others; ++I) {
#pragma omp task shared(Begun, Go)
    {
      add(&Begun, 1);
      WAIT_FOR(&Go, 1);
    }
    WAIT_FOR(&Begun, I + 1);
  }
  if (Later)
    set(&Refuses, 1);
  else
    refuseMembarrier();
  for (int I = 0; I < 3; ++I) {
#pragma omp task shared(Ran)
    add(&Ran, 1);
  }
  set(&Go, 1);
  WAIT_FOR(&Refusals, 1);
#pragma omp taskwait
  CHECK_EQUAL(get(&Ran), 3, "tasks");
}

int main(int Count, char **Arguments) {
  CHECK(Count == 2, "later, sandbox, start or started");
  const char *When = Arguments[1];
  if (strcmp(When, "start") == 0) {
    refuseMembarrier();
    execl(Arguments[0], Arguments[0], "started", NULL);
    FAIL("exec: %s", strerror(errno));
  }
  const int Later = strcmp(When, "later") == 0;
  if (strcmp(When, "started") == 0)
    CHECK(Refusals > 0, "the runtime did not ask");
  // The threads of a team made before, and of one that is made later.
  for (int Round = 0; Round < 4; ++Round) {
#pragma omp parallel num_threads(Round < 2 ? omp_get_max_threads() : 2)
#pragma omp masked
    for (int I = 0; I < 10; ++I)
      give();
    if (Round != 0 || strcmp(When, "started") == 0)
      continue;
#pragma omp parallel
#pragma omp masked
    keep(Later);
  }
  return 0;
}
