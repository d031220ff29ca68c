//===-- threads.cpp - The threads of a run, for other libraries -----------===//

#include "program.h"

#include <cerrno>
#include <cstdlib>

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
