//===-- lu.cpp - P A = L U, tile by tile ----------------------------------===//
//
// The right-looking algorithm of LAPACK's dgetrf with partial pivoting: a task
// factors a whole column of tiles, so that it finds the largest element of
// each column; then rows are exchanged and updated column by column. KASTORS'
// dgetrf has the same tasks. Rows to the left are exchanged at the end.
//
//===----------------------------------------------------------------------===//

#include "blas.h"
#include "tiles.h"

#include <algorithm>
#include <cblas.h>
#include <lapacke.h>

using namespace kastors;

/// Out -= In[0] In[1].
static void update(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, B, B, B, -1.0, T.In[0],
              B, T.In[1], B, 1.0, T.Out[0], B);
}

namespace {

class Lu : public TileBenchmark {
public:
  Lu() : TileBenchmark(2048, 128) {}
  const char *name() const override { return "lu"; }
  const char *summary() const override {
    return "Tiled LU factorization with partial pivoting.";
  }

  void prepare(size_t Variant, unsigned Threads, bool Check) override {
    TileBenchmark::prepare(Variant, Threads, Check);
    Pivots = std::make_unique<lapack_int[]>(order());
  }

private:
  double element(size_t Row, size_t Column) const override {
    return randomElement(Row, Column);
  }

  // What a kernel does to a whole column, the tile in its row K stands for.
  // All updates of a step have read the tile above that one: whoever writes
  // both comes after them.
  void emit(const std::function<void(TileTask)> &Add) const override {
    auto OnColumn = [&](void (*Kernel)(const TileTask &), double *In, size_t K,
                        size_t J) {
      TileTask Task = {
          Kernel, {In, In}, {tile(K, J), tile(K > 0 ? K - 1 : K, J)}};
      Task.Program = this;
      Task.Index = K * side() + J;
      Add(Task);
    };
    for (size_t K = 0; K < side(); ++K) {
      OnColumn(panel, tile(K, K), K, K);
      for (size_t J = K + 1; J < side(); ++J) {
        OnColumn(exchangeAndSolve, tile(K, K), K, J);
        for (size_t M = K + 1; M < side(); ++M)
          Add({update, {tile(M, K), tile(K, J)}, {tile(M, J), tile(M, J)}});
      }
    }
    // The last panel comes after everything else.
    double *Last = tile(side() - 1, side() - 1);
    for (size_t J = 0; J + 1 < side(); ++J)
      OnColumn(exchangeBelow, Last, J + 1, J);
  }

  static const Lu &program(const TileTask &T) {
    return static_cast<const Lu &>(*T.Program);
  }

  /// Factors column K from row K on, in a matrix of its own.
  static void panel(const TileTask &T) {
    const Lu &A = program(T);
    const size_t B = T.Order, K = T.Index / A.side();
    const size_t Rows = (A.side() - K) * B;
    static thread_local std::vector<double> Room;
    Room.resize(Rows * B);
    for (size_t M = K; M < A.side(); ++M)
      for (size_t J = 0; J < B; ++J)
        std::copy_n(A.tile(M, K) + J * B, B, &Room[J * Rows + (M - K) * B]);
    // Its status is not needed: a singular matrix shows in the residual.
    LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, static_cast<int>(Rows),
                        static_cast<int>(B), Room.data(),
                        static_cast<int>(Rows), &A.Pivots[K * B]);
    for (size_t M = K; M < A.side(); ++M)
      for (size_t J = 0; J < B; ++J)
        std::copy_n(&Room[J * Rows + (M - K) * B], B, A.tile(M, K) + J * B);
  }

  static void exchangeAndSolve(const TileTask &T) {
    const Lu &A = program(T);
    const int B = static_cast<int>(T.Order);
    A.exchange(T.Index / A.side(), T.Index % A.side());
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit,
                B, B, 1.0, T.In[0], B, T.Out[0], B);
  }

  static void exchangeBelow(const TileTask &T) {
    const Lu &A = program(T);
    for (size_t K = T.Index / A.side(); K < A.side(); ++K)
      A.exchange(K, T.Index % A.side());
  }

  /// Exchanges rows of column J as panel K has done.
  void exchange(size_t K, size_t J) const {
    const size_t B = tileOrder();
    for (size_t Row = 0; Row < B; ++Row) {
      const size_t With = pivot(K, Row);
      if (With != Row)
        cblas_dswap(static_cast<int>(B), tile(K, J) + Row, static_cast<int>(B),
                    tile(K + With / B, J) + With % B, static_cast<int>(B));
    }
  }

  /// The row, counted from panel K's first, that \p Row of it is exchanged
  /// with.
  size_t pivot(size_t K, size_t Row) const {
    return static_cast<size_t>(Pivots[K * tileOrder() + Row]) - 1;
  }

  /// P^T (L (U X)).
  std::vector<double> apply(std::vector<double> X) const override {
    const Choice Upper = [](size_t Row, size_t Column, Part &Which) {
      Which = Row == Column ? Part::Upper : Part::All;
      return Row <= Column;
    };
    const Choice Lower = [](size_t Row, size_t Column, Part &Which) {
      Which = Row == Column ? Part::UnitLower : Part::All;
      return Row >= Column;
    };
    std::vector<double> Y = multiply(Lower, multiply(Upper, X));
    for (size_t K = side(); K-- > 0;)
      for (size_t Row = tileOrder(); Row-- > 0;)
        std::swap(Y[K * tileOrder() + Row], Y[K * tileOrder() + pivot(K, Row)]);
    return Y;
  }

  double operations() const override {
    const double N = static_cast<double>(order());
    return 2 * N * N * N / 3;
  }

  std::unique_ptr<lapack_int[]> Pivots; ///< Of each panel, as dgetrf says them.
};

} // namespace

int main(int ArgCount, char **Args) {
  requireOneThreadBlas(Args);
  Lu Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
