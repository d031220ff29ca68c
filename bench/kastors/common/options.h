//===-- options.h - The command line --------------------------------------===//

#ifndef KASTORS_OPTIONS_H
#define KASTORS_OPTIONS_H

#include "driver.h"

namespace kastors {

/// \returns whether this program's compiler has the affinity clause with kinds.
bool clauseBuilt();

/// Options that every benchmark has.
struct Options {
  long Repetitions = 5;
  long WarmUps = 1;
  int Check = 0;
  int Matrix = 0;
  size_t Variant = 0;       ///< Index in Benchmark::variants().
  const char *CsvFile = ""; ///< Empty: none.
};

/// Reads the command line; --help and --list print and exit. Anything that is
/// not understood fails.
Options parseOptions(Benchmark &Bench, int ArgCount, char **Args);

} // namespace kastors

#endif // KASTORS_OPTIONS_H
