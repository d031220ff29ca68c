// A detached task for tests whose own compiler has none, nor a taskyield that
// libomp hears of.

#include "detached.h"

omp_event_handle_t detachedTask(int *Cell) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
  int Ran = 0;
  (void)Cell; // only its address matters
#pragma omp task detach(Event) depend(out : *Cell) shared(Ran)
  __atomic_store_n(&Ran, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&Ran, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
  }
  return Event;
}
