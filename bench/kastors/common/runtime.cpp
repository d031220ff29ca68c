//===-- runtime.cpp - The OpenMP runtime that this process runs on --------===//

#include "runtime.h"
#include "fail.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <omp.h>

using namespace kastors;

std::string kastors::runtimePath() {
  // By name, not by &omp_get_max_threads: that may be a stub of this program.
  void *Symbol = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  Dl_info Info;
  char Path[PATH_MAX];
  if (!Symbol || !dladdr(Symbol, &Info) || !realpath(Info.dli_fname, Path))
    fail("cannot find the OpenMP runtime among the loaded libraries");
  return Path;
}

bool kastors::runtimeHasTaskAffinity() {
  return dlsym(RTLD_DEFAULT, "__kmpc_omp_task_affinity") && setTaskAffinity();
}

SetTaskAffinity kastors::setTaskAffinity() {
  static const auto Entry = reinterpret_cast<SetTaskAffinity>(
      dlsym(RTLD_DEFAULT, "omp_set_task_affinity"));
  return Entry;
}

unsigned kastors::teamSize() {
  unsigned Threads = 0;
#pragma omp parallel
#pragma omp single
  Threads = static_cast<unsigned>(omp_get_num_threads());
  return Threads;
}
