//===-- options.cpp - The command line ------------------------------------===//

#include "options.h"

#include <cstdio>
#include <cstdlib>

using namespace kastors;

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

static size_t findVariant(const Benchmark &Bench, const std::string &Name) {
  std::string Names;
  for (size_t I = 0; I < Bench.variants().size(); ++I) {
    if (Name == Bench.variants()[I].Name)
      return I;
    Names += std::string(I ? ", " : "") + Bench.variants()[I].Name;
  }
  if (Name.empty())
    benchFail("which variant? give --variant with one of: %s", Names.c_str());
  benchFail("unknown variant '%s'; there are: %s", Name.c_str(), Names.c_str());
}

/// An option --NAME without a value; \p ValueName: with one.
static BenchOption longOption(const char *Name, const char *Meaning, int *Given,
                              const char **Text = nullptr,
                              const char *ValueName = nullptr) {
  return {0, Meaning, nullptr, 0, 0, Text, ValueName, Given, Name};
}

Options kastors::parseOptions(Benchmark &Bench, int ArgCount, char **Args) {
  Options Result;
  const char *Variant = "";
  int List = 0;
  std::vector<BenchOption> Known = Bench.options();
  Known.insert(
      Known.end(),
      {{'r', "timed repetitions", &Result.Repetitions, 1, 1000000},
       {'w', "repetitions before, not timed; placement is counted in the first",
        &Result.WarmUps, 1, 1000000},
       {'c', "check the result", nullptr, 0, 0, nullptr, nullptr,
        &Result.Check},
       longOption("variant", "what to run; --list names them", nullptr,
                  &Variant, "NAME"),
       longOption("matrix", "print placement node by node", &Result.Matrix),
       longOption("csv", "append one line of figures to FILE", nullptr,
                  &Result.CsvFile, "FILE"),
       longOption("list",
                  "list the variants: name, what it needs, summary\n"
                  "                   (one-thread; openmp: any compiler and "
                  "runtime;\n"
                  "                   affinity: a runtime with task affinity;\n"
                  "                   not-built: this program's compiler had "
                  "no affinity\n"
                  "                   clause with kinds)",
                  &List),
       BenchOption()});
  const BenchCommand Command = {Bench.name(), "--variant NAME [options]",
                                Bench.summary(), Known.data()};
  benchParse(&Command, ArgCount, Args);
  if (List) {
    printList(Bench);
    std::exit(BenchOk);
  }
  Result.Variant = findVariant(Bench, Variant);
  return Result;
}
