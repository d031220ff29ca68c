//===-- fail.h - End with a message ---------------------------------------===//
//
// Every benchmark reports bad input in one way: "NAME: error: what is wrong;
// what to do" on standard error and exit status 2, before any work.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_FAIL_H
#define KASTORS_FAIL_H

namespace kastors {

/// Exit statuses of every benchmark.
enum ExitStatus { ExitOk = 0, ExitCheckFailed = 1, ExitUsage = 2 };

/// Prints "PROGRAM: error: " and the message, printf style, and exits with
/// ExitUsage. For the thread that runs main, outside of parallel regions.
[[noreturn]] void fail(const char *Format, ...)
    __attribute__((format(printf, 1, 2)));

} // namespace kastors

#endif // KASTORS_FAIL_H
