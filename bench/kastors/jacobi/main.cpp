//===-- main.cpp - The Jacobi benchmark -----------------------------------===//

#include "../common/memory.h"
#include "jacobi.h"
#include "poisson.h"
#include "program.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace kastors;

namespace {

class JacobiBenchmark : public Benchmark {
public:
  const char *name() const override { return "jacobi"; }

  const char *summary() const override {
    return "Blocked Jacobi solver of a Poisson problem on the unit square.";
  }

  std::vector<BenchOption> options() override {
    return {{'n', "points per side", &Order, 1, 1 << 20},
            {'b', "points per side of a block", &Block, 1, 1 << 20},
            {'i', "iterations", &Steps, 1, 1 << 20}};
  }

  const std::vector<VariantInfo> &variants() const override { return Infos; }

  void prepare(size_t Variant, unsigned Threads, bool Check) override;
  void computeReference() override;
  void init(size_t Variant) override {
    Problem->dropPages();
    const JacobiVariant &V = JacobiVariants[Variant];
    V.Init(*Problem, 0, 1, V.InitTask);
  }
  void solve(size_t Variant) override {
    const JacobiVariant &V = JacobiVariants[Variant];
    V.Solve(*Problem, 1, static_cast<size_t>(Steps) + 1, V.SolveTask);
  }
  std::string check() override;
  std::vector<Field> parameters() const override;

  JacobiBenchmark() {
    for (const JacobiVariant &Variant : JacobiVariants)
      Infos.push_back(Variant.Info);
  }

private:
  /// Points per side with the border.
  size_t width() const { return static_cast<size_t>(Order) + 2; }

  long Order = 2048;
  long Block = 128;
  long Steps = 50;
  std::vector<VariantInfo> Infos;
  Mapping Map = Mapping::None;
  std::unique_ptr<Jacobi> Problem;
  std::vector<double> Reference; ///< Row-major, with the border.
  double MaxError = 0; ///< Of the reference against the exact solution.
};

} // namespace

void JacobiBenchmark::prepare(size_t Variant, unsigned Threads, bool Check) {
  if (Order % Block != 0)
    benchFail(
        "-n %ld is not a multiple of -b %ld: blocks must tile the matrix; the "
        "next size that fits is -n %ld",
        Order, Block, (Order / Block + 1) * Block);
  const size_t Side = static_cast<size_t>(Order / Block);
  Map = JacobiVariants[Variant].Map;
  const uint64_t Bytes =
      BlockMatrix::bytesFor(Side, Side, static_cast<uint64_t>(Block), 3) +
      (Check ? 2 * sizeof(double) * width() * width() : 0) +
      sizeof(TaskNote) * Side * Side * static_cast<uint64_t>(Steps + 1);
  requireMemory(Bytes, "take a smaller matrix (-n), fewer iterations (-i) or, "
                       "where a block is much smaller than a page, larger "
                       "blocks (-b)");
  Problem = std::make_unique<Jacobi>(Order, Block, Steps, Threads, Map, Meter);
}

void JacobiBenchmark::computeReference() {
  const size_t W = width();
  std::vector<double> Next(W * W, 0.0);
  Reference.assign(W * W, 0.0);
  for (long Step = 0; Step < Steps; ++Step) {
    for (size_t Row = 1; Row + 1 < W; ++Row) {
      const double *Above = &Reference[(Row - 1) * W];
      const double *At = Above + W, *Below = At + W;
      for (size_t Column = 1; Column + 1 < W; ++Column)
        Next[Row * W + Column] =
            relax(Above[Column], At[Column - 1], At[Column + 1], Below[Column],
                  rightSide(Row - 1, Column - 1, static_cast<size_t>(Order)));
    }
    Reference.swap(Next);
  }
  for (size_t Row = 1; Row + 1 < W; ++Row)
    for (size_t Column = 1; Column + 1 < W; ++Column)
      MaxError = std::max(MaxError,
                          std::abs(Reference[Row * W + Column] -
                                   exactSolution(Row - 1, Column - 1,
                                                 static_cast<size_t>(Order))));
}

std::string JacobiBenchmark::check() {
  for (size_t Row = 0; Row < static_cast<size_t>(Order); ++Row)
    for (size_t Column = 0; Column < static_cast<size_t>(Order); ++Column) {
      const double Got = Problem->result(Row, Column);
      const double Want = Reference[(Row + 1) * width() + Column + 1];
      if (std::memcmp(&Got, &Want, sizeof(double)) == 0)
        continue;
      return format("point (%zu, %zu) of block (%zu, %zu) is %.17g instead of "
                    "%.17g",
                    Row, Column, Row / static_cast<size_t>(Block),
                    Column / static_cast<size_t>(Block), Got, Want);
    }
  return "";
}

std::vector<Field> JacobiBenchmark::parameters() const {
  std::vector<Field> Fields = {{"n", std::to_string(Order)},
                               {"block", std::to_string(Block)},
                               {"iterations", std::to_string(Steps)}};
  if (Map == Mapping::Grid)
    Fields.push_back({"bands", std::to_string(Problem->bands())});
  if (!Reference.empty())
    Fields.push_back({"max_error", format("%.2e", MaxError)});
  return Fields;
}

int main(int ArgCount, char **Args) {
  JacobiBenchmark Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
