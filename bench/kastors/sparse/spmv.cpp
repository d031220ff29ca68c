//===-- spmv.cpp - y = A x, again and again -------------------------------===//

#include "problem.h"

#include <cstring>

using namespace kastors;

namespace {

class Spmv : public SparseBenchmark {
public:
  Spmv() : SparseBenchmark(2000) {}

  const char *name() const override { return "spmv"; }
  const char *summary() const override {
    return "Products of a sparse matrix, cut in parts by METIS, with a vector.";
  }
  std::vector<BenchOption> options() override {
    auto Options = SparseBenchmark::options();
    Options.push_back({'i', "products", &Products, 1, 1 << 30});
    return Options;
  }

  void computeReference() override {
    std::vector<double> From(Matrix.rows());
    for (size_t Row = 0; Row < From.size(); ++Row)
      From[Row] = start(X, Row);
    Reference = multiply(Matrix, From);
  }

  void solve(size_t) override {
    Workers->run([this] {
      const PartWork Product = [this](size_t Part) {
        Parted->multiply(Part, *Vectors[X], *Vectors[Y]);
      };
      for (long I = 0; I < Products; ++I)
        Workers->sweep(Product, *Vectors[Y]);
    });
  }

  /// Each row is summed in the same order: every bit has to agree.
  std::string check() override {
    const std::vector<double> Got = Vectors[Y]->gather();
    for (size_t Row = 0; Row < Got.size(); ++Row)
      if (std::memcmp(&Got[Row], &Reference[Row], sizeof(double)) != 0)
        return format("row %zu is %.17g instead of %.17g", Row, Got[Row],
                      Reference[Row]);
    return "";
  }

  std::vector<Field> parameters() const override {
    auto Fields = SparseBenchmark::parameters();
    Fields.push_back({"products", std::to_string(Products)});
    return Fields;
  }

  std::vector<Field> figures(double Seconds) const override {
    return {{"ms_per_product",
             format("%.4f", 1e3 * Seconds / static_cast<double>(Products))}};
  }

private:
  enum { X, Y };
  size_t vectorCount() const override { return 2; }
  double start(size_t Index, size_t Row) const override {
    return Index == X ? 1.0 + static_cast<double>(Row % 1009) / 1009 : 0.0;
  }

  long Products = 500;
  std::vector<double> Reference;
};

} // namespace

int main(int ArgCount, char **Args) {
  Spmv Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
