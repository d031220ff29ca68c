//===-- runtime.cpp - The OpenMP runtime that this process runs on --------===//

#include "runtime.h"

#include <dlfcn.h>

using namespace kastors;

bool kastors::runtimeHasTaskAffinity() {
  return dlsym(RTLD_DEFAULT, "__kmpc_omp_task_affinity") && setTaskAffinity();
}

SetTaskAffinity kastors::setTaskAffinity() {
  static const auto Entry = reinterpret_cast<SetTaskAffinity>(
      dlsym(RTLD_DEFAULT, "omp_set_task_affinity"));
  return Entry;
}
