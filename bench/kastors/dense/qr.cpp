//===-- qr.cpp - A = Q R, tile by tile ------------------------------------===//
//
// The tiled algorithm of Buttari, Langou, Kurzak and Dongarra (2009) with
// LAPACK's kernels: geqrt, gemqrt, tpqrt and tpmqrt. The reflectors' triangular
// factors lie in a second array beside each tile.
//
//===----------------------------------------------------------------------===//

#include "blas.h"
#include "tiles.h"

#include <algorithm>
#include <lapacke.h>

using namespace kastors;

/// Columns that a kernel takes at once.
static int innerBlock(size_t Order) {
  return static_cast<int>(std::min<size_t>(Order, 32));
}

/// Room for one kernel; each thread has its own, on its node.
static double *work(size_t Order) {
  static thread_local std::vector<double> Room;
  Room.resize(Order * static_cast<size_t>(innerBlock(Order)));
  return Room.data();
}

static void geqrt(const TileTask &T) {
  const int B = static_cast<int>(T.Order), IB = innerBlock(T.Order);
  LAPACKE_dgeqrt_work(LAPACK_COL_MAJOR, B, B, IB, T.Out[0], B,
                      T.Out[0] + T.Layer, IB, work(T.Order));
}

/// Out = Q^T Out, or Q Out, Q from the reflectors of geqrt in In.
static void gemqrt(const TileTask &T) {
  const int B = static_cast<int>(T.Order), IB = innerBlock(T.Order);
  LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', 'T', B, B, B, IB, T.In[0], B,
                       T.In[0] + T.Layer, IB, T.Out[0], B, work(T.Order));
}

/// Out[0] is the tile below, Out[1] the triangle on the diagonal.
static void tpqrt(const TileTask &T) {
  const int B = static_cast<int>(T.Order), IB = innerBlock(T.Order);
  LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, B, B, 0, IB, T.Out[1], B, T.Out[0], B,
                      T.Out[0] + T.Layer, IB, work(T.Order));
}

/// Out[0] is the tile below, Out[1] the one in the row of the diagonal.
static void tpmqrt(const TileTask &T) {
  const int B = static_cast<int>(T.Order), IB = innerBlock(T.Order);
  LAPACKE_dtpmqrt_work(LAPACK_COL_MAJOR, 'L', 'T', B, B, B, 0, IB, T.In[0], B,
                       T.In[0] + T.Layer, IB, T.Out[1], B, T.Out[0], B,
                       work(T.Order));
}

namespace {

class Qr : public TileBenchmark {
public:
  Qr() : TileBenchmark(1024, 128) {}
  const char *name() const override { return "qr"; }
  const char *summary() const override {
    return "Tiled QR factorization of a matrix of random numbers.";
  }

private:
  size_t layers() const override { return 2; }

  double element(size_t Row, size_t Column) const override {
    return randomElement(Row, Column);
  }

  void emit(const std::function<void(TileTask)> &Add) const override {
    for (size_t K = 0; K < side(); ++K) {
      double *Diagonal = tile(K, K);
      Add({geqrt, {Diagonal, Diagonal}, {Diagonal, Diagonal}});
      for (size_t N = K + 1; N < side(); ++N)
        Add({gemqrt, {Diagonal, Diagonal}, {tile(K, N), tile(K, N)}});
      for (size_t M = K + 1; M < side(); ++M) {
        Add({tpqrt, {tile(M, K), tile(M, K)}, {tile(M, K), Diagonal}});
        for (size_t N = K + 1; N < side(); ++N)
          Add({tpmqrt, {tile(M, K), tile(M, K)}, {tile(M, N), tile(K, N)}});
      }
    }
  }

  /// Q (R X): the reflectors in reverse order.
  std::vector<double> apply(std::vector<double> X) const override {
    std::vector<double> Y = multiply(
        [](size_t Row, size_t Column, Part &Which) {
          Which = Row == Column ? Part::Upper : Part::All;
          return Row <= Column;
        },
        X);
    const int B = static_cast<int>(tileOrder()), IB = innerBlock(tileOrder());
    for (size_t K = side(); K-- > 0;) {
      double *Top = &Y[K * tileOrder()];
      for (size_t M = side(); --M > K;)
        LAPACKE_dtpmqrt_work(LAPACK_COL_MAJOR, 'L', 'N', B, 1, B, 0, IB,
                             tile(M, K), B, tile(M, K) + layer(), IB, Top, B,
                             &Y[M * tileOrder()], B, work(tileOrder()));
      LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', 'N', B, 1, B, IB, tile(K, K),
                           B, tile(K, K) + layer(), IB, Top, B,
                           work(tileOrder()));
    }
    return Y;
  }

  double operations() const override {
    const double N = static_cast<double>(order());
    return 4 * N * N * N / 3;
  }
};

} // namespace

int main(int ArgCount, char **Args) {
  requireOneThreadBlas(Args);
  Qr Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
