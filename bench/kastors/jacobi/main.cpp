//===-- main.cpp - The Jacobi benchmark -----------------------------------===//

#include "../common/memory.h"
#include "jacobi.h"
#include "program.h"
#include "reference.h"

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
  void computeReference() override {
    Expected =
        Reference(static_cast<size_t>(Order), static_cast<size_t>(Steps));
  }
  void init(size_t Variant) override {
    Problem->dropPages();
    const JacobiVariant &V = JacobiVariants[Variant];
    V.Init(*Problem, 0, 1, V.InitTask);
  }
  void solve(size_t Variant) override {
    const JacobiVariant &V = JacobiVariants[Variant];
    V.Solve(*Problem, 1, static_cast<size_t>(Steps) + 1, V.SolveTask);
  }
  std::string check() override { return Expected.difference(*Problem); }
  std::vector<Field> parameters() const override;

  JacobiBenchmark() {
    for (const JacobiVariant &Variant : JacobiVariants)
      Infos.push_back(Variant.Info);
  }

private:
  long Order = 2048;
  long Block = 128;
  long Steps = 50;
  std::vector<VariantInfo> Infos;
  Mapping Map = Mapping::None;
  std::unique_ptr<Jacobi> Problem;
  Reference Expected;
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
      (Check ? Reference::bytesFor(static_cast<uint64_t>(Order)) : 0) +
      sizeof(TaskNote) * Side * Side * static_cast<uint64_t>(Steps + 1);
  requireMemory(Bytes, "take a smaller matrix (-n), fewer iterations (-i) or, "
                       "where a block is much smaller than a page, larger "
                       "blocks (-b)");
  Problem = std::make_unique<Jacobi>(Order, Block, Steps, Threads, Map, Meter);
}

std::vector<Field> JacobiBenchmark::parameters() const {
  std::vector<Field> Fields = {{"n", std::to_string(Order)},
                               {"block", std::to_string(Block)},
                               {"iterations", std::to_string(Steps)}};
  if (Map == Mapping::Grid)
    Fields.push_back({"bands", std::to_string(Problem->bands())});
  if (Expected.isKnown())
    Fields.push_back({"max_error", format("%.2e", Expected.maxError())});
  return Fields;
}

int main(int ArgCount, char **Args) {
  JacobiBenchmark Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
