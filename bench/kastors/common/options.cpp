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

static void printList(const Benchmark &Bench) {
  for (const VariantInfo &Variant : Bench.variants())
    std::printf("%-28s %s%s\n", Variant.Name, Variant.Summary,
                Variant.Built ? ""
                              : " (not built: this program's compiler has "
                                "no affinity clause with kinds)");
}

static void printHelp(Benchmark &Bench,
                      const std::vector<NumberOption> &Numbers) {
  std::printf("Usage: %s --variant NAME [options]\n\n%s\n\n", Bench.name(),
              Bench.summary());
  for (const NumberOption &Number : Numbers)
    std::printf("  -%c NUMBER        %s (default %ld)\n", Number.Letter,
                Number.Meaning, *Number.Value);
  std::printf("  -c               compare the result with the sequential one\n"
              "  --variant NAME   what to run; --list names them\n"
              "  --matrix         print placement node by node\n"
              "  --csv FILE       append one line of figures to FILE\n"
              "  --list           list the variants\n"
              "  -h, --help       this text\n\n"
              "The number of threads is OpenMP's: OMP_NUM_THREADS.\n"
              "Exit status: 0, 1 = a check failed, 2 = bad input.\n");
}

static long parseNumber(const NumberOption &Option, const char *Text) {
  char *End;
  errno = 0;
  long Value = std::strtol(Text, &End, 10);
  if (End == Text || *End || errno || Value < Option.Min || Value > Option.Max)
    fail("-%c %s: %s must be a whole number from %ld to %ld", Option.Letter,
         Text, Option.Meaning, Option.Min, Option.Max);
  return Value;
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
  std::vector<NumberOption> Numbers = Bench.options();
  Numbers.push_back({'r', "repetitions", &Result.Repetitions, 1, 1000000});

  std::string Letters = ":hc";
  for (const NumberOption &Number : Numbers)
    Letters += {Number.Letter, ':'};
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
      printHelp(Bench, Numbers);
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
      for (const NumberOption &Number : Numbers)
        if (Letter == Number.Letter)
          *Number.Value = parseNumber(Number, optarg);
    }
  }
  if (optind < ArgCount)
    fail("unexpected argument '%s'; see --help", Args[optind]);
  Result.Variant = findVariant(Bench, Variant);
  return Result;
}
