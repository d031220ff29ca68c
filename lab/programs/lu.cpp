//===- programs/lu.cpp - LU factorizations by tiles ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tasks of `lu` and `sparselu` of bench/kastors/dense.
//
//===----------------------------------------------------------------------===//

#include "lab/programs/tiles.h"

#include <algorithm>
#include <memory>

namespace locus::lab {

//===----------------------------------------------------------------------===//
// With partial pivoting: KASTORS' dgetrf
//===----------------------------------------------------------------------===//

namespace lu_tasks {
enum : uint32_t { Touch, Panel, Exchange, Update, Below };
}

/// A panel is halved again and again: most of its products have few columns.
static constexpr uint64_t PanelColumns = 32;

namespace {

class Lu {
public:
  Lu(const LuSize &Size, Placing Where, FirstTouch Init, int Threads,
     CoreSpeed Speed)
      : Order(Size.Tile), Speed(Speed),
        A(Size.Order / Size.Tile, Order * Order * 8, 0, Where, Init, Threads) {}

  const TileMatrix &matrix() const { return A; }
  void create(Context &C) const;

private:
  uint64_t Order;
  CoreSpeed Speed;
  TileMatrix A;

  double ns(double FlopsPerCube, uint64_t Columns) const {
    return tileKernelNs(FlopsPerCube, Order, Columns, Speed);
  }
  /// What exchanges of \p Times a tile's rows move in column \p J from row
  /// \p K on: a row has a cache line in each column of the matrix.
  std::vector<Range> exchanged(uint64_t K, uint64_t J, uint64_t Times) const {
    std::vector<Range> Moves;
    const uint64_t Bytes = Order * Order * 64 * Times / (A.side() - K);
    for (uint64_t M = K; M < A.side(); ++M) {
      Moves.push_back(A.range({M, J}, true));
      Moves.back().Bytes = std::min(Moves.back().Bytes, Bytes);
    }
    return Moves;
  }
};

} // namespace

// The tile above the first one of a column has been read by all updates of the
// last step: whoever writes it comes after them.
void Lu::create(Context &C) const {
  using namespace lu_tasks;
  const uint64_t N = A.side();
  const auto Column = [](uint64_t K, uint64_t J) {
    std::vector<Tile> Tiles = {{K, J}};
    if (K > 0)
      Tiles.push_back({K - 1, J});
    return Tiles;
  };
  for (uint64_t K = 0; K < N; ++K) {
    std::vector<Range> All;
    for (uint64_t M = K; M < N; ++M)
      All.push_back(A.range({M, K}, true));
    A.createTask(C, Panel, ns(double(N - K) - 1.0 / 3, PanelColumns), {},
                 Column(K, K), {}, All);
    for (uint64_t J = K + 1; J < N; ++J) {
      std::vector<Range> Moves = exchanged(K, J, 1);
      Moves[0].Bytes = A.range({K, J}, true).Bytes;
      Moves.push_back(A.range({K, K}, false));
      A.createTask(C, Exchange, ns(1, Order), {{K, K}}, Column(K, J), {},
                   Moves);
      for (uint64_t M = K + 1; M < N; ++M)
        A.createTask(C, Update, ns(2, Order), {{M, K}, {K, J}}, {{M, J}});
    }
  }
  for (uint64_t J = 0; J + 1 < N; ++J)
    A.createTask(C, Below, 0, {{N - 1, N - 1}}, Column(J + 1, J), {},
                 exchanged(J + 1, J, N - J - 1));
}

TimedProgram lu(const LuSize &Size, Placing Where, FirstTouch Init, int Threads,
                CoreSpeed Speed) {
  TimedProgram P;
  const auto A = std::make_shared<const Lu>(Size, Where, Init, Threads, Speed);
  P.Name = "lu";
  P.Constructs = {"touch", "panel", "exchange", "update", "below"};
  P.ImplicitTask = [A, From = P.SolveFrom](Context &C) {
    if (C.thread() != 0)
      return;
    A->matrix().initialize(C, lu_tasks::Touch, false);
    *From = C.now();
    A->create(C);
  };
  return P;
}

//===----------------------------------------------------------------------===//
// Many empty tiles
//===----------------------------------------------------------------------===//

namespace sparse_tasks {
enum : uint32_t { Touch, Factor, Row, Column, Update };
}

/// A band of three tiles, and every third tile in every second row and column.
static bool startsFull(uint64_t Row, uint64_t Column) {
  const uint64_t Least = std::min(Row, Column), Most = std::max(Row, Column);
  return Most - Least <= 1 ||
         (Row % 2 == 0 && Column % 2 == 0 && Least % 3 == 0);
}

/// Which tiles of N x N are not empty at the end.
static std::vector<bool> fillUp(uint64_t N) {
  std::vector<bool> Full;
  for (uint64_t I = 0; I < N * N; ++I)
    Full.push_back(startsFull(I / N, I % N));
  for (uint64_t K = 0; K < N; ++K)
    for (uint64_t I = K + 1; I < N; ++I)
      for (uint64_t J = K + 1; J < N; ++J)
        if (Full[I * N + K] && Full[K * N + J])
          Full[I * N + J] = true;
  return Full;
}

static void createSparse(Context &C, const TileMatrix &A,
                         const std::vector<bool> &Full, uint64_t Order,
                         CoreSpeed Speed) {
  using namespace sparse_tasks;
  const uint64_t N = A.side();
  const auto Ns = [&](double FlopsPerCube) {
    return tileKernelNs(FlopsPerCube, Order, Order, Speed);
  };
  // The diagonal tiles are factored by plain loops: a flop a cycle.
  const double Cube = double(Order) * double(Order) * double(Order);
  const double FactorNs = Speed.cycles(2.0 / 3 * Cube);
  for (uint64_t K = 0; K < N; ++K) {
    A.createTask(C, Factor, FactorNs, {}, {{K, K}});
    for (uint64_t J = K + 1; J < N; ++J)
      if (Full[K * N + J])
        A.createTask(C, Row, Ns(1), {{K, K}}, {{K, J}});
    for (uint64_t I = K + 1; I < N; ++I)
      if (Full[I * N + K])
        A.createTask(C, Column, Ns(1), {{K, K}}, {{I, K}});
    for (uint64_t I = K + 1; I < N; ++I)
      for (uint64_t J = K + 1; J < N; ++J)
        if (Full[I * N + K] && Full[K * N + J])
          A.createTask(C, Update, Ns(2), {{I, K}, {K, J}}, {{I, J}});
  }
}

TimedProgram sparseLuDepend(const LuSize &Size, Placing Where, FirstTouch Init,
                            int Threads, CoreSpeed Speed) {
  TimedProgram P;
  const uint64_t N = Size.Order / Size.Tile;
  const std::vector<bool> Full = fillUp(N);
  const auto A = std::make_shared<TileMatrix>(N, Size.Tile * Size.Tile * 8, 0,
                                              Where, Init, Threads);
  A->dealOut(Full, Threads);
  P.Name = "sparselu_depend";
  P.Constructs = {"touch", "factor", "row", "column", "update"};
  P.ImplicitTask = [A, Full, Size, Speed, From = P.SolveFrom](Context &C) {
    if (C.thread() != 0)
      return;
    A->initialize(C, sparse_tasks::Touch, false);
    *From = C.now();
    createSparse(C, *A, Full, Size.Tile, Speed);
  };
  return P;
}

} // namespace locus::lab
