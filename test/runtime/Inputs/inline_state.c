// What compiled code and the runtime tell each other about tasks in place (see
// openmp-runtime/src/locus/inplace/README.md), for tests that decide
// themselves.

#include "inline_state.h"

extern __thread struct {
  const int *Allowed;
  void (*Leave)(void);
  int Depth;
  int Gtid;
} __kmpc_task_inline;

static const int No = 0, Yes = 0x7fffffff; // how deep they may nest

int inlineDepth(void) { return __kmpc_task_inline.Depth; }
int isOffered(void) { return *__kmpc_task_inline.Allowed; }

int nextInPlace(void) {
  // The runtime fills it in when this thread has pushed its first task.
  if (!__kmpc_task_inline.Leave)
    return 0;
  __kmpc_task_inline.Allowed = &Yes;
  return 1;
}

void pretendUnknown(void) { ++__kmpc_task_inline.Depth; }

void nextReal(void) { __kmpc_task_inline.Allowed = &No; }
