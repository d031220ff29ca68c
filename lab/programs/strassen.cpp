//===- programs/strassen.cpp - Strassen's product by tiles ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tasks of `strassen` of bench/kastors/dense: all sums and products of all
// levels, on tiles, each product in memory of its own.
//
//===----------------------------------------------------------------------===//

#include "lab/programs/tiles.h"

#include <memory>

namespace locus::lab {

namespace {

enum Construct : uint32_t { Touch, Sum, Accumulate, Multiply };

/// A square of tiles in a larger one.
struct View {
  uint64_t First; ///< number of its first tile
  uint64_t Pitch; ///< tiles from row to row
  uint64_t Side;

  uint64_t at(uint64_t Row, uint64_t Column) const {
    return First + Row * Pitch + Column;
  }
  View quarter(uint64_t Row, uint64_t Column) const {
    return {at(Row * Side / 2, Column * Side / 2), Pitch, Side / 2};
  }
};

/// Tiles that the temporaries of a product need: ten sums, seven products.
uint64_t temporaries(uint64_t Side, int Levels) {
  if (Levels == 0)
    return 0;
  const uint64_t Half = Side / 2;
  return 17 * Half * Half + 7 * temporaries(Half, Levels - 1);
}

/// C, A, B, and the temporaries, in rows of \p Side.
uint64_t rows(const StrassenSize &Size) {
  const uint64_t Side = Size.Order / Size.Tile;
  const uint64_t All = 3 * Side * Side + temporaries(Side, Size.Levels);
  return (All + Side - 1) / Side;
}

class Product {
public:
  Product(const StrassenSize &Size, Placing Where, FirstTouch Init, int Threads,
          CoreSpeed Speed)
      : Size(Size), Tiles(Size.Order / Size.Tile, Size.Tile * Size.Tile * 8, 0,
                          Where, Init, Threads, rows(Size)),
        SumNs(Speed.cycles(double(Size.Tile * Size.Tile))),
        ProductNs(tileKernelNs(2, Size.Tile, Size.Tile, Speed)) {}

  void run(Context &C, double &SolveFrom) const {
    Tiles.initialize(C, Touch, false);
    SolveFrom = C.now();
    const uint64_t Side = Tiles.side(), Matrix = Side * Side;
    uint64_t Next = 3 * Matrix;
    multiply(C, {0, Side, Side}, {Matrix, Side, Side}, {2 * Matrix, Side, Side},
             Size.Levels, Next);
  }

private:
  StrassenSize Size;
  TileMatrix Tiles;
  double SumNs, ProductNs;

  Tile tile(uint64_t Number) const {
    return {Number / Tiles.side(), Number % Tiles.side()};
  }
  /// Out = X + Y, or X - Y, tile by tile.
  void sum(Context &C, View Out, View X, View Y) const {
    for (uint64_t I = 0; I < Out.Side; ++I)
      for (uint64_t J = 0; J < Out.Side; ++J)
        Tiles.createTask(C, Sum, SumNs, {tile(X.at(I, J)), tile(Y.at(I, J))},
                         {tile(Out.at(I, J))});
  }
  /// Out += X, or Out -= X.
  void accumulate(Context &C, View Out, View X) const {
    for (uint64_t I = 0; I < Out.Side; ++I)
      for (uint64_t J = 0; J < Out.Side; ++J)
        Tiles.createTask(C, Accumulate, SumNs, {tile(X.at(I, J))},
                         {tile(Out.at(I, J))});
  }
  void multiplyPlainly(Context &C, View Out, View X, View Y) const {
    for (uint64_t K = 0; K < Out.Side; ++K)
      for (uint64_t I = 0; I < Out.Side; ++I)
        for (uint64_t J = 0; J < Out.Side; ++J)
          Tiles.createTask(C, Multiply, ProductNs,
                           {tile(X.at(I, K)), tile(Y.at(K, J))},
                           {tile(Out.at(I, J))});
  }
  void multiply(Context &C, View Out, View X, View Y, int Level,
                uint64_t &Next) const;
};

/// \p Next: the first tile that nobody has taken.
void Product::multiply(Context &C, View Out, View X, View Y, int Level,
                       uint64_t &Next) const {
  if (Level == 0) {
    multiplyPlainly(C, Out, X, Y);
    return;
  }
  const uint64_t Half = Out.Side / 2;
  const auto New = [&] {
    const View Fresh{Next, Half, Half};
    Next += Half * Half;
    return Fresh;
  };
  const auto SumOf = [&](View P, View Q) {
    const View Z = New();
    sum(C, Z, P, Q);
    return Z;
  };
  const auto ProductOf = [&](View P, View Q) {
    const View Z = New();
    multiply(C, Z, P, Q, Level - 1, Next);
    return Z;
  };
  const View X11 = X.quarter(0, 0), X12 = X.quarter(0, 1);
  const View X21 = X.quarter(1, 0), X22 = X.quarter(1, 1);
  const View Y11 = Y.quarter(0, 0), Y12 = Y.quarter(0, 1);
  const View Y21 = Y.quarter(1, 0), Y22 = Y.quarter(1, 1);
  const View M1 = ProductOf(SumOf(X11, X22), SumOf(Y11, Y22));
  const View M2 = ProductOf(SumOf(X21, X22), Y11);
  const View M3 = ProductOf(X11, SumOf(Y12, Y22));
  const View M4 = ProductOf(X22, SumOf(Y21, Y11));
  const View M5 = ProductOf(SumOf(X11, X12), Y22);
  const View M6 = ProductOf(SumOf(X21, X11), SumOf(Y11, Y12));
  const View M7 = ProductOf(SumOf(X12, X22), SumOf(Y21, Y22));
  const View Out11 = Out.quarter(0, 0), Out22 = Out.quarter(1, 1);
  sum(C, Out11, M1, M4);
  accumulate(C, Out11, M5);
  accumulate(C, Out11, M7);
  sum(C, Out.quarter(0, 1), M3, M5);
  sum(C, Out.quarter(1, 0), M2, M4);
  sum(C, Out22, M1, M2);
  accumulate(C, Out22, M3);
  accumulate(C, Out22, M6);
}

} // namespace

TimedProgram strassenDepend(const StrassenSize &Size, Placing Where,
                            FirstTouch Init, int Threads, CoreSpeed Speed) {
  TimedProgram P;
  const auto S =
      std::make_shared<const Product>(Size, Where, Init, Threads, Speed);
  P.Name = "strassen_depend";
  P.Constructs = {"touch", "sum", "accumulate", "multiply"};
  P.ImplicitTask = [S, From = P.SolveFrom](Context &C) {
    if (C.thread() == 0)
      S->run(C, *From);
  };
  return P;
}

} // namespace locus::lab
