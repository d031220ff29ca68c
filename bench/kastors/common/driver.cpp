//===-- driver.cpp - What every benchmark does around its kernel ----------===//

#include "driver.h"
#include "fail.h"
#include "options.h"
#include "runtime.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace kastors;

/// Figures of the timed repetitions, in seconds.
struct Timing {
  std::vector<double> Seconds; ///< In the order that they were run.

  double median() const {
    std::vector<double> Sorted = Seconds;
    std::sort(Sorted.begin(), Sorted.end());
    size_t Half = Sorted.size() / 2;
    return Sorted.size() % 2 ? Sorted[Half]
                             : (Sorted[Half - 1] + Sorted[Half]) / 2;
  }
  double min() const {
    return *std::min_element(Seconds.begin(), Seconds.end());
  }
  double max() const {
    return *std::max_element(Seconds.begin(), Seconds.end());
  }
};

/// Everything that one run of the program found out.
struct Outcome {
  const VariantInfo *Variant;
  unsigned Threads;
  std::string Runtime;
  std::vector<Field> Parameters;
  Timing Time;
  std::string Check; ///< ok, FAILED or not asked.
  PlacementReport Placement;
};

static std::string secondsToText(double Seconds) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.6f", Seconds);
  return Text;
}

static std::string nodeShare(const PlacementCount &Count) {
  return Count.nodesKnown() ? shareToText(Count.OnNode, Count.Tasks)
                            : "not known (" + Count.Trouble + ")";
}

static void printCount(const char *Title, const PlacementCount &Count) {
  std::printf("%-10s tasks %zu, on their thread %s, on the node of their data "
              "%s\n",
              Title, Count.Tasks,
              shareToText(Count.OnThread, Count.Tasks).c_str(),
              nodeShare(Count).c_str());
  if (!Count.complete())
    std::printf("%-10s WRONG: %zu tasks never ran, %zu ran twice\n", Title,
                Count.NotRun, Count.RanTwice);
}

static void printMatrix(const PlacementCount &Count) {
  std::printf("ran on OS node, node of data, tasks\n");
  for (const auto &[Nodes, Tasks] : Count.Matrix)
    std::printf("%14d %13d %6zu\n", Nodes.first, Nodes.second, Tasks);
}

static void print(const Benchmark &Bench, const Outcome &Result, bool Matrix) {
  std::printf("%s %s:", Bench.name(), Result.Variant->Name);
  for (const auto &[Name, Value] : Result.Parameters)
    std::printf(" %s %s", Name.c_str(), Value.c_str());
  std::printf(" threads %u\n", Result.Threads);
  std::printf("%-10s %s\n", "runtime", Result.Runtime.c_str());
  std::printf("%-10s %s s, median of %zu (%s to %s)\n", "time",
              secondsToText(Result.Time.median()).c_str(),
              Result.Time.Seconds.size(),
              secondsToText(Result.Time.min()).c_str(),
              secondsToText(Result.Time.max()).c_str());
  std::printf("%-10s %s\n", "check", Result.Check.c_str());
  printCount("init", Result.Placement.Init);
  printCount("compute", Result.Placement.Compute);
  if (Matrix)
    printMatrix(Result.Placement.Compute);
}

static std::vector<Field> csvFields(const Benchmark &Bench,
                                    const Outcome &Result) {
  std::vector<Field> Fields = {{"benchmark", Bench.name()},
                               {"variant", Result.Variant->Name}};
  Fields.insert(Fields.end(), Result.Parameters.begin(),
                Result.Parameters.end());
  std::string Raw;
  for (double Seconds : Result.Time.Seconds)
    Raw += (Raw.empty() ? "" : " ") + secondsToText(Seconds);
  Fields.insert(Fields.end(),
                {{"threads", std::to_string(Result.Threads)},
                 {"repetitions", std::to_string(Result.Time.Seconds.size())},
                 {"median_s", secondsToText(Result.Time.median())},
                 {"min_s", secondsToText(Result.Time.min())},
                 {"max_s", secondsToText(Result.Time.max())},
                 {"all_s", Raw},
                 {"check", Result.Check}});
  const std::pair<const char *, const PlacementCount *> Counts[] = {
      {"init_", &Result.Placement.Init}, {"", &Result.Placement.Compute}};
  for (const auto &[Prefix, Count] : Counts) {
    std::string P = Prefix;
    Fields.insert(
        Fields.end(),
        {{P + "tasks", std::to_string(Count->Tasks)},
         {P + "on_thread", std::to_string(Count->OnThread)},
         {P + "on_node",
          Count->nodesKnown() ? std::to_string(Count->OnNode) : "unknown"}});
  }
  Fields.push_back({"nodes", std::to_string(nodesOfMachine())});
  Fields.push_back({"runtime", Result.Runtime});
  return Fields;
}

/// No field holds a comma or a quote, except perhaps a path: quote that one
/// way.
static std::string csvLine(const std::vector<Field> &Fields, bool Names) {
  std::string Line;
  for (const auto &[Name, Value] : Fields) {
    std::string Text = Names ? Name : Value;
    if (Text.find_first_of(",\"\n") != std::string::npos) {
      for (size_t At = 0; (At = Text.find('"', At)) != std::string::npos;
           At += 2)
        Text.insert(At, 1, '"');
      Text = '"' + Text + '"';
    }
    Line += (Line.empty() ? "" : ",") + Text;
  }
  return Line + "\n";
}

/// Opened before the work, so that a wrong name costs nothing.
static std::FILE *openCsv(const std::string &Name) {
  if (Name.empty())
    return nullptr;
  std::FILE *File = std::fopen(Name.c_str(), "a");
  if (!File)
    fail("--csv %s: %s", Name.c_str(), std::strerror(errno));
  return File;
}

static void appendCsv(std::FILE *File, const std::string &Name,
                      const std::vector<Field> &Fields) {
  std::fseek(File, 0, SEEK_END);
  if (std::ftell(File) == 0)
    std::fputs(csvLine(Fields, true).c_str(), File);
  std::fputs(csvLine(Fields, false).c_str(), File);
  if (std::fclose(File) != 0)
    fail("--csv %s: %s", Name.c_str(), std::strerror(errno));
}

/// Fails when \p Variant cannot run in this program or on this runtime.
static void requireRunnable(const VariantInfo &Variant,
                            const std::string &Runtime) {
  if (!Variant.Built)
    fail("variant %s is not in this program: its compiler has no affinity "
         "clause "
         "with kinds; build it with the patched clang",
         Variant.Name);
  if (Variant.Need == Needs::Affinity && !runtimeHasTaskAffinity())
    fail(
        "this libomp has no task affinity; variant %s needs it (%s was loaded: "
        "is LD_LIBRARY_PATH set?)",
        Variant.Name, Runtime.c_str());
}

int kastors::runBenchmark(Benchmark &Bench, int ArgCount, char **Args) {
  const Options Given = parseOptions(Bench, ArgCount, Args);
  const VariantInfo &Variant = Bench.variants()[Given.Variant];
  Outcome Result;
  Result.Variant = &Variant;
  Result.Runtime = runtimePath();
  requireRunnable(Variant, Result.Runtime);
  std::FILE *Csv = openCsv(Given.CsvFile);
  Result.Threads = Variant.Need == Needs::Nothing ? 1 : teamSize();
  if (Result.Threads >= TaskNote::RanTwice)
    fail("%u threads: at most %u can be told apart", Result.Threads,
         TaskNote::RanTwice - 1u);
  Bench.prepare(Given.Variant, Result.Threads, Given.Check);

  std::string Difference;
  Result.Check = "not asked";
  auto Check = [&] {
    if (Given.Check && Difference.empty())
      Difference = Bench.check();
  };
  if (Given.Check)
    Bench.computeReference();

  // Warm-up and placement in one: notes are taken here, so that none is taken
  // in a repetition that is timed.
  Bench.init(Given.Variant, /*Record=*/true);
  Bench.solve(Given.Variant);
  Result.Placement = Bench.placement(Given.Variant);
  Check();

  for (long I = 0; I < Given.Repetitions; ++I) {
    Bench.init(Given.Variant, /*Record=*/false);
    auto Start = std::chrono::steady_clock::now();
    Bench.solve(Given.Variant);
    std::chrono::duration<double> Time =
        std::chrono::steady_clock::now() - Start;
    Result.Time.Seconds.push_back(Time.count());
    Check();
  }
  if (Given.Check)
    Result.Check = Difference.empty() ? "ok" : "FAILED";
  Result.Parameters = Bench.parameters();

  print(Bench, Result, Given.Matrix);
  if (Csv)
    appendCsv(Csv, Given.CsvFile, csvFields(Bench, Result));
  if (!Difference.empty())
    std::fprintf(stderr, "%s: check failed: %s\n", Bench.name(),
                 Difference.c_str());
  bool Right = Difference.empty() && Result.Placement.Init.complete() &&
               Result.Placement.Compute.complete();
  return Right ? ExitOk : ExitCheckFailed;
}
