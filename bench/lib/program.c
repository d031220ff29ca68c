//===-- program.c - What every benchmark program needs --------------------===//
//
// kastors compiles this file as C++.
//
//===----------------------------------------------------------------------===//

#include "program.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// What getopt_long says for an option without a letter: this and its index.
enum { FirstLong = 256 };

void benchFail(const char *Format, ...) {
  va_list Arguments;
  fflush(stdout);
  fprintf(stderr, "%s: error: ", program_invocation_short_name);
  va_start(Arguments, Format);
  vfprintf(stderr, Format, Arguments);
  va_end(Arguments);
  fputc('\n', stderr);
  exit(BenchUsage);
}

double benchSeconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

static int compareDoubles(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

double benchMedian(double *Values, int Count) {
  qsort(Values, (size_t)Count, sizeof(double), compareDoubles);
  return (Values[(Count - 1) / 2] + Values[Count / 2]) / 2;
}

const char *benchRuntimePath(char Path[PATH_MAX]) {
  // By name, not by address: that may be a stub of this program.
  void *Symbol = dlsym(RTLD_DEFAULT, runtimeSymbol());
  Dl_info Info;
  if (!Symbol || !dladdr(Symbol, &Info) || !realpath(Info.dli_fname, Path))
    benchFail("cannot find the file of %s among the loaded libraries",
              runtimeSymbol());
  return Path;
}

static int isEnd(const BenchOption *Option) {
  return !Option->Letter && !Option->Name;
}

static void printOption(const BenchOption *Option) {
  char Left[64];
  const char *Value = Option->Number ? "NUMBER"
                      : Option->Text ? Option->ValueName
                                     : "";
  const char *Space = *Value ? " " : "";
  if (Option->Letter)
    snprintf(Left, sizeof(Left), "-%c%s%s", Option->Letter, Space, Value);
  else
    snprintf(Left, sizeof(Left), "--%s%s%s", Option->Name, Space, Value);
  printf("  %-15s  %s", Left, Option->Meaning);
  if (Option->Number)
    printf(" (default %ld)", *Option->Number);
  printf("\n");
}

static void printHelp(const BenchCommand *Command) {
  printf("Usage: %s %s\n\n%s\n\n", Command->Name, Command->Arguments,
         Command->Summary);
  for (const BenchOption *Option = Command->Options; !isEnd(Option); ++Option)
    printOption(Option);
  printf("  -h, --help       this text\n\n"
         "The number of threads is OMP_NUM_THREADS.\n"
         "Exit status: 0, 1 = wrong result, 2 = bad input.\n");
}

static void store(const BenchOption *Option, const char *Text) {
  if (Option->Given) {
    *Option->Given = 1;
    return;
  }
  if (Option->Text) {
    *Option->Text = Text;
    return;
  }
  char *End;
  errno = 0;
  long Value = strtol(Text, &End, 10);
  if (End == Text || *End || errno || Value < Option->Min ||
      Value > Option->Max)
    benchFail("-%c %s: %s must be a whole number from %ld to %ld",
              Option->Letter, Text, Option->Meaning, Option->Min, Option->Max);
  *Option->Number = Value;
}

/// The names of a command's options, as getopt_long wants them.
typedef struct {
  char Letters[3 + 2 * BenchMostOptions];
  struct option Long[2 + BenchMostOptions];
} Names;

static void collect(const BenchOption *Options, Names *Found) {
  char *Letter = Found->Letters;
  struct option *Long = Found->Long;
  *Letter++ = ':'; // getopt itself says nothing.
  *Letter++ = 'h';
  Long->name = "help";
  Long++->val = 'h';
  for (int I = 0; !isEnd(&Options[I]); ++I) {
    int HasValue = !Options[I].Given;
    if (I == BenchMostOptions)
      benchFail("more than %d options", BenchMostOptions);
    if (Options[I].Letter) {
      *Letter++ = Options[I].Letter;
      if (HasValue)
        *Letter++ = ':';
    } else {
      Long->name = Options[I].Name;
      Long->has_arg = HasValue ? required_argument : no_argument;
      Long++->val = FirstLong + I;
    }
  }
}

void benchParse(const BenchCommand *Command, int ArgCount, char **Args) {
  static Names Known; // All zero.
  collect(Command->Options, &Known);
  int Code;
  while ((Code = getopt_long(ArgCount, Args, Known.Letters, Known.Long,
                             NULL)) != -1) {
    if (Code == 'h') {
      printHelp(Command);
      exit(BenchOk);
    }
    if (Code == ':')
      benchFail("%s needs a value; see --help", Args[optind - 1]);
    // Inside a group of letters optind still points at the group.
    if (Code == '?' && optopt && optopt < FirstLong)
      benchFail("unknown option -%c; see --help", optopt);
    if (Code == '?')
      benchFail("unknown option %s; see --help", Args[optind - 1]);
    const BenchOption *Option = Command->Options;
    if (Code >= FirstLong)
      Option += Code - FirstLong;
    else
      while (Option->Letter != Code)
        ++Option;
    store(Option, optarg);
  }
  if (optind < ArgCount)
    benchFail("unexpected argument '%s'; see --help", Args[optind]);
}
