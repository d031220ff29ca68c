//===-- driver.cpp - What every benchmark does around its kernel ----------===//

#include "driver.h"
#include "options.h"
#include "runtime.h"
#include "timing.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace kastors;

/// Everything that one run of the program found out.
struct Outcome {
  const VariantInfo *Variant;
  unsigned Threads;
  std::string Runtime;
  std::vector<Field> Parameters;
  std::vector<Field> Figures;
  Timing Time;
  std::string Check; ///< ok, FAILED or not asked.
  PlacementReport Placement;
};

std::string kastors::format(const char *Format, ...) {
  char Text[256];
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(Text, sizeof(Text), Format, Args);
  va_end(Args);
  return Text;
}

static std::string secondsToText(double Seconds) {
  return format("%.6f", Seconds);
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
}

/// "0:128 1:130": OS node and pages.
static std::string nodesToText(const NodePages &Nodes) {
  std::string Text;
  for (const auto &[Node, Pages] : Nodes)
    Text += format("%s%d:%zu", Text.empty() ? "" : " ", Node, Pages);
  return Text;
}

/// "0:0:128 0:1:3": OS node of the task, OS node of the page, pages.
static std::string matrixToText(const PlacementCount &Count) {
  std::string Text;
  for (const auto &[Nodes, Pages] : Count.Matrix)
    Text += format("%s%d:%d:%zu", Text.empty() ? "" : " ", Nodes.first,
                   Nodes.second, Pages);
  return Text;
}

static void printMatrix(const PlacementCount &Count) {
  std::printf("task on OS node, page of its data on OS node, pages\n");
  for (const auto &[Nodes, Pages] : Count.Matrix)
    std::printf("%15d %27d %7zu\n", Nodes.first, Nodes.second, Pages);
}

static void print(const Benchmark &Bench, const Outcome &Result, bool Matrix) {
  std::printf("%s %s:", Bench.name(), Result.Variant->Name);
  for (const auto &[Name, Value] : Result.Parameters)
    std::printf(" %s %s", Name.c_str(), Value.c_str());
  std::printf(" threads %u\n", Result.Threads);
  std::printf("%-10s %s\n", "runtime", Result.Runtime.c_str());
  const Timing &Time = Result.Time;
  std::printf("%-10s %s s, median of %zu (%s to %s, mean %s, deviation %s)\n",
              "time", secondsToText(Time.median()).c_str(), Time.Seconds.size(),
              secondsToText(Time.min()).c_str(),
              secondsToText(Time.max()).c_str(),
              secondsToText(Time.mean()).c_str(),
              secondsToText(Time.deviation()).c_str());
  for (const auto &[Name, Value] : Result.Figures)
    std::printf("%-10s %s\n", Name.c_str(), Value.c_str());
  std::printf("%-10s %s\n", "check", Result.Check.c_str());
  printCount("init", Result.Placement.Init);
  printCount("compute", Result.Placement.Compute);
  std::printf("%-10s %s (OS node:number)\n", "pages",
              nodesToText(Result.Placement.Data).c_str());
  if (Matrix)
    printMatrix(Result.Placement.Compute);
}

static std::vector<Field> csvFields(const Benchmark &Bench,
                                    const Outcome &Result) {
  std::vector<Field> Fields = {{"benchmark", Bench.name()},
                               {"variant", Result.Variant->Name}};
  std::string Parameters;
  for (const auto &[Name, Value] : Result.Parameters)
    Parameters += (Parameters.empty() ? "" : " ") + Name + "=" + Value;
  Fields.push_back({"parameters", Parameters});
  std::string Raw;
  for (double Seconds : Result.Time.Seconds)
    Raw += (Raw.empty() ? "" : " ") + secondsToText(Seconds);
  Fields.insert(Fields.end(),
                {{"threads", std::to_string(Result.Threads)},
                 {"repetitions", std::to_string(Result.Time.Seconds.size())},
                 {"mean_s", secondsToText(Result.Time.mean())},
                 {"deviation_s", secondsToText(Result.Time.deviation())},
                 {"median_s", secondsToText(Result.Time.median())},
                 {"min_s", secondsToText(Result.Time.min())},
                 {"max_s", secondsToText(Result.Time.max())},
                 {"all_s", Raw},
                 {"check", Result.Check}});
  // All benchmarks have the same columns, so that one file can hold them all.
  std::string Figures;
  for (const auto &[Name, Value] : Result.Figures)
    Figures += (Figures.empty() ? "" : " ") + Name + "=" + Value;
  Fields.push_back({"figures", Figures});
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
  Fields.push_back({"pages", nodesToText(Result.Placement.Data)});
  Fields.push_back({"matrix", matrixToText(Result.Placement.Compute)});
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
    benchFail("--csv %s: %s", Name.c_str(), std::strerror(errno));
  return File;
}

static void appendCsv(std::FILE *File, const std::string &Name,
                      const std::vector<Field> &Fields) {
  std::fseek(File, 0, SEEK_END);
  if (std::ftell(File) == 0)
    std::fputs(csvLine(Fields, true).c_str(), File);
  std::fputs(csvLine(Fields, false).c_str(), File);
  if (std::fclose(File) != 0)
    benchFail("--csv %s: %s", Name.c_str(), std::strerror(errno));
}

/// Fails when \p Variant cannot run in this program or on this runtime.
static void requireRunnable(const VariantInfo &Variant,
                            const std::string &Runtime) {
  if (Variant.Need == Needs::Clause && !clauseBuilt())
    benchFail("variant %s is not in this program: its compiler has no affinity "
              "clause with kinds; build it with the patched clang",
              Variant.Name);
  if (Variant.Need >= Needs::Affinity && !runtimeHasTaskAffinity())
    benchFail("this libomp has no task affinity; variant %s needs it (%s was "
              "loaded: is LD_LIBRARY_PATH set?)",
              Variant.Name, Runtime.c_str());
}

int kastors::runBenchmark(Benchmark &Bench, int ArgCount, char **Args) {
  const Options Given = parseOptions(Bench, ArgCount, Args);
  const VariantInfo &Variant = Bench.variants()[Given.Variant];
  Outcome Result;
  Result.Variant = &Variant;
  char Path[PATH_MAX];
  Result.Runtime = benchRuntimePath(Path);
  requireRunnable(Variant, Result.Runtime);
  std::FILE *Csv = openCsv(Given.CsvFile);
  Result.Threads = Variant.Need == Needs::Nothing
                       ? 1
                       : static_cast<unsigned>(runtimeThreads());
  Bench.prepare(Given.Variant, Result.Threads, Given.Check);

  std::string Difference;
  Result.Check = "not asked";
  auto Check = [&] {
    if (Given.Check && Difference.empty())
      Difference = Bench.check();
  };
  if (Given.Check)
    Bench.computeReference();

  // Notes are taken in the first warm-up, so that none is taken in a repetition
  // that is timed.
  using Phase = PlacementMeter::Phase;
  for (long I = 0; I < Given.WarmUps; ++I) {
    Bench.Meter.start(I == 0 ? Phase::Init : Phase::Off);
    Bench.init(Given.Variant);
    Bench.Meter.start(I == 0 ? Phase::Compute : Phase::Off);
    Bench.solve(Given.Variant);
    Bench.Meter.start(Phase::Off);
    if (I == 0)
      Result.Placement = Bench.Meter.report();
    Check();
  }

  for (long I = 0; I < Given.Repetitions; ++I) {
    Bench.init(Given.Variant);
    const double Start = benchSeconds();
    Bench.solve(Given.Variant);
    Result.Time.Seconds.push_back(benchSeconds() - Start);
    Check();
  }
  if (Given.Check)
    Result.Check = Difference.empty() ? "ok" : "FAILED";
  Result.Parameters = Bench.parameters();
  Result.Figures = Bench.figures(Result.Time.median());

  print(Bench, Result, Given.Matrix);
  if (Csv)
    appendCsv(Csv, Given.CsvFile, csvFields(Bench, Result));
  bool Right = true;
  auto Wrong = [&](const std::string &What) {
    std::fprintf(stderr, "%s: %s\n", Bench.name(), What.c_str());
    Right = false;
  };
  if (!Difference.empty())
    Wrong("check failed: " + Difference);
  for (const PlacementCount *Count :
       {&Result.Placement.Init, &Result.Placement.Compute}) {
    if (!Count->complete())
      Wrong(format("%zu tasks never ran, %zu ran twice", Count->NotRun,
                   Count->RanTwice));
    if (Variant.Strict && Count->OnThread != Count->Tasks)
      Wrong(format("%zu of %zu strict tasks ran on another thread",
                   Count->Tasks - Count->OnThread, Count->Tasks));
  }
  return Right ? BenchOk : BenchCheckFailed;
}
