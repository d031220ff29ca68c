// What the objects of Debian 12 ask for and an older system, or this program,
// does not have.

#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SMTAPI.h"
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

extern "C" {
// glibc 2.32: whether there is but one thread. The C++ library's counts are
// atomic where it says no.
char __libc_single_threaded = 0;

// glibc 2.36.
uint32_t arc4random() {
  uint32_t Value;
  if (getrandom(&Value, sizeof(Value), 0) != sizeof(Value))
    abort();
  return Value;
}

// glibc 2.33; of interest to -print-stats only.
struct mallinfo2 mallinfo2() {
  struct mallinfo2 Result = {};
  Result.uordblks = size_t(mallinfo().uordblks);
  return Result;
}

// glibc 2.29 gave these names anew, to functions that leave errno alone.
#define OLD_NAME(Name) __asm__(".symver locus_" #Name "," #Name "@GLIBC_2.2.5");
#define OLD_FUNCTION(Name)                                                     \
  double locus_##Name(double);                                                 \
  OLD_NAME(Name)                                                               \
  double Name(double X) { return locus_##Name(X); }
OLD_FUNCTION(exp)
OLD_FUNCTION(exp2)
OLD_FUNCTION(log)
OLD_FUNCTION(log2)
double locus_pow(double, double);
OLD_NAME(pow)
double pow(double X, double Y) { return locus_pow(X, Y); }
}

namespace llvm {
SMTSolverRef CreateZ3Solver() {
  report_fatal_error("this clang has no Z3 solver", false);
}
void SMTSolver::dump() const {}
} // namespace llvm

// The loop optimizer that Debian's LLVM holds: its options are unknown here.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder &) {}};
}
