//===-- tiles.cpp - Programs of tasks on tiles ----------------------------===//

#include "tiles.h"
#include "../common/memory.h"
#include "program.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace kastors;

double kastors::randomElement(size_t Row, size_t Column) {
  // The mixing function of splitmix64 (Steele, Lea, Flood 2014).
  uint64_t Bits = Row * 0x100000001b3 + Column + 0x9e3779b97f4a7c15;
  Bits = (Bits ^ (Bits >> 30)) * 0xbf58476d1ce4e5b9;
  Bits = (Bits ^ (Bits >> 27)) * 0x94d049bb133111eb;
  Bits ^= Bits >> 31;
  return static_cast<double>(Bits >> 11) * 0x1p-53 - 0.5;
}

std::vector<BenchOption> TileBenchmark::options() {
  return {{'n', "rows of the matrix", &N, 1, 1 << 20},
          {'b', "rows of a tile", &B, 1, 1 << 16}};
}

void TileBenchmark::prepare(size_t Variant, unsigned Threads, bool) {
  if (N % B != 0)
    benchFail(
        "-n %ld is not a multiple of -b %ld: tiles must cover the matrix; the "
        "next size that fits is -n %ld",
        N, B, (N / B + 1) * B);
  requireMemory(BlockMatrix::bytesFor(tiles(), 1, tileOrder(), layers()),
                "take a smaller matrix (-n)");
  Memory = std::make_unique<BlockMatrix>(tiles(), 1, tileOrder(), layers());
  // As square a rectangle as the number of threads allows.
  for (size_t Rows = 1; Rows * Rows <= Threads; ++Rows)
    if (Threads % Rows == 0)
      OwnerRows = Rows;
  OwnerColumns = Threads / OwnerRows;
  Owned = TileVariants[Variant].Owned;
}

void TileBenchmark::fill(size_t Index, double *Tile) const {
  const size_t Row = Index / side() * tileOrder();
  const size_t Column = Index % side() * tileOrder();
  for (size_t J = 0; J < tileOrder(); ++J)
    for (size_t I = 0; I < tileOrder(); ++I)
      Tile[J * tileOrder() + I] = element(Row + I, Column + J);
  for (size_t Layer = 1; Layer < layers(); ++Layer)
    std::fill_n(Tile + Layer * layer(), tileOrder() * tileOrder(), 0.0);
}

void TileBenchmark::assign(TileTask &Task) {
  const size_t Bytes = reinterpret_cast<const char *>(Task.Out[0]) -
                       reinterpret_cast<const char *>(tile(0));
  Task.Owner = owner(Bytes / Memory->bytes());
  Task.Note = Meter.expect(Task.Out[0], Memory->bytes(),
                           Owned ? static_cast<int>(Task.Owner) : FirstToucher);
}

TileTask TileBenchmark::firstTouch(size_t Index) {
  TileTask Task = {
      [](const TileTask &T) { T.Program->fill(T.Index, T.Out[0]); },
      {tile(Index), tile(Index)},
      {tile(Index), tile(Index)}};
  Task.Program = this;
  Task.Index = Index;
  assign(Task);
  return Task;
}

void TileBenchmark::init(size_t Variant) {
  Memory->dropPages();
  TileVariants[Variant].Init(*this, TileVariants[Variant].InitTask);
}

void TileBenchmark::solve(size_t Variant) {
  const Spawn Create = TileVariants[Variant].SolveTask;
  auto EmitAll = [this, Create] {
    emit([this, Create](TileTask Task) {
      Task.Order = tileOrder();
      Task.Layer = layer();
      assign(Task);
      Create(Task);
    });
  };
  if (TileVariants[Variant].Info.Need == Needs::Nothing) {
    EmitAll();
    return;
  }
#pragma omp parallel
#pragma omp single
  EmitAll();
}

std::vector<double>
TileBenchmark::expected(const std::vector<double> &X) const {
  std::vector<double> Y(order());
  for (size_t Row = 0; Row < order(); ++Row)
    for (size_t Column = 0; Column < order(); ++Column)
      Y[Row] += element(Row, Column) * X[Column];
  return Y;
}

std::vector<double> TileBenchmark::multiply(const Choice &Choose,
                                            const std::vector<double> &X,
                                            bool Transpose) const {
  std::vector<double> Y(order());
  const size_t Order = tileOrder();
  for (size_t Row = 0; Row < side(); ++Row)
    for (size_t Column = 0; Column < side(); ++Column) {
      Part Which = Part::All;
      if (!Choose(Row, Column, Which))
        continue;
      const double *Tile = tile(Row, Column);
      for (size_t J = 0; J < Order; ++J)
        for (size_t I = 0; I < Order; ++I) {
          if ((Which == Part::Lower && I < J) ||
              (Which == Part::UnitLower && I < J) ||
              (Which == Part::Upper && I > J))
            continue;
          const double Value =
              Which == Part::UnitLower && I == J ? 1.0 : Tile[J * Order + I];
          const size_t At = Row * Order + I, From = Column * Order + J;
          if (Transpose)
            Y[From] += Value * X[At];
          else
            Y[At] += Value * X[From];
        }
    }
  return Y;
}

std::string TileBenchmark::check() {
  std::vector<double> X(order());
  for (size_t I = 0; I < X.size(); ++I)
    X[I] = randomElement(I, order());
  const std::vector<double> Want = expected(X);
  const std::vector<double> Got = apply(X);
  double Difference = 0, Norm = 0;
  for (size_t I = 0; I < Want.size(); ++I) {
    Difference += (Got[I] - Want[I]) * (Got[I] - Want[I]);
    Norm += Want[I] * Want[I];
  }
  Residual = std::sqrt(Difference / Norm);
  const double Most = 16 * static_cast<double>(order() + 16) *
                      std::numeric_limits<double>::epsilon();
  // Also when it is not a number.
  if (!(Residual <= Most))
    return format("the residual for a random vector is %.2e, more than %.2e",
                  Residual, Most);
  return "";
}

std::vector<Field> TileBenchmark::parameters() const {
  return {{"n", std::to_string(N)}, {"tile", std::to_string(B)}};
}

std::vector<Field> TileBenchmark::figures(double Seconds) const {
  std::vector<Field> Fields;
  if (operations() > 0)
    Fields.push_back({"gflops", format("%.3f", operations() / Seconds / 1e9)});
  if (Residual >= 0)
    Fields.push_back({"residual", format("%.2e", Residual)});
  return Fields;
}
