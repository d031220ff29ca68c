//===-- runtime.cpp - What the driver asks of oneTBB ----------------------===//

#include "driver.h"
#include "tbb.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

tbb::task_arena &benchArena() {
  static tbb::global_control Limit(tbb::global_control::max_allowed_parallelism,
                                   static_cast<size_t>(runtimeThreads()));
  static tbb::task_arena Arena(runtimeThreads());
  return Arena;
}

int runtimeProcessors() { return tbb::info::default_concurrency(); }

const char *runtimeSymbol() { return "TBB_runtime_version"; }
