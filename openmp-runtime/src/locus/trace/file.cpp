//===- trace/file.cpp - The file of a trace -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/trace/file.h"
#include "locus/support/cpu.h"
#include "locus/support/host.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace locus {

/// ns that the end of the library waits for threads that write. On a loaded
/// machine one may not get a processor for a second.
static constexpr uint64_t EndPatience = 5000000000;

void TraceFile::warnOf(const char *What, const char *Why) const {
  locus::warnOf("KMP_TASK_TRACE: %s '%s': %s.", What, Name, Why);
}

/// The file ends here. Warns, the first time.
bool TraceFile::fail(const char *What, const char *Why) {
  if (!Failed.exchange(true, std::memory_order_relaxed))
    warnOf(What, Why);
  return false;
}

/// Makes the file this process' own, and empty. Why that cannot be, or null.
static const char *claim(int Descriptor, const struct stat &Kind) {
  if (S_ISFIFO(Kind.st_mode) || S_ISSOCK(Kind.st_mode))
    return "it is a pipe";
  if (!S_ISREG(Kind.st_mode))
    return nullptr;
  // Until the last process that has the descriptor ends. (Where the file system
  // knows no locks there are none.)
  if (flock(Descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return "another program writes its trace there; %p in a name stands for "
           "the process";
  return ftruncate(Descriptor, 0) == 0 ? nullptr : strerror(errno);
}

bool TraceFile::open(const char *Pattern, uint32_t Parent) {
  Failed.store(false, std::memory_order_relaxed);
  if (!nameFile(Pattern, Name)) {
    warn("KMP_TASK_TRACE: the file name is too long; there is no trace.");
    return false;
  }
  // O_APPEND: the kernel finds the end of the file for each write, so that
  // threads need no lock. O_NONBLOCK: a pipe that nobody reads is an error.
  Descriptor = openForUser(Name, O_APPEND | O_NONBLOCK | O_NOCTTY);
  struct stat Kind;
  if (Descriptor < 0 || fstat(Descriptor, &Kind) != 0) {
    warnOf("there is no trace, as nothing can be written to",
           errno == ENXIO ? "nobody reads it, or there is no such device"
                          : whyNotOpen(errno));
    return false;
  }
  if (const char *Why = claim(Descriptor, Kind)) {
    warnOf("there is no trace, as nothing can be written to", Why);
    ::close(Descriptor);
    Descriptor = -1;
    return false;
  }
  Device = Kind.st_dev;
  Inode = Kind.st_ino;
  TraceHeader Header;
  Header.Process = uint32_t(getpid());
  Header.Parent = Parent;
  Header.Rank = mpiRank();
  Header.StartTime = nanoseconds();
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  Header.WallTime = uint64_t(Now.tv_sec) * 1000000000 + uint64_t(Now.tv_nsec);
  if (append(&Header, sizeof(Header)))
    return true;
  close();
  return false;
}

/// Whether the descriptor is still that of the file. A program that closes all
/// descriptors, as daemons do, may have given the number to another file.
bool TraceFile::isOurs() const {
  struct stat Now;
  return Descriptor >= 0 && fstat(Descriptor, &Now) == 0 &&
         Now.st_dev == Device && Now.st_ino == Inode;
}

bool TraceFile::append(const void *Chunk, size_t Bytes) {
  // Both sequentially consistent, as in end(): either this thread sees Failed,
  // or that one waits for it.
  Writers.fetch_add(1);
  const bool Done = !Failed.load() && write(Chunk, Bytes);
  Writers.fetch_sub(1, std::memory_order_release);
  return Done;
}

bool TraceFile::write(const void *Chunk, size_t Bytes) {
  if (!isOurs())
    return fail("the trace ends here", "the program has closed the file");
  ssize_t Done;
  do
    Done = ::write(Descriptor, Chunk, Bytes);
  while (Done < 0 && errno == EINTR);
  if (Done == ssize_t(Bytes))
    return true;
  // Not the rest: another thread may have written behind what is there.
  return fail("the trace ends here, as the file cannot be written",
              Done < 0 ? strerror(errno) : "there is no room");
}

void TraceFile::end() {
  Failed.store(true);
  const uint64_t Began = nanoseconds();
  while (Writers.load() != 0) {
    if (nanoseconds() - Began > EndPatience)
      return warnOf("the trace may be cut, as a thread still writes to",
                    "it has not come back for 5 s");
    sched_yield();
  }
  close();
}

void TraceFile::close() {
  if (isOurs())
    ::close(Descriptor);
  Descriptor = -1;
  Writers.store(0, std::memory_order_relaxed); // those of a parent are not here
}

} // namespace locus
