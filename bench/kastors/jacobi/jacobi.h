//===-- jacobi.h - Blocked Jacobi solver of a Poisson problem -------------===//
//
// -laplace(u) = f on the unit square, u = 0 on its border, n x n points inside.
// A step computes every point of the next field from its four neighbours and f.
// The field is stored in blocks; a task computes one block in one step.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_JACOBI_H
#define KASTORS_JACOBI_H

#include "../common/blocks.h"
#include "../common/driver.h"
#include "../common/grid.h"
#include "../common/placement.h"

#include <memory>
#include <vector>

namespace kastors {

/// What one task works on. The neighbours are for depend clauses: a block, a
/// part of a halo row, or, outside of the square, the block itself.
struct Stencil {
  const double *Centre;
  const double *North;
  const double *South;
  const double *West;
  const double *East;
  const double *Rhs;
  double *Out;
  const double *Above; ///< The row of points that touches the block.
  const double *Below;
};

/// Rows of blocks of the square that one process computes.
struct Strip {
  size_t First = 0;
  size_t Rows = 0;
};

/// The rows of points above and below a strip in both fields, which other
/// processes compute; null where the square ends.
struct Halo {
  const double *Above[2] = {};
  const double *Below[2] = {};
};

/// Which thread a block belongs to.
enum class Mapping {
  None, ///< To nobody; tasks are meant for the thread that touched it first.
  Grid, ///< To a thread of the grid.
  Loop, ///< To the thread that a static loop over all blocks gives it to.
};

/// The problem. Variants only decide which thread calls run, and in which
/// order. Step 0 is the first touch, steps from 1 compute.
class Jacobi {
public:
  Jacobi(size_t Order, size_t Block, size_t Steps, unsigned Threads,
         Mapping Map, PlacementMeter &Meter)
      : Jacobi(Order, Block, Steps, Threads, Map, Meter, {0, Order / Block}) {}
  /// Only \p Mine of the square. All rows count from its first one.
  Jacobi(size_t Order, size_t Block, size_t Steps, unsigned Threads,
         Mapping Map, PlacementMeter &Meter, Strip Mine);
  virtual ~Jacobi() = default;

  /// Blocks.
  size_t rows() const { return Mine.Rows; }
  size_t columns() const { return Columns; }
  Strip strip() const { return Mine; }

  /// The block in the field that step \p Step writes.
  double *written(size_t Step, size_t Row, size_t Column) const {
    return Memory.block(Row, Column, Step % 2);
  }

  /// The thread that a block belongs to; 0 without a mapping.
  unsigned owner(size_t Row, size_t Column) const;

  /// Bands of the grid of threads.
  unsigned bands() const { return Grid.bands(); }

  /// The blocks of a task. The fields change places with every step.
  Stencil stencil(size_t Step, size_t Row, size_t Column) const;

  /// Announces a task to the placement meter.
  TaskNote *expect(size_t Row, size_t Column) const {
    return Meter.expect(Memory.block(Row, Column), Memory.bytes(),
                        Map == Mapping::None
                            ? FirstToucher
                            : static_cast<int>(owner(Row, Column)));
  }

  /// First touch of a block in all layers.
  void touch(size_t Row, size_t Column) const;

  /// Computes \p S.Out.
  void compute(const Stencil &S) const;

  /// Gives all pages back.
  void dropPages() { Memory.dropPages(); }

  /// The value of a point after the last step, point (0, 0) first.
  double result(size_t PointRow, size_t PointColumn) const;

  size_t order() const { return Order; }
  size_t blockOrder() const { return Block; }
  size_t blockElements() const { return Block * Block; }

  /// A block is done, on the thread that computed it.
  virtual void blockDone() const {}

protected:
  Halo Outside;

private:
  size_t Order;
  size_t Block;
  size_t Columns;
  Strip Mine;
  size_t Steps;
  unsigned Threads;
  Mapping Map;
  ThreadGrid Grid;
  PlacementMeter &Meter;
  BlockMatrix Memory; ///< Layers 0 and 1: the fields; 2: the right side.
  std::unique_ptr<double[]> Border; ///< Zeros: what lies outside.
};

/// A block in one step, and what a task of it needs to know.
struct BlockTask {
  const Jacobi *J;
  size_t Step;
  size_t Row;
  size_t Column;
  Stencil S;
  TaskNote *Note;

  unsigned owner() const { return J->owner(Row, Column); }
  size_t elements() const { return J->blockElements(); }

  void run() const {
    PlacementMeter::ran(Note);
    if (Step == 0)
      J->touch(Row, Column);
    else
      J->compute(S);
    J->blockDone();
  }
};

/// Creates a task, or runs it at once.
using Spawn = void (*)(BlockTask);

/// Goes over all blocks in the steps from \p Begin to \p End - 1.
using Sweep = void (*)(const Jacobi &, size_t Begin, size_t End, Spawn);

struct JacobiVariant {
  VariantInfo Info;
  Mapping Map;
  Sweep Init;
  Spawn InitTask;
  Sweep Solve;
  Spawn SolveTask;
};

extern const std::vector<JacobiVariant> JacobiVariants;

} // namespace kastors

#endif // KASTORS_JACOBI_H
