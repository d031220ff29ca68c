//===-- parts.cpp - A matrix and vectors in parts, in their own pages -----===//

#include "parts.h"
#include "partition.h"
#include "program.h"

#include <algorithm>
#include <limits>

using namespace kastors;

PartLayout::PartLayout(const SparseMatrix &M, size_t Parts)
    : Rows(Parts), Permuted(M.rows()) {
  const std::vector<int32_t> PartOf = partition(M, Parts);
  for (size_t Row = 0; Row < M.rows(); ++Row)
    Rows[static_cast<size_t>(PartOf[Row])].push_back(static_cast<int32_t>(Row));
  size_t Next = 0;
  for (const std::vector<int32_t> &Part : Rows) {
    Begin.push_back(Next);
    for (size_t I = 0; I < Part.size(); ++I)
      Permuted[static_cast<size_t>(Part[I])] = static_cast<int32_t>(Next + I);
    // At least one page, so that no two parts have the same address.
    Next += wholePages(std::max<size_t>(Part.size(), 1) * sizeof(double)) /
            sizeof(double);
  }
  Begin.push_back(Next);
  if (Next > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    benchFail("%zu rows in %zu parts: too many for column numbers of 32 bits",
              M.rows(), Parts);
}

std::vector<double> PartVector::gather() const {
  std::vector<double> Values;
  for (size_t Part = 0; Part < Layout.parts(); ++Part)
    Values.resize(Values.size() + Layout.rows(Part));
  for (size_t Part = 0; Part < Layout.parts(); ++Part)
    for (size_t I = 0; I < Layout.rows(Part); ++I)
      Values[static_cast<size_t>(Layout.original(Part, I))] = part(Part)[I];
  return Values;
}

PartMatrix::PartMatrix(const SparseMatrix &M, const PartLayout &Layout)
    : Source(M), Layout(Layout), Entries(Layout.parts()),
      Memory(Layout.parts()) {
  for (size_t Part = 0; Part < Layout.parts(); ++Part) {
    for (size_t I = 0; I < Layout.rows(Part); ++I) {
      const auto Row = static_cast<size_t>(Layout.original(Part, I));
      Entries[Part] += M.Begin[Row + 1] - M.Begin[Row];
    }
    if (Entries[Part] > std::numeric_limits<uint32_t>::max())
      benchFail("a part has %zu entries; take more parts (-p)", Entries[Part]);
  }
}

PartMatrix::~PartMatrix() {
  Memory.clear();
  if (Near != omp_allocator_handle_t())
    omp_destroy_allocator(Near);
}

size_t PartMatrix::bytes(size_t Part) const {
  return Entries[Part] * (sizeof(double) + sizeof(int32_t)) +
         (Layout.rows(Part) + 1) * sizeof(uint32_t);
}

void PartMatrix::map() {
  for (size_t Part = 0; Part < Memory.size(); ++Part)
    Memory[Part] = std::make_unique<Pages>(bytes(Part));
}

void PartMatrix::allocate(const std::function<unsigned(size_t)> &Owner) {
  omp_alloctrait_t Traits[] = {{omp_atk_partition, omp_atv_nearest},
                               {omp_atk_fallback, omp_atv_null_fb}};
  Near = omp_init_allocator(omp_default_mem_space, 2, Traits);
#pragma omp parallel
  for (size_t Part = 0; Part < Memory.size(); ++Part)
    if (Owner(Part) == static_cast<unsigned>(omp_get_thread_num()))
      Memory[Part] = std::make_unique<Pages>(bytes(Part), Near);
}

PartMatrix::Arrays PartMatrix::arrays(size_t Part) const {
  Arrays A;
  A.Value = reinterpret_cast<double *>(Memory[Part]->begin());
  A.Begin = reinterpret_cast<uint32_t *>(A.Value + Entries[Part]);
  A.Column = reinterpret_cast<int32_t *>(A.Begin + Layout.rows(Part) + 1);
  return A;
}

void PartMatrix::fill(size_t Part) const {
  const Arrays A = arrays(Part);
  uint32_t Next = 0;
  for (size_t I = 0; I < Layout.rows(Part); ++I) {
    A.Begin[I] = Next;
    const auto Row = static_cast<size_t>(Layout.original(Part, I));
    for (size_t At = Source.Begin[Row]; At < Source.Begin[Row + 1];
         ++At, ++Next) {
      A.Value[Next] = Source.Value[At];
      A.Column[Next] = Layout.permuted(Source.Column[At]);
    }
  }
  A.Begin[Layout.rows(Part)] = Next;
}

void PartMatrix::multiply(size_t Part, const PartVector &X,
                          const PartVector &Y) const {
  const Arrays A = arrays(Part);
  const double *__restrict From = X.all();
  double *__restrict To = Y.part(Part);
  for (size_t I = 0; I < Layout.rows(Part); ++I) {
    double Sum = 0;
    for (uint32_t At = A.Begin[I]; At < A.Begin[I + 1]; ++At)
      Sum += A.Value[At] * From[A.Column[At]];
    To[I] = Sum;
  }
}

void PartMatrix::dropPages() {
  for (auto &Part : Memory)
    Part->drop();
}
