//===-- sparselu.cpp - A = L U of a matrix with empty tiles ---------------===//
//
// The idea is that of SparseLU in the Barcelona OpenMP tasks suite: many tiles
// are empty, so the tasks are irregular; without pivoting. Which tiles fill up
// on the way is known before the first task.
//
//===----------------------------------------------------------------------===//

#include "blas.h"
#include "tiles.h"

#include <algorithm>
#include <cblas.h>

using namespace kastors;

/// Tile = L U in place, L with ones on the diagonal.
static void factor(const TileTask &T) {
  const size_t B = T.Order;
  double *A = T.Out[0];
  for (size_t K = 0; K < B; ++K) {
    for (size_t I = K + 1; I < B; ++I)
      A[K * B + I] /= A[K * B + K];
    for (size_t J = K + 1; J < B; ++J)
      for (size_t I = K + 1; I < B; ++I)
        A[J * B + I] -= A[K * B + I] * A[J * B + K];
  }
}

static void solveRow(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, B,
              B, 1.0, T.In[0], B, T.Out[0], B);
}

static void solveColumn(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit,
              B, B, 1.0, T.In[0], B, T.Out[0], B);
}

static void update(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, B, B, B, -1.0, T.In[0],
              B, T.In[1], B, 1.0, T.Out[0], B);
}

namespace {

class SparseLU : public TileBenchmark {
public:
  SparseLU() : TileBenchmark(2048, 64) {}
  const char *name() const override { return "sparselu"; }
  const char *summary() const override {
    return "LU factorization of a matrix with many empty tiles.";
  }

  void prepare(size_t Variant, unsigned Threads, bool Check) override {
    TileBenchmark::prepare(Variant, Threads, Check);
    Full.clear();
    for (size_t Index = 0; Index < tiles(); ++Index)
      Full.push_back(given(Index / side(), Index % side()));
    for (size_t K = 0; K < side(); ++K)
      for (size_t I = K + 1; I < side(); ++I)
        for (size_t J = K + 1; J < side(); ++J)
          if (full(I, K) && full(K, J))
            Full[I * side() + J] = true;
    Owners.assign(tiles(), 0);
    unsigned Next = 0;
    for (size_t Index = 0; Index < tiles(); ++Index)
      if (Full[Index])
        Owners[Index] = Next++ % Threads;
  }

  /// Dealt out one by one: rows and columns of a rectangle of threads would get
  /// very different shares.
  unsigned owner(size_t Index) const override { return Owners[Index]; }

private:
  /// A band of three tiles, and every third tile in every second row and
  /// column.
  static bool given(size_t Row, size_t Column) {
    return std::max(Row, Column) - std::min(Row, Column) <= 1 ||
           (Row % 2 == 0 && Column % 2 == 0 && std::min(Row, Column) % 3 == 0);
  }

  bool full(size_t Row, size_t Column) const {
    return Full[Row * side() + Column];
  }

  double element(size_t Row, size_t Column) const override {
    if (!given(Row / tileOrder(), Column / tileOrder()))
      return 0;
    // A dominant diagonal: no pivot is needed.
    return randomElement(Row, Column) +
           (Row == Column ? static_cast<double>(order()) : 0.0);
  }

  void emit(const std::function<void(TileTask)> &Add) const override {
    for (size_t K = 0; K < side(); ++K) {
      double *Diagonal = tile(K, K);
      Add({factor, {Diagonal, Diagonal}, {Diagonal, Diagonal}});
      for (size_t J = K + 1; J < side(); ++J)
        if (full(K, J))
          Add({solveRow, {Diagonal, Diagonal}, {tile(K, J), tile(K, J)}});
      for (size_t I = K + 1; I < side(); ++I)
        if (full(I, K))
          Add({solveColumn, {Diagonal, Diagonal}, {tile(I, K), tile(I, K)}});
      for (size_t I = K + 1; I < side(); ++I)
        for (size_t J = K + 1; J < side(); ++J)
          if (full(I, K) && full(K, J))
            Add({update, {tile(I, K), tile(K, J)}, {tile(I, J), tile(I, J)}});
    }
  }

  std::vector<double> apply(std::vector<double> X) const override {
    const Choice Upper = [](size_t Row, size_t Column, Part &Which) {
      Which = Row == Column ? Part::Upper : Part::All;
      return Row <= Column;
    };
    const Choice Lower = [](size_t Row, size_t Column, Part &Which) {
      Which = Row == Column ? Part::UnitLower : Part::All;
      return Row >= Column;
    };
    return multiply(Lower, multiply(Upper, X));
  }

  std::vector<bool> Full; ///< Tiles that are not empty, at the end.
  std::vector<unsigned> Owners;
};

} // namespace

int main(int ArgCount, char **Args) {
  requireOneThreadBlas(Args);
  SparseLU Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
