//===-- team.h - All ways to work on the parts ----------------------------===//

#ifndef KASTORS_TEAM_H
#define KASTORS_TEAM_H

#include "../common/driver.h"
#include "parts.h"

#include <functional>

namespace kastors {

/// Work on one part.
using PartWork = std::function<void(size_t Part)>;

/// One task.
struct PartTask {
  const PartWork *Work; ///< Outlives the task: every sweep ends with a wait.
  size_t Part;
  unsigned Owner;   ///< The thread that the part belongs to.
  double *Out;      ///< The part that it writes of a vector.
  size_t Elements;  ///< Of that.
  const char *Rows; ///< The part of the matrix.
  size_t Bytes;     ///< Of that.
  TaskNote *Note;

  void run() const {
    PlacementMeter::ran(Note);
    (*Work)(Part);
  }
};

class Team;

/// Creates a task, or runs it at once.
using Spawn = void (*)(PartTask);

/// Goes over all parts once; on return, all work is done.
using Sweep = void (*)(const Team &, const PartWork &, const PartVector &Out,
                       Spawn);

struct PartVariant {
  VariantInfo Info;
  bool Owned;   ///< Parts belong to threads.
  bool Regions; ///< Sweep opens a parallel region each time; otherwise it wants
                ///< to be called in one, by one thread.
  Sweep Init;
  Spawn InitTask;
  Sweep Solve;
  Spawn SolveTask;
  bool Allocated =
      false; ///< The matrix has memory of omp_alloc, by the owners.
};

extern const std::vector<PartVariant> PartVariants;

/// \returns the Info of each.
std::vector<VariantInfo> partVariantInfos();

/// A matrix in parts, and the threads that work on them.
class Team {
public:
  Team(const PartVariant &Variant, unsigned Threads, const PartLayout &Layout,
       const PartMatrix &Matrix, PlacementMeter &Meter)
      : Variant(Variant), Threads(Threads), Layout(Layout), Matrix(Matrix),
        Meter(Meter) {}

  /// First touch: calls \p Work for each part, as the variant has it.
  void init(const PartWork &Work, const PartVector &Out) const;

  /// Calls \p Work in surroundings in which it can call sweep.
  void run(const std::function<void()> &Work) const;

  /// Calls \p Work for each part, as the variant has it. It writes part of \p
  /// Out, and may write that part of other vectors.
  void sweep(const PartWork &Work, const PartVector &Out) const {
    Variant.Solve(*this, Work, Out, Variant.SolveTask);
  }

  size_t parts() const { return Layout.parts(); }
  unsigned owner(size_t Part) const {
    return static_cast<unsigned>(Part * Threads / parts());
  }

  /// A task of a sweep, announced to the placement meter. What counts as its
  /// data is its part of the matrix, by far the most of what it reads.
  PartTask task(const PartWork &, size_t Part, const PartVector &Out) const;

private:
  const PartVariant &Variant;
  unsigned Threads;
  const PartLayout &Layout;
  const PartMatrix &Matrix;
  PlacementMeter &Meter;
};

} // namespace kastors

#endif // KASTORS_TEAM_H
