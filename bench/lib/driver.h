//===-- driver.h - What every task benchmark does around its kernel -------===//
//
// Options, a sequential twin, a run to warm up, timed runs, a check of each
// result, and a report of lines "name value" that bench/compare reads. A
// program describes itself by one Benchmark and hands it to benchMain.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_DRIVER_H
#define BENCH_DRIVER_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Behind `task`: the same source is built with tied tasks, and as NAME-untied
/// with untied ones.
#ifdef BENCH_UNTIED
#define BENCH_TIED untied
#else
#define BENCH_TIED
#endif

/// What the driver asks of a program. Everything is called on the initial
/// thread, outside of parallel regions. Functions marked optional may be null.
typedef struct {
  const char *Name;
  const char *Summary; ///< One paragraph for --help, ends without newline.
  const BenchOption *Options; ///< Ends with an entry of zeros.
  /// Optional: takes memory and makes the input. Options that contradict each
  /// other, or the number of threads, fail here (benchFail).
  void (*Prepare)(int Threads);
  /// Optional: brings the data to its start before each run, untimed.
  void (*Reset)(void);
  /// The sequential twin: the same computation without tasks. Keeps its result
  /// as the one to compare with.
  void (*Sequential)(void);
  /// The timed part, its parallel region included.
  void (*Parallel)(void);
  /// \returns whether the result of the last Parallel is right; says on the
  /// standard error output what is wrong.
  int (*Check)(void);
  /// Optional: further lines of the report; medians in seconds.
  void (*Report)(double Parallel, double Sequential);
} Benchmark;

/// main of a program. \returns its exit status.
int benchMain(const Benchmark *Bench, int ArgCount, char **Args);

/// Like malloc, on whole cache lines; fails instead of returning null.
void *benchAllocate(size_t Bytes);

/// Cycles of the processor's time stamp counter in a second.
double benchCyclesPerSecond(void);

#ifdef __cplusplus
}
#endif

#endif // BENCH_DRIVER_H
