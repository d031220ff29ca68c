#ifndef LOCUS_TEST_DETACHED_H
#define LOCUS_TEST_DETACHED_H

#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a detached task, a child of the current one, with a dependence on
/// \p Cell, and returns when it has run. If other threads run no tasks, all
/// that is left of it then is its event.
omp_event_handle_t detachedTask(int *Cell);

#ifdef __cplusplus
}
#endif

#endif
