//===-- grid.cpp - Which thread owns which block --------------------------===//

#include "grid.h"
#include "fail.h"

using namespace kastors;

size_t ThreadGrid::mostBlocks() const {
  return ((Side + Rows - 1) / Rows) * ((Side + Columns - 1) / Columns);
}

size_t ThreadGrid::leastBlocks() const {
  return (Side / Rows) * (Side / Columns);
}

ThreadGrid ThreadGrid::choose(unsigned Threads, size_t Side) {
  if (Side * Side < Threads)
    fail("%u threads but only %zu x %zu blocks: every thread needs a block; "
         "take "
         "smaller blocks (-b), a larger matrix (-n) or fewer threads "
         "(OMP_NUM_THREADS)",
         Threads, Side, Side);
  ThreadGrid Best;
  bool Found = false;
  // Rows grows towards the square root, so a later equal choice is squarer.
  for (unsigned Rows = 1; Rows <= Threads / Rows; ++Rows) {
    if (Threads % Rows != 0)
      continue;
    ThreadGrid Grid{Rows, Threads / Rows, Side};
    if (Grid.Columns > Side)
      continue;
    if (!Found || Grid.mostBlocks() <= Best.mostBlocks())
      Best = Grid;
    Found = true;
  }
  if (!Found)
    fail("%u threads do not fit on %zu x %zu blocks: every grid of %u threads "
         "has "
         "a side longer than %zu; take smaller blocks (-b), a larger matrix "
         "(-n) "
         "or another number of threads (OMP_NUM_THREADS)",
         Threads, Side, Side, Threads, Side);
  return Best;
}
