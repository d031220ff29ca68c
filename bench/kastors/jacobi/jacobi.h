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

namespace kastors {

/// The blocks that one task works on. A neighbour outside of the square is the
/// block itself: it can then stand in a depend clause as it is.
struct Stencil {
  const double *Centre;
  const double *North;
  const double *South;
  const double *West;
  const double *East;
  const double *Rhs;
  double *Out;
};

/// The fields and what the variants share. Variants only decide which thread
/// calls initBlock and computeBlock, and in which order.
class Jacobi {
public:
  Jacobi(size_t Order, size_t Block, size_t Steps, const ThreadGrid &Grid);

  /// Blocks per side, and steps.
  size_t side() const { return Side; }
  size_t steps() const { return Steps; }

  /// The thread that a block belongs to, for the variants that say so.
  unsigned owner(size_t Row, size_t Column) const {
    return Grid.owner(Row, Column);
  }

  /// The blocks of a task. The fields change places with every step.
  Stencil stencil(size_t Step, size_t Row, size_t Column) const;

  /// First touch of a block, in both fields and on the right side.
  void initBlock(size_t Row, size_t Column);

  /// Computes \p S.Out: step \p Step of block (\p Row, \p Column).
  void computeBlock(const Stencil &S, size_t Step, size_t Row, size_t Column);

  /// What depend clauses name for a block: its first element in field 0 and 1.
  double *first(size_t Field, size_t Row, size_t Column) const {
    return Fields[Field]->block(Row, Column);
  }

  /// Gives all pages back and starts or stops taking notes.
  void restart(bool Record);

  /// Evaluates the notes. \p Mapped: tasks were meant for the owner of their
  /// block; otherwise for the thread that touched it first.
  PlacementReport placement(bool Mapped) const;

  /// The value of a point after the last step, point (1, 1) first.
  double result(size_t PointRow, size_t PointColumn) const;

private:
  size_t slot(size_t Row, size_t Column) const { return Row * Side + Column; }

  size_t Order;
  size_t Block;
  size_t Side;
  size_t Steps;
  ThreadGrid Grid;
  std::unique_ptr<BlockMatrix> Fields[2];
  std::unique_ptr<BlockMatrix> Rhs;
  std::unique_ptr<double[]> Border; ///< Zeros: what lies outside.
  std::unique_ptr<TaskNotes> InitNotes;
  std::unique_ptr<TaskNotes> Notes;
};

/// The functions of one variant; each is in jacobi_NAME.cpp.
struct JacobiVariant {
  VariantInfo Info;
  bool Mapped; ///< Blocks are mapped to the thread grid.
  void (*Init)(Jacobi &);
  void (*Solve)(Jacobi &);
};

void initSequential(Jacobi &);
void solveSequential(Jacobi &);
void initFor(Jacobi &);
void solveFor(Jacobi &);
void initTaskdep(Jacobi &);
void solveTaskdep(Jacobi &);
void initTaskdepAffinity(Jacobi &);
void solveTaskdepAffinity(Jacobi &);
void solveTaskdepAffinityNonstrict(Jacobi &);

} // namespace kastors

#endif // KASTORS_JACOBI_H
