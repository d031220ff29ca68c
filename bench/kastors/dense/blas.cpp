//===-- blas.cpp - An OpenBLAS that stays on the caller's thread ----------===//

#include "blas.h"
#include "program.h"

#include <cblas.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace kastors;

void kastors::requireOneThreadBlas(char **Args) {
  static const char Variable[] = "OPENBLAS_NUM_THREADS";
  const int Parallel = openblas_get_parallel();
  // Debian's libopenblas0-serial is built without locks: two threads may get
  // the same work space.
  if (Parallel == OPENBLAS_SEQUENTIAL)
    benchFail("this OpenBLAS cannot be called by several threads (%s); install "
              "Debian's libopenblas0-pthread",
              openblas_get_config());
  if (Parallel == OPENBLAS_OPENMP)
    benchFail("this OpenBLAS brings an OpenMP runtime of its own (%s); install "
              "Debian's libopenblas0-pthread",
              openblas_get_config());
  if (const char *Given = std::getenv(Variable)) {
    if (std::strcmp(Given, "1") != 0)
      benchFail("%s=%s: its threads would disturb; it must be 1, or not set",
                Variable, Given);
    return;
  }
  setenv(Variable, "1", 1);
  execv("/proc/self/exe", Args);
  benchFail("cannot start anew with %s=1 (%s); set it", Variable,
            std::strerror(errno));
}
