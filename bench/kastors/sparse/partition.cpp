//===-- partition.cpp - Rows to parts, as METIS cuts them -----------------===//

#include "partition.h"
#include "program.h"

#include <limits>
#include <metis.h>

using namespace kastors;

/// Rows as vertices; an edge where either of two rows has an entry in the
/// column of the other.
struct Graph {
  std::vector<idx_t> Begin;
  std::vector<idx_t> Neighbour;
  std::vector<idx_t> Weight; ///< Entries of the row.
};

static Graph graphOf(const SparseMatrix &M) {
  // The transposed pattern, then both merged row by row; Seen drops doubles.
  std::vector<size_t> Begin(M.rows() + 1, 0);
  for (int32_t Column : M.Column)
    ++Begin[static_cast<size_t>(Column) + 1];
  for (size_t Row = 0; Row < M.rows(); ++Row)
    Begin[Row + 1] += Begin[Row];
  std::vector<int32_t> Transposed(M.entries());
  std::vector<size_t> Next(Begin.begin(), Begin.end() - 1);
  for (size_t Row = 0; Row < M.rows(); ++Row)
    for (size_t At = M.Begin[Row]; At < M.Begin[Row + 1]; ++At)
      Transposed[Next[static_cast<size_t>(M.Column[At])]++] =
          static_cast<int32_t>(Row);

  Graph G;
  G.Begin.push_back(0);
  std::vector<int32_t> Seen(M.rows(), -1);
  for (size_t Row = 0; Row < M.rows(); ++Row) {
    const int32_t Self = static_cast<int32_t>(Row);
    Seen[Row] = Self;
    auto Add = [&](int32_t Other) {
      if (Seen[static_cast<size_t>(Other)] == Self)
        return;
      Seen[static_cast<size_t>(Other)] = Self;
      G.Neighbour.push_back(Other);
    };
    for (size_t At = M.Begin[Row]; At < M.Begin[Row + 1]; ++At)
      Add(M.Column[At]);
    for (size_t At = Begin[Row]; At < Begin[Row + 1]; ++At)
      Add(Transposed[At]);
    if (G.Neighbour.size() >
        static_cast<size_t>(std::numeric_limits<idx_t>::max()))
      benchFail(
          "the matrix has too many entries for METIS, which counts in %zu "
          "bits",
          8 * sizeof(idx_t));
    G.Begin.push_back(static_cast<idx_t>(G.Neighbour.size()));
    // An empty row is work too, and METIS refuses weights that are all 0.
    G.Weight.push_back(static_cast<idx_t>(M.Begin[Row + 1] - M.Begin[Row] + 1));
  }
  return G;
}

std::vector<int32_t> kastors::partition(const SparseMatrix &M, size_t Parts) {
  if (Parts == 1) // METIS divides by the logarithm of the number.
    return std::vector<int32_t>(M.rows(), 0);
  Graph G = graphOf(M);
  idx_t Rows = static_cast<idx_t>(M.rows()), Constraints = 1, Cut = 0;
  idx_t Count = static_cast<idx_t>(Parts);
  idx_t Options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(Options);
  Options[METIS_OPTION_SEED] = 1; // The same parts in every run.
  std::vector<idx_t> Part(M.rows());
  // As METIS' manual advises: recursive bisection balances small numbers
  // better.
  auto *Cutter = Parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int Status = Cutter(
      &Rows, &Constraints, G.Begin.data(), G.Neighbour.data(), G.Weight.data(),
      nullptr, nullptr, &Count, nullptr, nullptr, Options, &Cut, Part.data());
  if (Status != METIS_OK)
    benchFail("METIS could not cut the matrix in %zu parts (status %d)%s",
              Parts, Status,
              Status == METIS_ERROR_MEMORY ? ": not enough memory" : "");
  return std::vector<int32_t>(Part.begin(), Part.end());
}
