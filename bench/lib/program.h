//===-- program.h - What every benchmark program needs --------------------===//
//
// Its command line, its messages, time, and which runtime it got. Under
// driver.h, for the plain programs, and under kastors/common/driver.h.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <limits.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Exit statuses of every program.
enum { BenchOk = 0, BenchCheckFailed = 1, BenchUsage = 2 };

enum { BenchMostOptions = 16 };

/// An option: -L NUMBER, -L TEXT, or -L; --NAME if there is no letter. One of
/// Number, Text and Given is not null.
typedef struct {
  char Letter;
  const char *Meaning;
  long *Number; ///< Its default, then what the user gave.
  long Min, Max;
  const char **Text;     ///< What the user gave.
  const char *ValueName; ///< What a text is, for --help.
  int *Given;            ///< Set to 1.
  const char *Name;
} BenchOption;

/// A program's command line.
typedef struct {
  const char *Name;
  const char *Arguments;      ///< What --help shows behind the name.
  const char *Summary;        ///< One paragraph, ends without newline.
  const BenchOption *Options; ///< Ends with an entry of zeros.
} BenchCommand;

/// Reads the command line; --help prints and exits. Anything that is not
/// understood fails.
void benchParse(const BenchCommand *Command, int ArgCount, char **Args);

/// Ends the program with exit status BenchUsage and "PROGRAM: error: MESSAGE".
/// For the thread that runs main, outside of parallel regions.
#ifdef __cplusplus
[[noreturn]]
#endif
__attribute__((noreturn,
               format(printf, 1, 2))) void benchFail(const char *Format, ...);

/// Seconds since some moment.
double benchSeconds(void);

/// Median of \p Count values; sorts them.
double benchMedian(double *Values, int Count);

/// \returns the file of the parallel runtime that was really loaded, symbolic
/// links resolved. LD_LIBRARY_PATH, RUNPATH and RPATH all have a say in it, so
/// the program asks the loader instead of believing any of them.
const char *benchRuntimePath(char Path[PATH_MAX]);

/// The threads of a run: what a parallel region really gets. Defined once for
/// each parallel runtime, as the next two.
int runtimeThreads(void);

/// The processors that the runtime may use.
int runtimeProcessors(void);

/// A function of the parallel runtime, to ask the loader for its file.
const char *runtimeSymbol(void);

#ifdef __cplusplus
}
#endif

#endif // BENCH_PROGRAM_H
