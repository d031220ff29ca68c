// Tasks with flags that no clause of our compiler sets: what LLVM 23's clang
// makes of OpenMP 6.0's transparent tasks.

#ifndef LOCUS_TEST_RAW_TASK_H
#define LOCUS_TEST_RAW_TASK_H

#include "check.h"

enum { Untied = 0, Tied = 1, Final = 2, Detached = 0x40, Transparent = 0x100 };
enum { DependIn = 1, DependOut = 3, DependMutex = 4, DependSet = 8 };

struct RawDepend {
  void *Address;
  size_t Length;
  unsigned char How;
};

struct RawTask {
  void *Shareds;
  int (*Entry)(int, struct RawTask *);
  int Part;
  void *Destructors, *Priority;
  void (*Body)(void *, omp_event_handle_t);
  void *Data;
  omp_event_handle_t Event;
};

struct RawTask *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                                      int (*)(int, struct RawTask *));
int __kmpc_omp_task(void *, int, struct RawTask *);
int __kmpc_omp_task_with_deps(void *, int, struct RawTask *, int,
                              struct RawDepend *, int, struct RawDepend *);
void __kmpc_omp_wait_deps(void *, int, int, struct RawDepend *, int,
                          struct RawDepend *);
void __kmpc_omp_task_begin_if0(void *, int, struct RawTask *);
void __kmpc_omp_task_complete_if0(void *, int, struct RawTask *);
omp_event_handle_t __kmpc_task_allow_completion_event(void *, int,
                                                      struct RawTask *);
int __kmpc_global_thread_num(void *);

static int runBody(int Gtid, struct RawTask *Task) {
  (void)Gtid;
  Task->Body(Task->Data, Task->Event);
  return 0;
}

/// A task that calls \p Body with \p Data, and its event if it is detached;
/// with if(0) if it is undeferred.
static void createRaw(int Flags, int IsUndeferred, int Count,
                      struct RawDepend *List,
                      void (*Body)(void *, omp_event_handle_t), void *Data) {
  const int Gtid = __kmpc_global_thread_num(NULL);
  struct RawTask *Task = __kmpc_omp_task_alloc(
      NULL, Gtid, Flags, sizeof(struct RawTask), 0, runBody);
  Task->Body = Body;
  Task->Data = Data;
  if (Flags & Detached)
    Task->Event = __kmpc_task_allow_completion_event(NULL, Gtid, Task);
  if (IsUndeferred) {
    if (Count)
      __kmpc_omp_wait_deps(NULL, Gtid, Count, List, 0, NULL);
    __kmpc_omp_task_begin_if0(NULL, Gtid, Task);
    runBody(Gtid, Task);
    __kmpc_omp_task_complete_if0(NULL, Gtid, Task);
  } else if (Count) {
    __kmpc_omp_task_with_deps(NULL, Gtid, Task, Count, List, 0, NULL);
  } else {
    __kmpc_omp_task(NULL, Gtid, Task);
  }
}

#endif // LOCUS_TEST_RAW_TASK_H
