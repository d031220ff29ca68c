//===- tool/predict.cpp - What a traced program would take elsewhere -----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/replay.h"
#include "lab/replay/trace_log.h"
#include "lab/tool/commands.h"

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

void printRow(const char *Name, const Result &R, double OneThread,
              double Work) {
  printf("%-16s %12.6f %9.1f %8.0f %%", Name, R.Seconds, OneThread / R.Seconds,
         100 * localBytes(R));
  const double All = R.Seconds * double(R.Threads.size());
  const std::vector<Share> Lost = losses(R, Work);
  for (size_t I = 0; I < 3 && Lost[I].Seconds > 0.0005 * All; ++I)
    printf("%s %.1f %% %s", I ? "," : "  ", 100 * Lost[I].Seconds / All,
           Lost[I].What.c_str());
  printf("\n");
  if (!R.IsComplete)
    printf("  given up: %s\n", R.Why.c_str());
}

} // namespace

int predict(int Count, char **Words) {
  const Arguments A(
      Count, Words,
      {"machine", "threads", "traced-on", "trace", "scale", "seed"});
  if (A.rest().size() != 1)
    throw std::invalid_argument("one trace is wanted, of KMP_TASK_TRACE");
  const MachineFile To = machineOf(A);
  RunOptions Options = runOptionsOf(A, To.M);
  ReplayOptions How;
  for (const Figure &F : To.Figures)
    if (F.Name == "instruction_factor")
      How.ComputeFactor = F.Value;
  if (A.has("traced-on")) {
    const MachineFile Traced = readMachine(A.text("traced-on"));
    How.TracedGBs = Traced.M.ProcessorGBs[0];
    for (const Figure &F : Traced.Figures)
      if (F.Name == "instruction_factor")
        How.ComputeFactor /= F.Value;
  }
  const Replay R = replay(readTrace(A.rest()[0]), How);
  printf("%s: %llu tasks, %llu dependences, %.6f s of tasks\n",
         A.rest()[0].c_str(), (unsigned long long)R.Tasks,
         (unsigned long long)R.Depends, R.TaskNs * 1e-9);
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
  printf("on %s, %d threads:\n\n", To.M.Name.c_str(), Options.Threads);

  RunOptions Alone = Options;
  Alone.Threads = 1;
  const Result One = run(To.M, Alone, R.P);
  printf("%-16s %12s %9s %10s  %s\n", "", "seconds", "speed-up", "near bytes",
         "largest losses of thread time");
  printRow("one thread", One, One.Seconds, working(One));
  TraceLog Log(To.M, Options.Threads);
  for (const Row &Now : Rows) {
    const bool IsLogged = &Now == &Rows[2] && A.has("trace");
    Options.Contender = Now.Contender;
    Options.UseHints = Now.UseHints;
    printRow(Now.Name, run(To.M, Options, IsLogged ? Log.watch(R.P) : R.P),
             One.Seconds, working(One));
  }
  if (A.has("trace"))
    Log.write(A.text("trace"), A.rest()[0] + ", predicted");
  return 0;
}

} // namespace locus::lab
