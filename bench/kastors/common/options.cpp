//===-- options.cpp - The command line ------------------------------------===//

#include "options.h"
#include "fail.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <getopt.h>

using namespace kastors;

/// Long options without a letter of their own.
enum LongOption { VariantOption = 256, ListOption, MatrixOption, CsvOption };

bool kastors::clauseBuilt() {
#ifdef KASTORS_AFFINITY_CLAUSE
  return true;
#else
  return false;
#endif
}

/// One line a variant: name, what it needs, summary.
static void printList(const Benchmark &Bench) {
  for (const VariantInfo &Variant : Bench.variants()) {
    const char *Need = "";
    switch (Variant.Need) {
    case Needs::Nothing:
      Need = "one-thread";
      break;
    case Needs::OpenMP:
      Need = "openmp";
      break;
    case Needs::Affinity:
      Need = "affinity";
      break;
    case Needs::Clause:
      Need = clauseBuilt() ? "affinity" : "not-built";
      break;
    }
    std::printf("%-30s %-10s  %s\n", Variant.Name, Need, Variant.Summary);
  }
}

static void printHelp(Benchmark &Bench, const std::vector<ProgramOption> &Own) {
  std::printf("Usage: %s --variant NAME [options]\n\n%s\n\n", Bench.name(),
              Bench.summary());
  for (const ProgramOption &Option : Own)
    if (Option.Number)
      std::printf("  -%c NUMBER        %s (default %ld)\n", Option.Letter,
                  Option.Meaning, *Option.Number);
    else
      std::printf("  -%c TEXT          %s\n", Option.Letter, Option.Meaning);
  std::printf(
      "  -c               check the result\n"
      "  --variant NAME   what to run; --list names them\n"
      "  --matrix         print placement node by node\n"
      "  --csv FILE       append one line of figures to FILE\n"
      "  --list           list the variants: name, what it needs, summary\n"
      "                   (one-thread; openmp: any compiler and runtime;\n"
      "                   affinity: a runtime with task affinity;\n"
      "                   not-built: this program's compiler had no affinity\n"
      "                   clause with kinds)\n"
      "  -h, --help       this text\n\n"
      "The number of threads is OpenMP's: OMP_NUM_THREADS.\n"
      "Exit status: 0, 1 = a check failed, 2 = bad input.\n");
}

static void parseOption(const ProgramOption &Option, const char *Text) {
  if (!Option.Number) {
    *Option.Text = Text;
    return;
  }
  char *End;
  errno = 0;
  const long Value = std::strtol(Text, &End, 10);
  if (End == Text || *End || errno || Value < Option.Min || Value > Option.Max)
    fail("-%c %s: %s must be a whole number from %ld to %ld", Option.Letter,
         Text, Option.Meaning, Option.Min, Option.Max);
  *Option.Number = Value;
}

static size_t findVariant(const Benchmark &Bench, const std::string &Name) {
  std::string Names;
  for (size_t I = 0; I < Bench.variants().size(); ++I) {
    if (Name == Bench.variants()[I].Name)
      return I;
    Names += std::string(I ? ", " : "") + Bench.variants()[I].Name;
  }
  if (Name.empty())
    fail("which variant? give --variant with one of: %s", Names.c_str());
  fail("unknown variant '%s'; there are: %s", Name.c_str(), Names.c_str());
}

Options kastors::parseOptions(Benchmark &Bench, int ArgCount, char **Args) {
  Options Result;
  std::vector<ProgramOption> Own = Bench.options();
  Own.push_back({'r', "timed repetitions", &Result.Repetitions, 1, 1000000});
  Own.push_back({'w',
                 "repetitions before, not timed; placement is counted in "
                 "the first",
                 &Result.WarmUps, 1, 1000000});

  std::string Letters = ":hc";
  for (const ProgramOption &Option : Own)
    Letters += {Option.Letter, ':'};
  static const option Long[] = {
      {"variant", required_argument, nullptr, VariantOption},
      {"list", no_argument, nullptr, ListOption},
      {"matrix", no_argument, nullptr, MatrixOption},
      {"csv", required_argument, nullptr, CsvOption},
      {"help", no_argument, nullptr, 'h'},
      {nullptr, 0, nullptr, 0}};

  std::string Variant;
  int Letter;
  while ((Letter = getopt_long(ArgCount, Args, Letters.c_str(), Long,
                               nullptr)) != -1) {
    switch (Letter) {
    case 'h':
      printHelp(Bench, Own);
      std::exit(ExitOk);
    case ListOption:
      printList(Bench);
      std::exit(ExitOk);
    case 'c':
      Result.Check = true;
      break;
    case MatrixOption:
      Result.Matrix = true;
      break;
    case VariantOption:
      Variant = optarg;
      break;
    case CsvOption:
      Result.CsvFile = optarg;
      break;
    case ':':
      fail("%s needs a value; see --help", Args[optind - 1]);
    case '?':
      // Inside a group of letters optind still points at the group.
      if (optopt && optopt < VariantOption)
        fail("unknown option -%c; see --help", optopt);
      fail("unknown option %s; see --help", Args[optind - 1]);
    default:
      for (const ProgramOption &Option : Own)
        if (Letter == Option.Letter)
          parseOption(Option, optarg);
    }
  }
  if (optind < ArgCount)
    fail("unexpected argument '%s'; see --help", Args[optind]);
  Result.Variant = findVariant(Bench, Variant);
  return Result;
}
