//===-- shapes.cpp - Forms of dependence, with StarPU ---------------------===//
//
// The tasks of ../shapes.c, as StarPU knows them: each names the data that it
// reads and writes, by handles. The main thread only creates tasks, so of
// OMP_NUM_THREADS threads it is one, and the others are StarPU's workers (one
// at least). It waits where 10,000 tasks have not ended, as StarPU's manual
// advises: else memory grows with their number.
//
//===----------------------------------------------------------------------===//

#include "../peer/shapes.h"
#include "driver.h"

#include <cstdlib>
#include <thread>

#include <starpu.h>

int runtimeProcessors() { return int(std::thread::hardware_concurrency()); }

const char *runtimeSymbol() { return "starpu_task_submit"; }

static std::vector<starpu_data_handle_t> Handles;

static void runOne(void **, void *Task) { work(long(intptr_t(Task))); }

static void start() {
  setenv("STARPU_SILENT", "1", 0);
  setenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS", "10000", 0);
  setenv("STARPU_LIMIT_MIN_SUBMITTED_TASKS", "5000", 0);
  starpu_conf Conf;
  starpu_conf_init(&Conf);
  Conf.ncpus = runtimeThreads() > 1 ? runtimeThreads() - 1 : 1;
  Conf.ncuda = Conf.nopencl = 0;
  if (starpu_init(&Conf) != 0)
    benchFail("StarPU does not start");
  std::atexit(starpu_shutdown);
  Handles.resize(Cells.size());
  for (size_t I = 0; I < Cells.size(); ++I)
    starpu_variable_data_register(&Handles[I], STARPU_MAIN_RAM,
                                  uintptr_t(&Cells[I]), sizeof(Cell));
}

static void run() {
  if (Handles.empty()) // the run that nobody times
    start();
  static starpu_codelet Codelet = [] {
    starpu_codelet Code = {};
    Code.cpu_funcs[0] = runOne;
    Code.nbuffers = STARPU_VARIABLE_NBUFFERS;
    return Code;
  }();
  const double Start = benchSeconds();
  for (long I = 0; I < Tasks; ++I) {
    const Access A = accessOf(I);
    starpu_task *Task = starpu_task_create();
    Task->cl = &Codelet;
    Task->cl_arg = reinterpret_cast<void *>(intptr_t(I));
    Task->nbuffers = A.InCount + 1;
    for (int J = 0; J < A.InCount; ++J) {
      Task->handles[J] = Handles[A.In[J]];
      Task->modes[J] = STARPU_R;
    }
    Task->handles[A.InCount] = Handles[A.Out];
    Task->modes[A.InCount] = STARPU_RW;
    if (starpu_task_submit(Task) != 0)
      benchFail("StarPU refuses a task");
  }
  noteCreation(benchSeconds() - Start);
  starpu_task_wait_for_all();
}

int main(int ArgCount, char **Args) {
  return shapesMain(ArgCount, Args, "depend-shapes-starpu",
                    "Empty tasks with dependences of one form as tasks of "
                    "StarPU.",
                    run);
}
