//===-- runtime.cpp - What the driver asks of oneTBB ----------------------===//

#include "driver.h"
#include "tbb.h"

#include <cerrno>
#include <cstdlib>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/info.h>

tbb::task_arena &benchArena() {
  static tbb::global_control Limit(tbb::global_control::max_allowed_parallelism,
                                   static_cast<size_t>(runtimeThreads()));
  static tbb::task_arena Arena(runtimeThreads());
  return Arena;
}

/// As for OpenMP, so that all programs are started alike.
int runtimeThreads() {
  const char *Text = std::getenv("OMP_NUM_THREADS");
  if (!Text)
    return runtimeProcessors();
  char *End;
  errno = 0;
  long Threads = std::strtol(Text, &End, 10);
  if (End == Text || *End || errno || Threads < 1 || Threads > 65536)
    benchFail("OMP_NUM_THREADS=%s: must be a whole number from 1 to 65536",
              Text);
  return static_cast<int>(Threads);
}

int runtimeProcessors() { return tbb::info::default_concurrency(); }

const char *runtimeSymbol() { return "TBB_runtime_version"; }
