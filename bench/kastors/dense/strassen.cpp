//===-- strassen.cpp - C = A B by Strassen's algorithm --------------------===//
//
// Strassen (1969): seven products of half the size instead of eight. All sums
// and products of all levels are tasks on tiles; dependences put them in order.
// Each level has memory of its own, so that products can run side by side.
//
//===----------------------------------------------------------------------===//

#include "blas.h"
#include "program.h"
#include "tiles.h"

#include <algorithm>
#include <cblas.h>

using namespace kastors;

template <int Sign> static void sum(const TileTask &T) {
  for (size_t I = 0; I < T.Order * T.Order; ++I)
    T.Out[0][I] = T.In[0][I] + Sign * T.In[1][I];
}

template <int Sign> static void accumulate(const TileTask &T) {
  for (size_t I = 0; I < T.Order * T.Order; ++I)
    T.Out[0][I] += Sign * T.In[0][I];
}

/// Out = In[0] In[1], or Out += that.
template <bool First> static void product(const TileTask &T) {
  const int B = static_cast<int>(T.Order);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, B, B, B, 1.0, T.In[0],
              B, T.In[1], B, First ? 0.0 : 1.0, T.Out[0], B);
}

namespace {

/// A square of tiles in a larger one.
struct View {
  size_t First; ///< Number of its first tile.
  size_t Pitch; ///< Tiles from row to row.
  size_t Side;

  size_t at(size_t Row, size_t Column) const {
    return First + Row * Pitch + Column;
  }
  View quarter(size_t Row, size_t Column) const {
    return {at(Row * Side / 2, Column * Side / 2), Pitch, Side / 2};
  }
};

class Strassen : public TileBenchmark {
public:
  Strassen() : TileBenchmark(1024, 128) {}
  const char *name() const override { return "strassen"; }
  const char *summary() const override {
    return "Product of two matrices by Strassen's algorithm.";
  }
  std::vector<BenchOption> options() override {
    auto Options = TileBenchmark::options();
    Options.push_back({'l', "levels of the recursion", &Levels, 0, 8});
    return Options;
  }

  void prepare(size_t Variant, unsigned Threads, bool Check) override {
    if (side() % (size_t(1) << Levels) != 0)
      benchFail(
          "%zu tiles a side cannot be halved %ld times: take fewer levels (-l) "
          "or other sizes (-n, -b)",
          side(), Levels);
    TileBenchmark::prepare(Variant, Threads, Check);
  }

  size_t tiles() const override {
    return 3 * matrix() + temporaries(side(), Levels);
  }

  void fill(size_t Index, double *Tile) const override {
    if (Index / matrix() == NumberA)
      TileBenchmark::fill(Index - NumberA * matrix(), Tile);
    else if (Index / matrix() == NumberB)
      for (size_t I = 0; I < tileOrder() * tileOrder(); ++I)
        Tile[I] = elementB(Index - NumberB * matrix(), I);
    else
      std::fill_n(Tile, tileOrder() * tileOrder(), 0.0);
  }

private:
  /// The matrices in memory. The temporaries follow.
  enum { NumberC, NumberA, NumberB };

  size_t matrix() const { return side() * side(); }

  /// Tiles that the temporaries of a product need: ten sums, seven products.
  static size_t temporaries(size_t Side, long Level) {
    if (Level == 0)
      return 0;
    return 17 * (Side / 2) * (Side / 2) + 7 * temporaries(Side / 2, Level - 1);
  }

  double element(size_t Row, size_t Column) const override {
    return randomElement(Row, Column);
  }

  /// Element \p At of tile \p Index of B.
  double elementB(size_t Index, size_t At) const {
    return randomElement(order() + Index, At);
  }

  void emit(const std::function<void(TileTask)> &Add) const override {
    size_t Next = 3 * matrix();
    const View C{NumberC * matrix(), side(), side()};
    const View A{NumberA * matrix(), side(), side()};
    const View B{NumberB * matrix(), side(), side()};
    multiplyViews(Add, C, A, B, Levels, Next);
  }

  using Kernel = void (*)(const TileTask &);

  void forTiles(const std::function<void(TileTask)> &Add, Kernel K, View Out,
                View In0, View In1) const {
    for (size_t I = 0; I < Out.Side; ++I)
      for (size_t J = 0; J < Out.Side; ++J) {
        double *To = tile(Out.at(I, J));
        Add({K, {tile(In0.at(I, J)), tile(In1.at(I, J))}, {To, To}});
      }
  }

  /// \p Next: the first tile that nobody has taken.
  void multiplyViews(const std::function<void(TileTask)> &Add, View C, View A,
                     View B, long Level, size_t &Next) const {
    if (Level == 0) {
      for (size_t K = 0; K < C.Side; ++K)
        for (size_t I = 0; I < C.Side; ++I)
          for (size_t J = 0; J < C.Side; ++J) {
            double *To = tile(C.at(I, J));
            Add({K == 0 ? product<true> : product<false>,
                 {tile(A.at(I, K)), tile(B.at(K, J))},
                 {To, To}});
          }
      return;
    }
    const size_t Half = C.Side / 2;
    auto New = [&] {
      const View Fresh{Next, Half, Half};
      Next += Half * Half;
      return Fresh;
    };
    auto Sum = [&](View X, View Y) {
      const View Z = New();
      forTiles(Add, sum<1>, Z, X, Y);
      return Z;
    };
    auto Difference = [&](View X, View Y) {
      const View Z = New();
      forTiles(Add, sum<-1>, Z, X, Y);
      return Z;
    };
    auto Product = [&](View X, View Y) {
      const View Z = New();
      multiplyViews(Add, Z, X, Y, Level - 1, Next);
      return Z;
    };
    const View A11 = A.quarter(0, 0), A12 = A.quarter(0, 1);
    const View A21 = A.quarter(1, 0), A22 = A.quarter(1, 1);
    const View B11 = B.quarter(0, 0), B12 = B.quarter(0, 1);
    const View B21 = B.quarter(1, 0), B22 = B.quarter(1, 1);
    const View M1 = Product(Sum(A11, A22), Sum(B11, B22));
    const View M2 = Product(Sum(A21, A22), B11);
    const View M3 = Product(A11, Difference(B12, B22));
    const View M4 = Product(A22, Difference(B21, B11));
    const View M5 = Product(Sum(A11, A12), B22);
    const View M6 = Product(Difference(A21, A11), Sum(B11, B12));
    const View M7 = Product(Difference(A12, A22), Sum(B21, B22));
    const View C11 = C.quarter(0, 0), C22 = C.quarter(1, 1);
    forTiles(Add, sum<1>, C11, M1, M4);
    forTiles(Add, accumulate<-1>, C11, M5, M5);
    forTiles(Add, accumulate<1>, C11, M7, M7);
    forTiles(Add, sum<1>, C.quarter(0, 1), M3, M5);
    forTiles(Add, sum<1>, C.quarter(1, 0), M2, M4);
    forTiles(Add, sum<-1>, C22, M1, M2);
    forTiles(Add, accumulate<1>, C22, M3, M3);
    forTiles(Add, accumulate<1>, C22, M6, M6);
  }

  /// A (B X).
  std::vector<double> expected(const std::vector<double> &X) const override {
    std::vector<double> BX(order());
    for (size_t Index = 0; Index < matrix(); ++Index)
      for (size_t At = 0; At < tileOrder() * tileOrder(); ++At)
        BX[Index / side() * tileOrder() + At % tileOrder()] +=
            elementB(Index, At) *
            X[Index % side() * tileOrder() + At / tileOrder()];
    return TileBenchmark::expected(BX);
  }

  std::vector<double> apply(std::vector<double> X) const override {
    return multiply([](size_t, size_t, Part &) { return true; }, X);
  }

  /// Of the usual product, so that figures can be compared.
  double operations() const override {
    const double N = static_cast<double>(order());
    return 2 * N * N * N;
  }

  long Levels = 2;
};

} // namespace

int main(int ArgCount, char **Args) {
  requireOneThreadBlas(Args);
  Strassen Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
