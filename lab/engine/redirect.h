//===- engine/redirect.h - The system, as the core sees it ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before everything else (-include) where the core is compiled for the
// laboratory: memory comes from the simulated one, time is virtual, and what
// gives a processor away costs what the machine says. (relax() and ticks() of
// support/cpu.h are the engine's, too: system.cpp.)
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_REDIRECT_H
#define LOCUS_LAB_ENGINE_REDIRECT_H

// Whatever declares one of these, before they become something else.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <errno.h>
#include <functional>
#include <memory>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

int labAllocate(void **To, size_t Alignment, size_t Bytes);
void labFree(void *Memory);
int labClock(clockid_t, timespec *Now);
int labYield();
int labPageSize();
void labPrefetch(const void *Address, int ToWrite = 0);

#define posix_memalign labAllocate
#define free labFree
#define clock_gettime labClock
#define sched_yield labYield
#define getpagesize labPageSize
#define __builtin_prefetch labPrefetch

#endif // LOCUS_LAB_ENGINE_REDIRECT_H
