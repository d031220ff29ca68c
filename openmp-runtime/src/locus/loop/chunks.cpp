//===- loop/chunks.cpp - The tasks of a taskloop --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/loop/chunks.h"

namespace locus {

uint64_t LoopChunks::borderNear(uint64_t Ordinal) const {
  LOCUS_CHECK(Ordinal <= Trips);
  // The last border that is not behind it.
  uint64_t Before;
  if (Ordinal == Trips)
    return Tasks;
  if (Extras != 0 && Ordinal / (Grain + 1) < Extras)
    Before = Ordinal / (Grain + 1);
  else
    Before = (Ordinal - Extras) / Grain;
  return Ordinal - start(Before) <= start(Before + 1) - Ordinal ? Before
                                                                : Before + 1;
}

LoopChunks LoopChunks::part(uint64_t From, uint64_t To) const {
  LOCUS_CHECK(From < To && To <= Tasks);
  LoopChunks Part = *this;
  Part.Trips = start(To) - start(From);
  Part.Tasks = To - From;
  const uint64_t Left = From < Extras ? Extras - From : 0;
  Part.Extras = Left < Part.Tasks ? Left : 0;
  if (Left >= Part.Tasks) // all of them are larger
    ++Part.Grain;
  if (To != Tasks)
    Part.Short = 0;
  return Part;
}

bool LoopChunks::isValid() const {
  return Tasks != 0 && Grain != 0 && Extras < Tasks && Short < Grain &&
         (Extras == 0 || Short == 0) && Trips == Tasks * Grain + Extras - Short;
}

LoopChunks evenChunks(uint64_t Trips, uint64_t Tasks) {
  LOCUS_CHECK(Tasks != 0 && Tasks <= Trips);
  return {Trips, Tasks, Trips / Tasks, Trips % Tasks, 0};
}

LoopChunks chunksOf(uint64_t Trips, LoopSchedule Schedule, uint64_t Amount,
                    bool Strict, int NumThreads) {
  LOCUS_CHECK(Trips != 0);
  if (Amount == 0)
    Amount = 1; // not legal
  uint64_t Tasks = Amount;
  if (Schedule == LoopSchedule::Free)
    Tasks = uint64_t(NumThreads) * 10;
  if (Schedule == LoopSchedule::Grainsize) {
    if (Amount > Trips)
      return {Trips, 1, Trips, 0, 0};
    if (Strict) {
      Tasks = (Trips - 1) / Amount + 1;
      return {Trips, Tasks, Amount, 0, Tasks * Amount - Trips};
    }
    Tasks = Trips / Amount;
  }
  return evenChunks(Trips, Tasks < Trips ? Tasks : Trips);
}

uint64_t shareOf(uint64_t Count, uint64_t Part, uint64_t Whole) {
  LOCUS_CHECK(Part <= Whole && Whole != 0);
  __extension__ using Wide = unsigned __int128;
  return uint64_t(Wide(Count) * Part / Whole);
}

uint64_t staticStart(uint64_t Trips, uint64_t Thread, uint64_t NumThreads) {
  LOCUS_CHECK(Thread <= NumThreads && NumThreads != 0);
  if (Trips < NumThreads)
    return shareOf(Trips, Thread, NumThreads);
  const uint64_t More = Trips % NumThreads;
  return Trips / NumThreads * Thread + (Thread < More ? Thread : More);
}

} // namespace locus
