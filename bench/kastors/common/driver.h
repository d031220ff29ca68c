//===-- driver.h - What every benchmark does around its kernel ------------===//
//
// Options, the choice of a variant, warm-up with placement, timed repetitions,
// checks, and the report as text and CSV. A benchmark adds its problem.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_DRIVER_H
#define KASTORS_DRIVER_H

#include "placement.h"

#include <string>
#include <utility>
#include <vector>

namespace kastors {

/// What a variant asks of its surroundings.
enum class Needs {
  Nothing,  ///< Runs on one thread, without OpenMP.
  OpenMP,   ///< Any compiler and runtime.
  Affinity, ///< A compiler and a runtime with affinity(thread|node|data: ...).
};

/// One way to compute the same result.
struct VariantInfo {
  const char *Name;
  const char *Summary;
  Needs Need;
  bool Built; ///< false: this program's compiler could not compile it.
};

/// An option -L NUMBER of a benchmark.
struct NumberOption {
  char Letter;
  const char *Meaning;
  long *Value; ///< Its default, then what the user gave.
  long Min;
  long Max;
};

/// Placement of a variant: of the tasks that touch the data first, and of those
/// that compute.
struct PlacementReport {
  PlacementCount Init;
  PlacementCount Compute;
};

/// A name and value that identify a run in the report and in the CSV file.
using Field = std::pair<std::string, std::string>;

/// What the driver asks of a benchmark. Variants are meant by their index in
/// variants(). All are called on the initial thread, outside of parallel
/// regions.
class Benchmark {
public:
  virtual ~Benchmark() = default;

  virtual const char *name() const = 0;
  virtual const char *summary() const = 0;
  virtual std::vector<NumberOption> options() = 0;
  virtual const std::vector<VariantInfo> &variants() const = 0;

  /// Checks the options against each other and against \p Threads, and takes
  /// memory. Everything that can be wrong with the input fails here.
  virtual void prepare(size_t Variant, unsigned Threads, bool Check) = 0;

  /// Computes the result to compare with.
  virtual void computeReference() = 0;

  /// Brings the data to its start: gives all pages back, then first touch. With
  /// \p Record, tasks note where they run, in solve too.
  virtual void init(size_t Variant, bool Record) = 0;

  /// The timed part.
  virtual void solve(size_t Variant) = 0;

  /// Compares with the reference. \returns the first difference in words, or an
  /// empty string.
  virtual std::string check() = 0;

  /// Evaluates the notes of the last init and solve with Record.
  virtual PlacementReport placement(size_t Variant) = 0;

  /// The parameters of this run.
  virtual std::vector<Field> parameters() const = 0;
};

/// main of a benchmark. \returns its ExitStatus.
int runBenchmark(Benchmark &Bench, int ArgCount, char **Args);

} // namespace kastors

#endif // KASTORS_DRIVER_H
