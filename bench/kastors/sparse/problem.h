//===-- problem.h - What spmv and bicgstab have in common -----------------===//

#ifndef KASTORS_PROBLEM_H
#define KASTORS_PROBLEM_H

#include "team.h"

#include <memory>

namespace kastors {

/// A benchmark on a sparse matrix in parts: options, input, partition, team.
class SparseBenchmark : public Benchmark {
public:
  explicit SparseBenchmark(long Side) : Side(Side) {}

  std::vector<BenchOption> options() override;
  const std::vector<VariantInfo> &variants() const override { return Infos; }
  void prepare(size_t Variant, unsigned Threads, bool Check) override;
  void init(size_t Variant) override;
  std::vector<Field> parameters() const override;

protected:
  /// Vectors that the benchmark works with; each gets pages.
  virtual size_t vectorCount() const = 0;

  /// The first value of element \p Row of vector \p Index, by original number.
  virtual double start(size_t Index, size_t Row) const = 0;

  SparseMatrix Matrix;
  std::unique_ptr<PartLayout> Layout;
  std::unique_ptr<PartMatrix> Parted;
  std::unique_ptr<Team> Workers;
  std::vector<std::unique_ptr<PartVector>> Vectors;

private:
  const std::vector<VariantInfo> Infos = partVariantInfos();
  long Side;
  long Parts = 0;
  const char *FileName = nullptr; ///< Null: the Laplace problem.
};

} // namespace kastors

#endif // KASTORS_PROBLEM_H
