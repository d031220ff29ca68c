//===- loop/loop_places.h - Where the tasks of a taskloop belong *- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides a taskloop into parts: consecutive chunks that belong to the same
// place, and says which task makes which. Where an affinity clause says where
// its iterations belong, LoopPlaces asks for some of them, and lets chunks end
// where the place changes, if it may. README.md says how.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LOOP_LOOP_PLACES_H
#define LOCUS_LOOP_LOOP_PLACES_H

#include "locus/machine/page_node.h"
#include "locus/machine/team_shape.h"
#include "locus/support/array.h"

namespace locus {

//===----------------------------------------------------------------------===//
// The tasks of a taskloop
//===----------------------------------------------------------------------===//

// How the iterations of a taskloop are divided into chunks, one a task. An
// iteration has an ordinal, 0 .. trips - 1, and a value, which the compiler
// knows: LoopRange leads from one to the other.

/// The values of a loop: First, First + Step, ... up to Last, inclusive. They
/// may be negative numbers in two's complement; Step may be negative, not 0.
struct LoopRange {
  uint64_t First;
  uint64_t Last;
  int64_t Step;

  /// The number of iterations; 0 if there are none, and also, as in libomp, if
  /// there are 2 to the 64.
  uint64_t trips() const {
    if (Step == 1)
      return Last - First + 1;
    return Step < 0 ? (First - Last) / (0 - uint64_t(Step)) + 1
                    : (Last - First) / uint64_t(Step) + 1;
  }
  /// The value of the iteration \p Ordinal.
  uint64_t at(uint64_t Ordinal) const {
    return First + Ordinal * uint64_t(Step);
  }
};

/// What a taskloop says of its tasks. The values are ABI.
enum class LoopSchedule : int { Free = 0, Grainsize = 1, NumTasks = 2 };

/// Some consecutive iterations, which are divided into chunks: the first Extras
/// have one iteration more than Grain, the others Grain, but the last one is
/// Short shorter.
struct LoopChunks {
  uint64_t Trips = 0;  ///< of all chunks together
  uint64_t Tasks = 0;  ///< chunks
  uint64_t Grain = 0;  ///< iterations, at least 1
  uint64_t Extras = 0; ///< less than Tasks; 0 if Short is not
  uint64_t Short = 0;  ///< less than Grain

  /// The ordinal with which chunk \p Task, 0 .. Tasks, begins: the end, for the
  /// last one.
  uint64_t start(uint64_t Task) const {
    LOCUS_CHECK(Task <= Tasks);
    return Task == Tasks ? Trips
                         : Task * Grain + (Task < Extras ? Task : Extras);
  }
  /// The border between chunks, 0 .. Tasks, that is nearest to \p Ordinal,
  /// which is at most Trips; of two the first.
  uint64_t borderNear(uint64_t Ordinal) const;
  /// The chunks \p From .. \p To - 1, at least one.
  LoopChunks part(uint64_t From, uint64_t To) const;
  /// Whether the fields fit each other.
  bool isValid() const;
};

/// The chunks of \p Trips iterations, at least one, in a team of \p NumThreads
/// threads: as libomp has them. \p Amount is the argument of grainsize or
/// num_tasks, at least 1; \p Strict is the modifier of that name.
LoopChunks chunksOf(uint64_t Trips, LoopSchedule Schedule, uint64_t Amount,
                    bool Strict, int NumThreads);

/// \p Trips iterations as \p Tasks chunks, as even as can be.
LoopChunks evenChunks(uint64_t Trips, uint64_t Tasks);

/// \p Count * \p Part / \p Whole, rounded down, where Part <= Whole.
uint64_t shareOf(uint64_t Count, uint64_t Part, uint64_t Whole);

/// The first of \p Trips iterations that schedule(static) gives to thread
/// \p Thread, 0 .. \p NumThreads, or to a later one: the first threads have one
/// more than the others. Of fewer iterations than threads each part of the team
/// gets its share instead: a few large ones belong on different nodes.
uint64_t staticStart(uint64_t Trips, uint64_t Thread, uint64_t NumThreads);

//===----------------------------------------------------------------------===//
// Where they belong
//===----------------------------------------------------------------------===//

/// Consecutive chunks of a loop that belong to the same place.
struct LoopPart {
  uint64_t Start; ///< the ordinal of its first iteration
  LoopChunks Chunks;
  int Place; ///< the number of a thread or of a team node
};

/// Iterations whose place is not known: each team node gets its share of the
/// whole loop, in the order of the nodes.
constexpr int SpreadPlace = -1;

/// Calls \p Do(LoopPart) for the parts of a loop of \p LoopTrips iterations in
/// the order of the nodes of \p Of, a TeamShape, each with the iterations that
/// schedule(static) gives to as many threads. \p Chunks, which begin with the
/// iteration \p Start of that loop, are what is divided; none of them is torn.
template <class Shape, class Action>
void spreadChunks(const Shape &Of, uint64_t LoopTrips, uint64_t Start,
                  const LoopChunks &Chunks, Action Do) {
  int Threads = 0;
  uint64_t From = 0;
  for (int Node = 0; Node < Of.numNodes() && From < Chunks.Tasks; ++Node) {
    Threads += Of.numThreadsOfNode(Node);
    const uint64_t End =
        staticStart(LoopTrips, uint64_t(Threads), uint64_t(Of.numThreads()));
    const uint64_t Mine = End < Start ? 0 : End - Start;
    const uint64_t To =
        Chunks.borderNear(Mine < Chunks.Trips ? Mine : Chunks.Trips);
    if (To <= From)
      continue;
    Do(LoopPart{Start + Chunks.start(From), Chunks.part(From, To), Node});
    From = To;
  }
}

/// Calls \p Do(LoopPart) for \p NumThreads pieces of \p Part, as even as can
/// be, or for fewer if it has fewer chunks: one for each thread to make tasks
/// of.
template <class Action>
void divideAmongThreads(const LoopPart &Part, int NumThreads, Action Do) {
  const LoopChunks &Chunks = Part.Chunks;
  const uint64_t Pieces =
      Chunks.Tasks < uint64_t(NumThreads) ? Chunks.Tasks : uint64_t(NumThreads);
  for (uint64_t I = 0; I < Pieces; ++I) {
    const uint64_t From = shareOf(Chunks.Tasks, I, Pieces);
    const uint64_t To = shareOf(Chunks.Tasks, I + 1, Pieces);
    Do(LoopPart{Part.Start + Chunks.start(From), Chunks.part(From, To),
                Part.Place});
  }
}

//===----------------------------------------------------------------------===//
// Who makes them
//===----------------------------------------------------------------------===//

// A Maker makes tasks of one loop on the calling thread:
//   void make(const LoopPart &): those of a part, which gets its hint.
//   void passOn(const LoopPart &, int Threads): has a task with the same hint
//     call makePart(), with a Maker of its own.

/// Has the tasks of \p Part made where they belong; a single one at once.
template <class Maker>
void makeElsewhere(const Maker &Here, const LoopPart &Part, int Threads) {
  if (Part.Chunks.Tasks == 1)
    Here.make(Part);
  else
    Here.passOn(Part, Threads);
}

/// Makes the tasks of \p Part, or, if its place has several \p Threads, those
/// of the first piece, behind the tasks that make the others.
template <class Maker>
void makePart(const Maker &Here, const LoopPart &Part, int Threads) {
  LoopPart First = Part;
  divideAmongThreads(Part, Threads, [&](const LoopPart &Piece) {
    if (Piece.Start == Part.Start)
      First = Piece;
    else
      makeElsewhere(Here, Piece, /*Threads=*/1);
  });
  Here.make(First);
}

/// Has the tasks of all parts made that \p ForEachPart calls its argument for:
/// one part here, which belongs to \p OwnPlace if any does, behind the others.
/// A place \p P has \p ThreadsOf(P) threads.
template <class Maker, class Enumerate, class Number>
void makeParts(const Maker &Here, int OwnPlace, Enumerate ForEachPart,
               Number ThreadsOf) {
  LoopPart Own = {};
  ForEachPart([&](const LoopPart &Part) {
    if (Own.Chunks.Tasks == 0 || Own.Place != OwnPlace)
      Own = Part;
  });
  ForEachPart([&](const LoopPart &Part) {
    if (Part.Start != Own.Start)
      makeElsewhere(Here, Part, ThreadsOf(Part.Place));
  });
  makePart(Here, Own, ThreadsOf(Own.Place));
}

//===----------------------------------------------------------------------===//
// With a clause
//===----------------------------------------------------------------------===//

/// Where the iterations of one taskloop belong: questions, answers, parts. For
/// one thread.
class LoopPlaces {
public:
  /// What a place depends on.
  enum class Asks : uint8_t {
    First, ///< the first iteration of a chunk
    All    ///< all of its iterations
  };

  /// A loop of \p Trips iterations, at least one, in a team of \p NumThreads
  /// threads; the others are as for chunksOf().
  LoopPlaces(uint64_t Trips, LoopSchedule Schedule, uint64_t Amount,
             bool Strict, int NumThreads, Asks What);

  /// The next question: where do the iterations \p First .. \p Last belong?
  /// They are ordinals. False if there is none any more. To be called again
  /// only after answer().
  bool next(uint64_t &First, uint64_t &Last);
  /// The answer to the last question: a place, or SpreadPlace.
  void answer(int Place);

  /// Calls \p Do(LoopPart) for all parts, in the order of the loop. next() has
  /// said that there is no more question.
  template <class Action>
  void forEachPart(const TeamShape &Shape, Action Do) const {
    LOCUS_CHECK(Runs.size() > 0);
    for (size_t I = 0; I < Runs.size(); ++I) {
      const LoopPart Part = partOfRun(I);
      if (Part.Place == SpreadPlace)
        spreadChunks(Shape, Chunks.Trips, Part.Start, Part.Chunks, Do);
      else
        Do(Part);
    }
  }

private:
  /// Iterations from Start on: an ordinal, or the number of a chunk where chunk
  /// borders may not move.
  struct Run {
    uint64_t Start;
    int Place;
  };

  uint64_t ordinalOfProbe(uint64_t Number) const;
  uint64_t middle() const { return Low + (High - Low) / 2; }
  bool seeksBorder() const { return High - Low > 1; }
  void takeProbe(int Place);
  uint64_t endOfRun(size_t Number) const;
  void dropShortRuns();
  LoopPart partOfRun(size_t Number) const;

  const LoopChunks Chunks; ///< of the whole loop
  const bool ByGrainsize;
  const bool MayMove;   ///< chunk borders may
  const uint64_t Least; ///< iterations of a run, where they may
  const Asks What;

  Growing<Run> Runs; ///< that are known, one for each probe at most

  // Places are asked for at these probes first, one where each chunk begins,
  // from the start of the loop on.
  uint64_t NumProbes;
  uint64_t NextProbe = 0;
  uint64_t LastStart = 0; ///< where the last one was
  int LastPlace = SpreadPlace;

  // Then for the border behind the last one, if the next one differs: between
  // Low, which is like the last one, and High, which is not.
  uint64_t Low = 0;
  uint64_t High = 0;
  int HighPlace = SpreadPlace;
  uint64_t ProbeStart = 0; ///< of the one that differs
  int ProbePlace = SpreadPlace;
};

// For a trace: which memory the tasks of a taskloop use, from what its clause
// has said of some iterations.

/// Iterations whose data advances by the same step from each to the next one,
/// as a[i] and a[i * n] do. Of others nothing is said.
class DataLine {
public:
  /// The \p Trips iterations from the ordinal \p Start on use \p Range, from
  /// the lowest address to the highest one. The first call has the ordinal 0,
  /// and the next one as many iterations, if it has the room.
  void add(uint64_t Start, uint64_t Trips, MemoryRange Range) {
    if (Known == 0) {
      First = Range;
      FirstTrips = Trips;
    } else if (Known == 1 && Start != 0) {
      const int64_t Way = int64_t(uint64_t(Range.Base) - First.Base);
      IsEven = Start <= uint64_t(INT64_MAX) && Way % int64_t(Start) == 0;
      Step = IsEven ? Way / int64_t(Start) : 0;
    }
    Known += Known == 0 || Start != 0;
    IsEven &= Known < 2 || Range.Base == of(Start, Trips).Base;
  }

  /// Whether of() has an answer for these iterations.
  bool knows(uint64_t Start, uint64_t Trips) const {
    return IsEven &&
           (Known > 1 || (Known == 1 && Start == 0 && Trips == FirstTrips));
  }
  /// What the \p Trips iterations, at least one, from \p Start on use.
  MemoryRange of(uint64_t Start, uint64_t Trips) const {
    if (Known < 2)
      return First;
    const uint64_t Size = Step < 0 ? 0 - uint64_t(Step) : uint64_t(Step);
    const uint64_t Rest = Size * (FirstTrips - 1); // but for one iteration
    const uint64_t One = First.Length > Rest ? First.Length - Rest : 0;
    // The lowest address is that of the first or of the last iteration.
    const uint64_t Lowest = Step < 0 ? Start + Trips - FirstTrips : Start;
    return {uintptr_t(First.Base + Lowest * uint64_t(Step)),
            size_t(Size * (Trips - 1) + One)};
  }

private:
  MemoryRange First = {0, 0};
  uint64_t FirstTrips = 1;
  int64_t Step = 0;   ///< bytes from an iteration to the next one
  uint64_t Known = 0; ///< iterations, 0 and others
  bool IsEven = true;
};

} // namespace locus

#endif // LOCUS_LOOP_LOOP_PLACES_H
