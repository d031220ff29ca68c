//===- tool/predict.cpp - What a traced program would take elsewhere -----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/replay.h"
#include "lab/replay/trace_log.h"
#include "lab/tool/commands.h"
#include "lab/tool/progress.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <stdio.h>

namespace locus::lab {

namespace {

struct Row {
  const char *Name, *Contender;
  bool UseHints;
};
const Row Rows[] = {{"stock libomp", "stock", false},
                    {"this runtime", "ours", false},
                    {"with the clause", "ours", true}};

double working(const Result &R) {
  return std::accumulate(
      R.Threads.begin(), R.Threads.end(), 0.0,
      [](double Sum, const ThreadResult &T) { return Sum + T.Working; });
}

/// A run, and what its times are compared with.
struct Run {
  const char *Name;
  Result R;
  double OneThread, Work;
};

void printRow(const Run &Of) {
  const Result &R = Of.R;
  printf("%-16s %12.6f %9.1f %8.0f %%", Of.Name, R.Seconds,
         Of.OneThread / R.Seconds, 100 * localBytes(R));
  const double All = R.Seconds * double(R.Threads.size());
  const std::vector<Share> Lost = losses(R, Of.Work);
  for (size_t I = 0; I < 3 && Lost[I].Seconds > 0.0005 * All; ++I)
    printf("%s %.1f %% %s", I ? "," : "  ", 100 * Lost[I].Seconds / All,
           Lost[I].What.c_str());
  printf("\n");
  if (!R.IsComplete)
    printf("  given up: %s\n", R.Why.c_str());
  fflush(stdout); // the next one may take minutes
}

nlohmann::ordered_json jsonOf(const Run &Of) {
  nlohmann::ordered_json Row = {{"name", Of.Name},
                                {"seconds", Of.R.Seconds},
                                {"speed_up", Of.OneThread / Of.R.Seconds},
                                {"near_bytes_percent", 100 * localBytes(Of.R)},
                                {"complete", Of.R.IsComplete}};
  for (const Share &Lost : losses(Of.R, Of.Work))
    Row["lost_thread_seconds"][Lost.What] = Lost.Seconds;
  return Row;
}

void printHead(const std::string &Trace, const Replay &R) {
  printf("%s: %llu tasks, %llu dependences, %.6f s of tasks\n", Trace.c_str(),
         (unsigned long long)R.Tasks, (unsigned long long)R.Depends,
         R.TaskNs * 1e-9);
  if (R.Bytes > 0)
    printf("tasks name %.3g GB%s\n", R.Bytes * 1e-9,
           R.BlockBytes ? (", blocks of " + std::to_string(R.BlockBytes) +
                           " bytes by their addresses")
                              .c_str()
                        : "");
  else
    printf("tasks name no memory: where it lies makes no difference here\n");
  for (const std::string &Remark : R.Remarks)
    printf("note: %s\n", Remark.c_str());
}

ReplayOptions replayOptionsOf(const Arguments &A, const MachineFile &To) {
  ReplayOptions How;
  for (const Figure &F : To.Figures)
    if (F.Name == "instruction_factor")
      How.ComputeFactor = F.Value;
  if (!A.TracedOn.empty()) {
    const MachineFile Traced = readMachine(A.TracedOn);
    How.TracedGBs = Traced.M.ProcessorGBs[0];
    for (const Figure &F : Traced.Figures)
      if (F.Name == "instruction_factor")
        How.ComputeFactor /= F.Value;
  }
  return How;
}

} // namespace

int predict(const Arguments &A) {
  const std::string &Trace = A.What;
  const MachineFile To = machineOf(A);
  RunOptions Options = runOptionsOf(A, To.M);
  const Replay R = replay(readTrace(Trace), replayOptionsOf(A, To));
  if (!A.Json) {
    printHead(Trace, R);
    printf("on %s, %d threads:\n\n%-16s %12s %9s %10s  %s\n", To.M.Name.c_str(),
           Options.Threads, "", "seconds", "speed-up", "near bytes",
           "largest losses of thread time");
    fflush(stdout);
  }

  Progress Shown(R.Tasks, 1 + int(std::size(Rows)));
  Shown.estimate(Options.Threads, R.Bytes > 0);
  Options.OnTask = [&Shown](const TaskRecord &) { Shown.count(); };
  RunOptions Alone = Options;
  Alone.Threads = 1;
  const Result One = run(To.M, Alone, R.P);
  nlohmann::ordered_json All = {{"file", Trace},
                                {"machine", To.M.Name},
                                {"threads", Options.Threads},
                                {"tasks", R.Tasks},
                                {"dependences", R.Depends},
                                {"task_seconds", R.TaskNs * 1e-9},
                                {"bytes", R.Bytes},
                                {"notes", R.Remarks}};
  const auto Tell = [&](const char *Name, Result Now) {
    Shown.clear();
    const Run Of = {Name, std::move(Now), One.Seconds, working(One)};
    if (A.Json)
      All["runs"].push_back(jsonOf(Of));
    else
      printRow(Of);
  };
  Tell("one thread", One);
  TraceLog Log(To.M, Options.Threads);
  for (const Row &Now : Rows) {
    const bool IsLogged = &Now == &Rows[2] && !A.Trace.empty();
    Options.Contender = Now.Contender;
    Options.UseHints = Now.UseHints;
    Tell(Now.Name, run(To.M, Options, IsLogged ? Log.watch(R.P) : R.P));
  }
  if (A.Json)
    printf("%s\n", All.dump(1).c_str());
  if (!A.Trace.empty())
    Log.write(A.Trace, Trace + ", predicted");
  return 0;
}

} // namespace locus::lab
