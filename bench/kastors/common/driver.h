//===-- driver.h - What every benchmark does around its kernel ------------===//
//
// Options, the choice of a variant, warm-up with placement, timed repetitions,
// checks, and the report as text and CSV. A benchmark adds its problem.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_DRIVER_H
#define KASTORS_DRIVER_H

#include "placement.h"
#include "program.h"

#include <string>
#include <utility>
#include <vector>

namespace kastors {

/// What a variant asks of its surroundings.
enum class Needs {
  Nothing,  ///< Runs on one thread, without OpenMP.
  OpenMP,   ///< Any compiler and runtime.
  Affinity, ///< A runtime with task affinity.
  Clause,   ///< The same, and a compiler with affinity(thread|node|data: ...).
};

/// One way to compute the same result.
struct VariantInfo {
  const char *Name;
  const char *Summary;
  Needs Need;
  bool Strict = false; ///< Each task must run on the thread it is meant for.
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
  virtual std::vector<BenchOption> options() = 0;
  virtual const std::vector<VariantInfo> &variants() const = 0;

  /// Checks the options against each other and against \p Threads, and takes
  /// memory. Everything that can be wrong with the input fails here.
  virtual void prepare(size_t Variant, unsigned Threads, bool Check) = 0;

  /// Computes what check compares with, if it compares with anything.
  virtual void computeReference() {}

  /// Brings the data to its start: gives all pages back, then first touch.
  virtual void init(size_t Variant) = 0;

  /// The timed part.
  virtual void solve(size_t Variant) = 0;

  /// \returns what is wrong with the result in words, or an empty string.
  virtual std::string check() = 0;

  /// The parameters of this run.
  virtual std::vector<Field> parameters() const = 0;

  /// Figures besides the time; \p Seconds is the median.
  virtual std::vector<Field> figures(double Seconds) const {
    (void)Seconds;
    return {};
  }

protected:
  /// init and solve announce their tasks here.
  PlacementMeter Meter;

private:
  friend int runBenchmark(Benchmark &Bench, int ArgCount, char **Args);
};

/// printf to a string, for fields and messages.
std::string format(const char *Format, ...)
    __attribute__((format(printf, 1, 2)));

/// main of a benchmark. \returns its exit status.
int runBenchmark(Benchmark &Bench, int ArgCount, char **Args);

} // namespace kastors

#endif // KASTORS_DRIVER_H
