//===-- jacobi.cpp - Blocked Jacobi solver of a Poisson problem -----------===//

#include "jacobi.h"
#include "poisson.h"

#include <algorithm>

using namespace kastors;

/// Layers of the memory.
enum Layer : size_t { Field0, Field1, Rhs, Layers };

Jacobi::Jacobi(size_t Order, size_t Block, size_t Steps, unsigned Threads,
               Mapping Map, PlacementMeter &Meter, Strip Mine)
    : Order(Order), Block(Block), Columns(Order / Block), Mine(Mine),
      Steps(Steps), Threads(Threads), Map(Map),
      Grid(Map == Mapping::Grid ? Threads : 1, Mine.Rows, Columns),
      Meter(Meter), Memory(Mine.Rows, Columns, Block, Layers),
      Border(new double[Block]()) {}

unsigned Jacobi::owner(size_t Row, size_t Column) const {
  if (Map != Mapping::Loop)
    return Grid.owner(Row, Column);
  // schedule(static): runs of blocks, the first threads have one more.
  const size_t Number = Row * Columns + Column, All = Mine.Rows * Columns;
  const size_t Short = All / Threads, Longer = All % Threads;
  const size_t InLonger = Longer * (Short + 1);
  return static_cast<unsigned>(Number < InLonger
                                   ? Number / (Short + 1)
                                   : Longer + (Number - InLonger) / Short);
}

Stencil Jacobi::stencil(size_t Step, size_t Row, size_t Column) const {
  const size_t From = (Step + 1) % 2, B = Block;
  const double *Centre = Memory.block(Row, Column, From);
  Stencil S = {
      Centre,
      Centre,
      Centre,
      Memory.block(Row, Column > 0 ? Column - 1 : Column, From),
      Memory.block(Row, Column + 1 < Columns ? Column + 1 : Column, From),
      Memory.block(Row, Column, Rhs),
      Memory.block(Row, Column, Step % 2),
      Border.get(),
      Border.get()};
  if (Row > 0) {
    S.North = Memory.block(Row - 1, Column, From);
    S.Above = S.North + (B - 1) * B;
  } else if (Outside.Above[From]) {
    S.North = S.Above = Outside.Above[From] + Column * B;
  }
  if (Row + 1 < Mine.Rows)
    S.South = S.Below = Memory.block(Row + 1, Column, From);
  else if (Outside.Below[From])
    S.South = S.Below = Outside.Below[From] + Column * B;
  return S;
}

void Jacobi::touch(size_t Row, size_t Column) const {
  for (size_t Field : {Field0, Field1})
    std::fill_n(Memory.block(Row, Column, Field), Block * Block, 0.0);
  double *F = Memory.block(Row, Column, Rhs);
  for (size_t I = 0; I < Block; ++I)
    for (size_t J = 0; J < Block; ++J)
      F[I * Block + J] =
          rightSide((Mine.First + Row) * Block + I, Column * Block + J, Order);
}

void Jacobi::compute(const Stencil &S) const {
  const size_t B = Block;
  // West and east edges are columns: a stride of B, or of 1 along the border's
  // zeros.
  const double *Left = S.West == S.Centre ? Border.get() : S.West + B - 1;
  const double *Right = S.East == S.Centre ? Border.get() : S.East;
  const size_t LeftStride = S.West == S.Centre ? 1 : B;
  const size_t RightStride = S.East == S.Centre ? 1 : B;

  for (size_t I = 0; I < B; ++I) {
    const double *Up = I > 0 ? S.Centre + (I - 1) * B : S.Above;
    const double *Mid = S.Centre + I * B;
    const double *Down = I + 1 < B ? S.Centre + (I + 1) * B : S.Below;
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

double Jacobi::result(size_t PointRow, size_t PointColumn) const {
  const double *Of =
      Memory.block(PointRow / Block, PointColumn / Block, Steps % 2);
  return Of[PointRow % Block * Block + PointColumn % Block];
}
