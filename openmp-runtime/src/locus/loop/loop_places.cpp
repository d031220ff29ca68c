//===- loop/loop_places.cpp - Where the tasks of a taskloop belong --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/loop/loop_places.h"

namespace locus {

//===----------------------------------------------------------------------===//
// The tasks of a taskloop
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Where they belong
//===----------------------------------------------------------------------===//

LoopPlaces::LoopPlaces(uint64_t Trips, LoopSchedule Schedule, uint64_t Amount,
                       bool Strict, int NumThreads, Asks What)
    : Chunks(chunksOf(Trips, Schedule, Amount, Strict, NumThreads)),
      ByGrainsize(Schedule == LoopSchedule::Grainsize),
      // num_tasks says how many tasks there are, and one chunk has no border.
      // Where the first iteration decides, it is that of a chunk as it is.
      MayMove(!Strict && Schedule != LoopSchedule::NumTasks &&
              Chunks.Tasks > 1 && What == Asks::All),
      Least(ByGrainsize ? Amount : (Chunks.Grain + 1) / 2), What(What),
      NumProbes(Chunks.Tasks) {
  LOCUS_CHECK(Chunks.isValid());
  // One more at the end, where the last chunk has more than one iteration.
  if (MayMove && ordinalOfProbe(NumProbes) > ordinalOfProbe(NumProbes - 1))
    ++NumProbes;
}

uint64_t LoopPlaces::ordinalOfProbe(uint64_t Number) const {
  const uint64_t Start = Chunks.start(Number);
  return Start < Chunks.Trips ? Start : Chunks.Trips - 1;
}

bool LoopPlaces::next(uint64_t &First, uint64_t &Last) {
  if (seeksBorder()) {
    First = Last = middle();
    return true;
  }
  if (NextProbe == NumProbes) {
    dropShortRuns();
    return false;
  }
  First = Last = ordinalOfProbe(NextProbe);
  if (!MayMove && What == Asks::All)
    Last = Chunks.start(NextProbe + 1) - 1;
  return true;
}

void LoopPlaces::answer(int Place) {
  if (!seeksBorder()) {
    takeProbe(Place);
  } else if (Place == LastPlace) {
    Low = middle();
  } else {
    High = middle();
    HighPlace = Place;
  }
  if (ProbePlace == LastPlace || seeksBorder())
    return;
  // Only where both sides meet there, a border is worth moving for.
  Runs.add({HighPlace == ProbePlace ? High : ProbeStart, ProbePlace});
  LastPlace = ProbePlace;
  LastStart = ProbeStart;
  Low = High;
}

/// The answer for the next probe is \p Place.
void LoopPlaces::takeProbe(int Place) {
  LOCUS_CHECK(NextProbe < NumProbes);
  ProbeStart = MayMove ? ordinalOfProbe(NextProbe) : NextProbe;
  ProbePlace = Place;
  if (NextProbe++ == 0) {
    Runs.add({0, Place});
    LastPlace = Place;
  }
  if (Place == LastPlace) {
    LastStart = ProbeStart;
    return;
  }
  Low = MayMove ? LastStart : ProbeStart;
  High = ProbeStart;
  HighPlace = Place;
}

uint64_t LoopPlaces::endOfRun(size_t Number) const {
  return Number + 1 < Runs.size() ? Runs[Number + 1].Start
         : MayMove                ? Chunks.Trips
                                  : Chunks.Tasks;
}

/// What is too short for a chunk of its own goes with what is before it, at the
/// start of the loop with what is behind.
void LoopPlaces::dropShortRuns() {
  if (!MayMove || Runs.size() == 0)
    return;
  size_t Kept = 0;
  uint64_t Start = 0;
  for (size_t I = 0; I < Runs.size(); ++I) {
    const uint64_t End = endOfRun(I);
    if (End - Start >= Least || (Kept == 0 && I + 1 == Runs.size())) {
      // Of equal ones side by side one is enough.
      if (Kept == 0 || Runs[Kept - 1].Place != Runs[I].Place)
        Runs[Kept++] = {Start, Runs[I].Place};
      Start = End;
    } else if (Kept != 0) {
      Start = End;
    }
  }
  Runs.shorten(Kept);
}

LoopPart LoopPlaces::partOfRun(size_t Number) const {
  const uint64_t Start = Runs[Number].Start;
  const uint64_t End = endOfRun(Number);
  const int Place = Runs[Number].Place;
  if (!MayMove)
    return {Chunks.start(Start), Chunks.part(Start, End), Place};
  const uint64_t Trips = End - Start;
  uint64_t Tasks = Trips / Least;
  if (!ByGrainsize) // as many as their share of the loop, rounded
    Tasks =
        Trips / Chunks.Grain + (Trips % Chunks.Grain >= (Chunks.Grain + 1) / 2);
  return {Start, evenChunks(Trips, Tasks ? Tasks : 1), Place};
}

} // namespace locus
