//===-- jacobi.cpp - Blocked Jacobi solver of a Poisson problem -----------===//

#include "jacobi.h"
#include "poisson.h"

#include <algorithm>

using namespace kastors;

Jacobi::Jacobi(size_t Order, size_t Block, size_t Steps, const ThreadGrid &Grid)
    : Order(Order), Block(Block), Side(Order / Block), Steps(Steps), Grid(Grid),
      Border(new double[Block]()) {
  for (auto &Field : Fields)
    Field = std::make_unique<BlockMatrix>(Side, Block);
  Rhs = std::make_unique<BlockMatrix>(Side, Block);
}

Stencil Jacobi::stencil(size_t Step, size_t Row, size_t Column) const {
  const BlockMatrix &From = *Fields[Step % 2];
  return {From.block(Row, Column),
          From.block(Row > 0 ? Row - 1 : Row, Column),
          From.block(Row + 1 < Side ? Row + 1 : Row, Column),
          From.block(Row, Column > 0 ? Column - 1 : Column),
          From.block(Row, Column + 1 < Side ? Column + 1 : Column),
          Rhs->block(Row, Column),
          Fields[(Step + 1) % 2]->block(Row, Column)};
}

void Jacobi::initBlock(size_t Row, size_t Column) {
  if (InitNotes)
    InitNotes->note(slot(Row, Column));
  for (auto &Field : Fields)
    std::fill_n(Field->block(Row, Column), Block * Block, 0.0);
  double *F = Rhs->block(Row, Column);
  for (size_t I = 0; I < Block; ++I)
    for (size_t J = 0; J < Block; ++J)
      F[I * Block + J] = rightSide(Row * Block + I, Column * Block + J, Order);
}

void Jacobi::computeBlock(const Stencil &S, size_t Step, size_t Row,
                          size_t Column) {
  if (Notes)
    Notes->note(Step * Side * Side + slot(Row, Column));
  const size_t B = Block;
  // The edges that touch this block. West and east ones are columns: a stride
  // of B, or of 1 along the border's zeros.
  const double *Above =
      S.North == S.Centre ? Border.get() : S.North + (B - 1) * B;
  const double *Below = S.South == S.Centre ? Border.get() : S.South;
  const double *Left = S.West == S.Centre ? Border.get() : S.West + B - 1;
  const double *Right = S.East == S.Centre ? Border.get() : S.East;
  const size_t LeftStride = S.West == S.Centre ? 1 : B;
  const size_t RightStride = S.East == S.Centre ? 1 : B;

  for (size_t I = 0; I < B; ++I) {
    const double *Up = I > 0 ? S.Centre + (I - 1) * B : Above;
    const double *Mid = S.Centre + I * B;
    const double *Down = I + 1 < B ? S.Centre + (I + 1) * B : Below;
    const double *F = S.Rhs + I * B;
    double *__restrict Out = S.Out + I * B;
    const double West = Left[I * LeftStride];
    const double East = Right[I * RightStride];
    if (B == 1) {
      Out[0] = relax(Up[0], West, East, Down[0], F[0]);
      continue;
    }
    Out[0] = relax(Up[0], West, Mid[1], Down[0], F[0]);
    for (size_t J = 1; J + 1 < B; ++J)
      Out[J] = relax(Up[J], Mid[J - 1], Mid[J + 1], Down[J], F[J]);
    Out[B - 1] = relax(Up[B - 1], Mid[B - 2], East, Down[B - 1], F[B - 1]);
  }
}

void Jacobi::restart(bool Record) {
  for (auto &Field : Fields)
    Field->dropPages();
  Rhs->dropPages();
  InitNotes.reset(Record ? new TaskNotes(Side * Side) : nullptr);
  Notes.reset(Record ? new TaskNotes(Steps * Side * Side) : nullptr);
}

PlacementReport Jacobi::placement(bool Mapped) const {
  PlacementReport Report;
  for (size_t Row = 0; Row < Side; ++Row)
    for (size_t Column = 0; Column < Side; ++Column) {
      const TaskNote &Init = (*InitNotes)[slot(Row, Column)];
      const unsigned Thread = Mapped ? owner(Row, Column) : Init.Thread;
      // A task writes its block in one field or in the other.
      int Node[2];
      for (size_t Field : {0, 1})
        Node[Field] =
            nodeOfPages(first(Field, Row, Column), Fields[Field]->blockBytes(),
                        Report.Compute.Trouble);
      Report.Init.add(Init, Thread, Node[0]);
      for (size_t Step = 0; Step < Steps; ++Step)
        Report.Compute.add((*Notes)[Step * Side * Side + slot(Row, Column)],
                           Thread, Node[(Step + 1) % 2]);
    }
  Report.Init.Trouble = Report.Compute.Trouble;
  return Report;
}

double Jacobi::result(size_t PointRow, size_t PointColumn) const {
  const double *Of = first(Steps % 2, PointRow / Block, PointColumn / Block);
  return Of[PointRow % Block * Block + PointColumn % Block];
}
