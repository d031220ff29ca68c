//===- tool/run.cpp - One program, one scheduler -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/catalog.h"
#include "lab/replay/trace_log.h"
#include "lab/tool/commands.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <stdio.h>

namespace locus::lab {

double localBytes(const Result &R) {
  double Local = 0, All = 0;
  for (size_t From = 0; From < R.BytesMoved.size(); ++From)
    for (size_t To = 0; To < R.BytesMoved.size(); ++To) {
      All += R.BytesMoved[From][To];
      Local += From == To ? R.BytesMoved[From][To] : 0;
    }
  return All > 0 ? Local / All : 1;
}

template <double ThreadResult::*Field> static double sum(const Result &R) {
  return std::accumulate(
      R.Threads.begin(), R.Threads.end(), 0.0,
      [](double Sum, const ThreadResult &T) { return Sum + T.*Field; });
}

std::vector<Share> losses(const Result &R, double WorkSeconds) {
  std::vector<Share> All = {
      {"memory that is far or shared",
       std::max(0.0, sum<&ThreadResult::Working>(R) - WorkSeconds)},
      {"creating tasks", sum<&ThreadResult::Creating>(R)},
      {"ending tasks", sum<&ThreadResult::Ending>(R)},
      {"no task to run",
       sum<&ThreadResult::Searching>(R) + sum<&ThreadResult::Sleeping>(R)},
      {"cache lines of the scheduler", sum<&ThreadResult::Waiting>(R)},
      {"barriers", sum<&ThreadResult::Other>(R)}};
  std::sort(All.begin(), All.end(), [](const Share &A, const Share &B) {
    return A.Seconds > B.Seconds;
  });
  return All;
}

static nlohmann::ordered_json figuresOf(const Result &R, double SolveFromNs) {
  const double All = R.Seconds * double(R.Threads.size());
  nlohmann::ordered_json F;
  const auto Percent = [&F](const char *Name, double Part, double Whole) {
    F[Name] = std::round(10000 * Part / Whole) / 100;
  };
  F["seconds"] = R.Seconds;
  F["solve_seconds"] = R.Seconds - SolveFromNs * 1e-9;
  F["tasks"] = R.Tasks;
  F["in_place"] = R.InPlace;
  Percent("working_percent", sum<&ThreadResult::Working>(R), All);
  Percent("creating_percent", sum<&ThreadResult::Creating>(R), All);
  Percent("ending_percent", sum<&ThreadResult::Ending>(R), All);
  Percent("searching_percent", sum<&ThreadResult::Searching>(R), All);
  Percent("lines_percent", sum<&ThreadResult::Waiting>(R), All);
  Percent("sleeping_percent", sum<&ThreadResult::Sleeping>(R), All);
  Percent("other_percent", sum<&ThreadResult::Other>(R), All);
  Percent("local_bytes_percent", localBytes(R), 1);
  if (R.Hinted)
    Percent("at_home_percent", double(R.AtHome), double(R.Hinted));
  F["cache_gbytes"] = R.BytesFromCache * 1e-9;
  F["steals"] = R.Steals;
  F["empty_searches"] = R.EmptySearches;
  F["lines_moved"] = R.LinesMoved;
  F["wakes"] = R.Wakes;
  for (const auto &[Name, Value] : R.Counters)
    if (!F.contains(Name)) // some contenders count empty searches, too
      F[Name] = Value;
  return F;
}

/// Each on a line.
static void print(const nlohmann::ordered_json &Figures) {
  for (const auto &[Name, Value] : Figures.items()) {
    printf("%s", Name.c_str());
    for (const auto &One :
         Value.is_array() ? Value : nlohmann::ordered_json::array({Value}))
      if (One.is_number_float())
        printf(" %.6g", One.get<double>());
      else
        printf(" %s", One.dump().c_str());
    printf("\n");
  }
}

int runProgram(const Arguments &A) {
  const MachineFile F = machineOf(A);
  const RunOptions Options = runOptionsOf(A, F.M);
  const TimedProgram P = makeProgram(A.What, Options.Threads, F.Speed);
  TraceLog Log(F.M, Options.Threads);
  const Program &Plain = P;
  const Result R = run(F.M, Options, A.Trace.empty() ? Plain : Log.watch(P));
  const nlohmann::ordered_json Figures = figuresOf(R, *P.SolveFrom);
  if (A.Json)
    printf("%s\n", Figures.dump(1).c_str());
  else
    print(Figures);
  if (!A.Trace.empty())
    Log.write(A.Trace, A.What);
  if (R.IsComplete)
    return 0;
  fprintf(stderr, "locus-lab run: given up: %s\n", R.Why.c_str());
  return 1;
}

} // namespace locus::lab
