//===-- stream.cpp - The triad of STREAM ----------------------------------===//
//
// a = b + s c over long vectors, again and again: McCalpin's STREAM, with loops
// of blocks. Nothing but the bandwidth of memory counts.
//
//===----------------------------------------------------------------------===//

#include "../common/memory.h"
#include "../common/pages.h"
#include "program.h"
#include "sweeps.h"

#include <memory>

using namespace kastors;

namespace {

class Stream : public Benchmark {
public:
  const char *name() const override { return "stream"; }
  const char *summary() const override {
    return "The triad of STREAM: a = b + s c, in blocks.";
  }
  std::vector<BenchOption> options() override {
    return {{'n', "elements of a vector", &Elements, 1, 1l << 40},
            {'b', "elements of a block: whole pages", &Block, 1, 1 << 30},
            {'i', "triads", &Triads, 1, 1 << 30}};
  }
  const std::vector<VariantInfo> &variants() const override {
    return loopVariantInfos();
  }

  void prepare(size_t, unsigned, bool) override {
    const size_t Bytes = static_cast<size_t>(Block) * sizeof(double);
    if (Bytes % pageSize() != 0)
      benchFail("-b %ld: a block is not whole pages; %zu elements are a page",
                Block, pageSize() / sizeof(double));
    if (Elements % Block != 0)
      benchFail("-n %ld is not a multiple of -b %ld; the next size that fits "
                "is -n %ld",
                Elements, Block, (Elements / Block + 1) * Block);
    requireMemory(3 * sizeof(double) * static_cast<uint64_t>(Elements),
                  "take shorter vectors (-n)");
    for (auto &Vector : Vectors)
      Vector = std::make_unique<Pages>(sizeof(double) *
                                       static_cast<size_t>(Elements));
  }

  void init(size_t Variant) override {
    for (auto &Vector : Vectors)
      Vector->drop();
    LoopVariants[Variant].Init(row(), [this](size_t Number) {
      forBlock(Number, [](double *A, double *B, double *C, size_t I) {
        A[I] = 0;
        B[I] = static_cast<double>(I % 1009);
        C[I] = static_cast<double>(I % 17);
      });
    });
  }

  void solve(size_t Variant) override {
    const LoopVariant &V = LoopVariants[Variant];
    runSweeps(V, [&] {
      for (long Triad = 1; Triad <= Triads; ++Triad) {
        const double Scale = static_cast<double>(Triad);
        V.Solve(row(), [this, Scale](size_t Number) {
          forBlock(Number, [Scale](double *A, const double *B, const double *C,
                                   size_t I) { A[I] = B[I] + Scale * C[I]; });
        });
      }
    });
  }

  std::string check() override {
    const double *A = vector(0);
    for (size_t I = 0; I < static_cast<size_t>(Elements); ++I) {
      const double Want =
          static_cast<double>(I % 1009) +
          static_cast<double>(Triads) * static_cast<double>(I % 17);
      if (A[I] < Want || A[I] > Want)
        return format("element %zu is %.17g instead of %.17g", I, A[I], Want);
    }
    return "";
  }

  std::vector<Field> parameters() const override {
    return {{"n", std::to_string(Elements)},
            {"block", std::to_string(Block)},
            {"triads", std::to_string(Triads)}};
  }

  std::vector<Field> figures(double Seconds) const override {
    const double Bytes = 3.0 * sizeof(double) * static_cast<double>(Elements) *
                         static_cast<double>(Triads);
    return {{"gb_per_s", format("%.3f", Bytes / Seconds / 1e9)}};
  }

private:
  double *vector(size_t Index) const {
    return reinterpret_cast<double *>(Vectors[Index]->begin());
  }
  BlockRow row() {
    return {static_cast<size_t>(Elements / Block), Vectors[0]->begin(),
            static_cast<size_t>(Block) * sizeof(double), &Meter};
  }
  template <class Action> void forBlock(size_t Number, Action Do) const {
    double *A = vector(0), *B = vector(1), *C = vector(2);
    const size_t Begin = Number * static_cast<size_t>(Block);
    for (size_t I = Begin; I < Begin + static_cast<size_t>(Block); ++I)
      Do(A, B, C, I);
  }

  long Elements = 1 << 24;
  long Block = 4096;
  long Triads = 10;
  std::unique_ptr<Pages> Vectors[3];
};

} // namespace

int main(int ArgCount, char **Args) {
  Stream Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
