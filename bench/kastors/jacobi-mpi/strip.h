//===-- strip.h - The part of the square that a rank computes -------------===//
//
// Each rank has whole rows of blocks. Before a step it gets the rows of points
// above and below them from its neighbours, a message for each block.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_STRIP_H
#define KASTORS_STRIP_H

#include "../jacobi/jacobi.h"
#include "exchange.h"

namespace kastors {

class RankStrip : public Jacobi {
public:
  RankStrip(size_t Order, size_t Block, size_t Steps, unsigned Threads,
            Mapping Map, PlacementMeter &Meter, int Rank, int Ranks,
            Exchange &Messages);

  /// The rows of blocks of a rank.
  static Strip stripOf(size_t Side, int Rank, int Ranks);

  /// Creates the tasks that exchange what step \p Step reads. For one thread.
  void createMessages(size_t Step) const;

  /// Runs tasks and completes messages until at most so many tasks are left
  /// that createMessages and blockWanted have announced. For that thread.
  void runUntil(long Left) const;

  /// The tasks of a step.
  long tasksPerStep() const;

  /// A task for a block is about to be created.
  void blockWanted() const { Live.fetch_add(1, std::memory_order_relaxed); }
  void blockDone() const override;

  /// Exchanges what step \p Step reads, at once.
  void exchangeRows(size_t Step) const;

private:
  int rankAbove() const { return Rank > 0 ? Rank - 1 : MPI_PROC_NULL; }
  int rankBelow() const { return Rank + 1 < Ranks ? Rank + 1 : MPI_PROC_NULL; }
  void createPair(size_t Step, size_t Column, bool IsAbove) const;
  const double *edge(size_t Step, size_t Column, bool IsTop) const;
  double *row(bool IsAbove, size_t Field) const {
    return reinterpret_cast<double *>(Rows.begin()) +
           (2 * Field + IsAbove) * order();
  }

  int Rank, Ranks;
  Exchange &Messages;
  Pages Rows; ///< Of the halo: above and below, in both fields.
  mutable std::vector<double> Packed; ///< For exchangeRows.
  mutable std::atomic<long> Live{0};
};

} // namespace kastors

#endif // KASTORS_STRIP_H
