//===-- variants.h - All ways to compute Jacobi on several ranks ----------===//

#ifndef KASTORS_RANK_VARIANTS_H
#define KASTORS_RANK_VARIANTS_H

#include "strip.h"

#include <vector>

namespace kastors {

/// Goes over all blocks in the steps from \p Begin to \p End - 1; before each
/// step but step 0 it gets what its neighbours have computed.
using RankSweep = void (*)(const RankStrip &, size_t Begin, size_t End, Spawn);

struct RankVariant {
  VariantInfo Info;
  Mapping Map;
  RankSweep Sweep;
  Spawn InitTask;
  Spawn SolveTask;
  bool HasTasks = true; ///< Messages complete tasks.
};

extern const std::vector<RankVariant> RankVariants;

} // namespace kastors

#endif // KASTORS_RANK_VARIANTS_H
