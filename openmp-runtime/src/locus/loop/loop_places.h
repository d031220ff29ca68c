//===- loop/loop_places.h - Where the tasks of a taskloop belong *- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides a taskloop into parts: consecutive chunks that belong to the same
// place. Where an affinity clause says where its iterations belong, LoopPlaces
// asks for some of them, and lets chunks end where the place changes, if it
// may. README.md says how.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LOOP_LOOP_PLACES_H
#define LOCUS_LOOP_LOOP_PLACES_H

#include "locus/loop/chunks.h"
#include "locus/machine/team_shape.h"

namespace locus {

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
/// the order of the nodes of \p Shape, each with the iterations that
/// schedule(static) gives to as many threads. \p Chunks, which begin with the
/// iteration \p Start of that loop, are what is divided; none of them is torn.
template <class Action>
void spreadChunks(const TeamShape &Shape, uint64_t LoopTrips, uint64_t Start,
                  const LoopChunks &Chunks, Action Do) {
  int Threads = 0;
  uint64_t From = 0;
  for (int Node = 0; Node < Shape.numNodes() && From < Chunks.Tasks; ++Node) {
    Threads += Shape.numThreadsOfNode(Node);
    const uint64_t End =
        staticStart(LoopTrips, uint64_t(Threads), uint64_t(Shape.numThreads()));
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
  ~LoopPlaces();
  LoopPlaces(const LoopPlaces &) = delete;

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
    LOCUS_CHECK(NumRuns > 0);
    for (int I = 0; I < NumRuns; ++I) {
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

  uint64_t chunkOfProbe(uint64_t Number) const;
  uint64_t ordinalOfProbe(uint64_t Number) const;
  uint64_t middle() const { return Low + (High - Low) / 2; }
  bool seeksBorder() const { return High - Low > 1; }
  void takeProbe(int Place);
  void addRun(uint64_t Start, int Place);
  uint64_t endOfRun(int Number) const;
  void dropShortRuns();
  LoopPart partOfRun(int Number) const;

  const LoopChunks Chunks; ///< of the whole loop
  const bool ByGrainsize;
  const bool MayMove;   ///< chunk borders may
  const uint64_t Least; ///< iterations of a run, where they may
  const Asks What;

  // The runs that are known. There is one for each probe at most.
  Run *Runs = nullptr;
  int NumRuns = 0;
  int Room = 0;

  // Places are asked for at these probes first, from the start of the loop on.
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

} // namespace locus

#endif // LOCUS_LOOP_LOOP_PLACES_H
