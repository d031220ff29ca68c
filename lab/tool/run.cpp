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

static void print(const Result &R, double SolveFromNs) {
  const double Threads = double(R.Threads.size());
  const double All = R.Seconds * Threads;
  printf("seconds %.6g\n", R.Seconds);
  printf("solve_seconds %.6g\n", R.Seconds - SolveFromNs * 1e-9);
  printf("tasks %llu\nin_place %llu\n", (unsigned long long)R.Tasks,
         (unsigned long long)R.InPlace);
  printf("working_percent %.2f\n", 100 * sum<&ThreadResult::Working>(R) / All);
  printf("creating_percent %.2f\n",
         100 * sum<&ThreadResult::Creating>(R) / All);
  printf("ending_percent %.2f\n", 100 * sum<&ThreadResult::Ending>(R) / All);
  printf("searching_percent %.2f\n",
         100 * sum<&ThreadResult::Searching>(R) / All);
  printf("lines_percent %.2f\n", 100 * sum<&ThreadResult::Waiting>(R) / All);
  printf("sleeping_percent %.2f\n",
         100 * sum<&ThreadResult::Sleeping>(R) / All);
  printf("other_percent %.2f\n", 100 * sum<&ThreadResult::Other>(R) / All);
  printf("local_bytes_percent %.2f\n", 100 * localBytes(R));
  if (R.Hinted)
    printf("at_home_percent %.2f\n", 100 * double(R.AtHome) / double(R.Hinted));
  printf("cache_gbytes %.4g\n", R.BytesFromCache * 1e-9);
  printf("steals");
  for (uint64_t Steals : R.Steals)
    printf(" %llu", (unsigned long long)Steals);
  printf("\nempty_searches %llu\nlines_moved %llu\nwakes %llu\n",
         (unsigned long long)R.EmptySearches, (unsigned long long)R.LinesMoved,
         (unsigned long long)R.Wakes);
  for (const auto &[Name, Value] : R.Counters)
    printf("%s %.6g\n", Name.c_str(), Value);
}

int runProgram(int Count, char **Words) {
  std::vector<std::string> Names = RunOptionNames;
  Names.push_back("trace");
  const Arguments A(Count, Words, Names, {"no-hints"});
  if (A.rest().size() != 1)
    throw std::invalid_argument("one program is wanted; `locus-lab programs` "
                                "lists those that there are");
  const MachineFile F = machineOf(A);
  const RunOptions Options = runOptionsOf(A, F.M);
  const TimedProgram P = makeProgram(A.rest()[0], Options.Threads, F.Speed);
  TraceLog Log(F.M, Options.Threads);
  const Program &Plain = P;
  const Result R = run(F.M, Options, A.has("trace") ? Log.watch(P) : Plain);
  print(R, *P.SolveFrom);
  if (A.has("trace"))
    Log.write(A.text("trace"), A.rest()[0]);
  if (R.IsComplete)
    return 0;
  fprintf(stderr, "locus-lab run: given up: %s\n", R.Why.c_str());
  return 1;
}

} // namespace locus::lab
