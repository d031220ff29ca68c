//===-- cholesky.cpp - A = L L^T, tile by tile ----------------------------===//
//
// The right-looking tiled algorithm of Buttari, Langou, Kurzak and Dongarra
// (2009): potrf, trsm, syrk and gemm, each on one tile.
//
//===----------------------------------------------------------------------===//

#include "blas.h"
#include "tiles.h"

#include <algorithm>
#include <cblas.h>
#include <lapacke.h>

using namespace kastors;

static void potrf(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  // Its status is not needed: a matrix that is not positive definite shows in
  // the residual.
  LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', B, T.Out[0], B);
}

static void trsm(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
              B, B, 1.0, T.In[0], B, T.Out[0], B);
}

static void syrk(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, B, B, -1.0, T.In[0], B,
              1.0, T.Out[0], B);
}

static void gemm(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, B, B, B, -1.0, T.In[0],
              B, T.In[1], B, 1.0, T.Out[0], B);
}

namespace {

class Cholesky : public TileBenchmark {
public:
  Cholesky() : TileBenchmark(2048, 128) {}
  const char *name() const override { return "cholesky"; }
  const char *summary() const override {
    return "Tiled Cholesky factorization of a positive definite matrix.";
  }

private:
  double element(size_t Row, size_t Column) const override {
    // A dominant diagonal makes it positive definite.
    return randomElement(std::min(Row, Column), std::max(Row, Column)) +
           (Row == Column ? static_cast<double>(order()) : 0.0);
  }

  void emit(const std::function<void(TileTask)> &Add) const override {
    for (size_t K = 0; K < side(); ++K) {
      double *Diagonal = tile(K, K);
      Add({potrf, {Diagonal, Diagonal}, {Diagonal, Diagonal}});
      for (size_t M = K + 1; M < side(); ++M)
        Add({trsm, {Diagonal, Diagonal}, {tile(M, K), tile(M, K)}});
      for (size_t M = K + 1; M < side(); ++M) {
        for (size_t N = K + 1; N < M; ++N)
          Add({gemm, {tile(M, K), tile(N, K)}, {tile(M, N), tile(M, N)}});
        Add({syrk, {tile(M, K), tile(M, K)}, {tile(M, M), tile(M, M)}});
      }
    }
  }

  std::vector<double> apply(std::vector<double> X) const override {
    const Choice Lower = [](size_t Row, size_t Column, Part &Which) {
      Which = Row == Column ? Part::Lower : Part::All;
      return Row >= Column;
    };
    return multiply(Lower, multiply(Lower, X, /*Transpose=*/true));
  }

  double operations() const override {
    const double N = static_cast<double>(order());
    return N * N * N / 3;
  }
};

} // namespace

int main(int ArgCount, char **Args) {
  requireOneThreadBlas(Args);
  Cholesky Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
