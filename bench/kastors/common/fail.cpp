//===-- fail.cpp - End with a message -------------------------------------===//

#include "fail.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

void kastors::fail(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  std::fflush(stdout);
  std::fprintf(stderr, "%s: error: ", program_invocation_short_name);
  std::vfprintf(stderr, Format, Args);
  std::fputc('\n', stderr);
  va_end(Args);
  std::exit(ExitUsage);
}
