//===-- problem.cpp - What spmv and bicgstab have in common ---------------===//

#include "problem.h"
#include "../common/memory.h"
#include "program.h"

#include <algorithm>

using namespace kastors;

std::vector<BenchOption> SparseBenchmark::options() {
  return {{'n', "cells per side of the Laplace problem", &Side, 1, 46340},
          {'p', "parts; 0: four a thread", &Parts, 0, 1 << 20},
          {'f',
           "a file with a matrix in MatrixMarket format instead (-n is "
           "ignored)",
           nullptr, 0, 0, &FileName, "FILE"}};
}

void SparseBenchmark::prepare(size_t Variant, unsigned Threads, bool) {
  const auto Advice = "take a smaller matrix (-n)";
  // Matrix twice, METIS' graphs about as much again, the vectors.
  const auto Cells = static_cast<uint64_t>(Side) * static_cast<uint64_t>(Side);
  if (!FileName) {
    requireMemory(Cells * (5 * 12 * 4 + 8 * vectorCount()), Advice);
    Matrix = laplaceMatrix(static_cast<size_t>(Side));
  } else {
    Matrix = readMatrixMarket(FileName);
  }
  const size_t Count = Parts ? static_cast<size_t>(Parts) : 4 * Threads;
  // A few rows a part, or METIS leaves parts empty.
  if (Matrix.rows() < 2 * Count)
    benchFail(
        "%zu rows for %zu parts: at least two rows a part; take fewer parts "
        "(-p), fewer threads (OMP_NUM_THREADS) or a larger matrix (-n)",
        Matrix.rows(), Count);
  if (Count < Threads)
    benchFail("%zu parts for %u threads: every thread needs a part (-p)", Count,
              Threads);
  Layout = std::make_unique<PartLayout>(Matrix, Count);
  Parted = std::make_unique<PartMatrix>(Matrix, *Layout);
  Workers = std::make_unique<Team>(PartVariants[Variant], Threads, *Layout,
                                   *Parted, Meter);
  if (PartVariants[Variant].Allocated)
    Parted->allocate([this](size_t Part) { return Workers->owner(Part); });
  else
    Parted->map();
  for (size_t I = 0; I < vectorCount(); ++I)
    Vectors.push_back(std::make_unique<PartVector>(*Layout));
}

void SparseBenchmark::init(size_t) {
  Parted->dropPages();
  for (auto &Vector : Vectors)
    Vector->dropPages();
  Workers->init(
      [this](size_t Part) {
        Parted->fill(Part);
        for (size_t Index = 0; Index < Vectors.size(); ++Index) {
          double *To = Vectors[Index]->part(Part);
          // To the end of the last page: a part without rows is touched too.
          std::fill_n(To, Layout->begin(Part + 1) - Layout->begin(Part), 0.0);
          for (size_t I = 0; I < Layout->rows(Part); ++I)
            To[I] =
                start(Index, static_cast<size_t>(Layout->original(Part, I)));
        }
      },
      *Vectors[0]);
}

std::vector<Field> SparseBenchmark::parameters() const {
  std::vector<Field> Fields;
  if (!FileName)
    Fields.push_back({"n", std::to_string(Side)});
  else
    Fields.push_back({"file", FileName});
  Fields.push_back({"rows", std::to_string(Matrix.rows())});
  Fields.push_back({"entries", std::to_string(Matrix.entries())});
  Fields.push_back({"parts", std::to_string(Layout->parts())});
  return Fields;
}
