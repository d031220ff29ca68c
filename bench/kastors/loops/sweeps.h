//===-- sweeps.h - All ways to go over blocks in a loop -------------------===//
//
// The iterations of these loops work on blocks of whole pages that lie side by
// side. A variant is a row of a table: which loop touches them first, and which
// computes.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_SWEEPS_H
#define KASTORS_SWEEPS_H

#include "../common/driver.h"

#include <functional>

namespace kastors {

/// Work on one block.
using BlockWork = std::function<void(size_t Block)>;

/// What a sweep goes over: block I has Stride bytes from Base + I * Stride on.
struct BlockRow {
  size_t Count;
  char *Base;
  size_t Stride;
  PlacementMeter *Meter;

  /// Block \p Block, of which the placement meter takes note.
  void run(const BlockWork &Work, size_t Block) const {
    Meter->here(Base + Block * Stride, Stride);
    Work(Block);
  }
};

/// Goes over all blocks once; on return, all work is done.
using Sweep = void (*)(const BlockRow &, const BlockWork &);

struct LoopVariant {
  VariantInfo Info;
  bool Regions; ///< Solve opens a parallel region each time; otherwise it wants
                ///< to be called in one, by one thread.
  Sweep Init;   ///< Opens a region itself.
  Sweep Solve;
};

extern const std::vector<LoopVariant> LoopVariants;

/// \returns the Info of each.
const std::vector<VariantInfo> &loopVariantInfos();

/// Calls \p Work in surroundings in which it can call Solve of \p Variant.
void runSweeps(const LoopVariant &Variant, const std::function<void()> &Work);

} // namespace kastors

#endif // KASTORS_SWEEPS_H
