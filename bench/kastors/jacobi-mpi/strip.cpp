//===-- strip.cpp - The part of the square that a rank computes -----------===//

#include "strip.h"

#include <algorithm>
#include <thread>

using namespace kastors;

Strip RankStrip::stripOf(size_t Side, int Rank, int Ranks) {
  const size_t Begin = Side * static_cast<size_t>(Rank) / Ranks;
  return {Begin, Side * static_cast<size_t>(Rank + 1) / Ranks - Begin};
}

RankStrip::RankStrip(size_t Order, size_t Block, size_t Steps, unsigned Threads,
                     Mapping Map, PlacementMeter &Meter, int Rank, int Ranks,
                     Exchange &Messages)
    : Jacobi(Order, Block, Steps, Threads, Map, Meter,
             stripOf(Order / Block, Rank, Ranks)),
      Rank(Rank), Ranks(Ranks), Messages(Messages),
      Rows(4 * Order * sizeof(double)) {
  for (size_t Field : {0, 1}) {
    if (Rank > 0)
      Outside.Above[Field] = row(true, Field);
    if (Rank + 1 < Ranks)
      Outside.Below[Field] = row(false, Field);
  }
}

/// The points of the first or last row that step \p Step reads, of a block.
const double *RankStrip::edge(size_t Step, size_t Column, bool IsTop) const {
  const size_t B = blockOrder();
  return written(Step - 1, IsTop ? 0 : rows() - 1, Column) +
         (IsTop ? 0 : (B - 1) * B);
}

//===-- By tasks ----------------------------------------------------------===//

/// A block's edge to the neighbour, and the neighbour's to us. The tag says
/// which edge it is. Those of the step after the next have the same tags: they
/// cannot meet, as a neighbour that sends them has had our edge of the next
/// step, which was computed from those of this one.
void RankStrip::createPair(size_t Step, size_t Column, bool IsAbove) const {
  const int Other = IsAbove ? rankAbove() : rankBelow();
  if (Other == MPI_PROC_NULL)
    return;
  const size_t From = (Step - 1) % 2;
  const int Count = static_cast<int>(blockOrder());
  // Even: from the lower rank to the higher one.
  const int Tag = static_cast<int>(4 * Column + 2 * From);
  const double *Block = written(Step - 1, IsAbove ? 0 : rows() - 1, Column);
  const double *Ours = edge(Step, Column, IsAbove);
  double *Theirs = row(IsAbove, From) + Column * blockOrder();
  Exchange *X = &Messages;
  omp_event_handle_t Sent{}, Come{};
  Live.fetch_add(2, std::memory_order_relaxed);
#pragma omp task depend(in : *Block) detach(Sent)                              \
    firstprivate(X, Ours, Count, Other, Tag, IsAbove)
  X->send(Ours, Count, Other, Tag + IsAbove, Sent);
#pragma omp task depend(out : *Theirs) detach(Come)                            \
    firstprivate(X, Theirs, Count, Other, Tag, IsAbove)
  X->receive(Theirs, Count, Other, Tag + !IsAbove, Come);
}

void RankStrip::createMessages(size_t Step) const {
  for (size_t Column = 0; Column < columns(); ++Column)
    for (bool IsAbove : {true, false})
      createPair(Step, Column, IsAbove);
}

long RankStrip::tasksPerStep() const {
  const size_t Neighbours = (Rank > 0) + (Rank + 1 < Ranks);
  return static_cast<long>((rows() + 2 * Neighbours) * columns());
}

/// Whoever ends a task looks whether messages have come: the creator may be
/// busy with a long one.
void RankStrip::blockDone() const {
  const long Done = static_cast<long>(Messages.poll());
  Live.fetch_sub(1 + Done, std::memory_order_relaxed);
}

void RankStrip::runUntil(long Left) const {
  while (Live.load(std::memory_order_relaxed) > Left) {
    const long Done = static_cast<long>(Messages.poll());
    Live.fetch_sub(Done, std::memory_order_relaxed);
    const long Before = Live.load(std::memory_order_relaxed);
#pragma omp taskyield
    // With nothing to do let other threads and ranks have the processor.
    if (Done == 0 && Live.load(std::memory_order_relaxed) == Before)
      std::this_thread::yield();
  }
}

//===-- At once -----------------------------------------------------------===//

void RankStrip::exchangeRows(size_t Step) const {
  const size_t From = (Step - 1) % 2, B = blockOrder();
  const int Count = static_cast<int>(order());
  Packed.resize(order());
  auto Shift = [&](bool IsTop, int To, int Source) {
    if (To != MPI_PROC_NULL)
      for (size_t Column = 0; Column < columns(); ++Column)
        std::copy_n(edge(Step, Column, IsTop), B, &Packed[Column * B]);
    MPI_Sendrecv(Packed.data(), Count, MPI_DOUBLE, To, IsTop, row(!IsTop, From),
                 Count, MPI_DOUBLE, Source, IsTop, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  };
  Shift(true, rankAbove(), rankBelow());
  Shift(false, rankBelow(), rankAbove());
}
