//===-- partition.h - Rows to parts, as METIS cuts them -------------------===//

#ifndef KASTORS_PARTITION_H
#define KASTORS_PARTITION_H

#include "matrix.h"

namespace kastors {

/// \returns for each row of \p M its part, from 0 to \p Parts - 1: parts of
/// nearly equal numbers of entries, with few entries between parts.
std::vector<int32_t> partition(const SparseMatrix &M, size_t Parts);

} // namespace kastors

#endif // KASTORS_PARTITION_H
