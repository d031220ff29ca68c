//===- kmp/settings.h - Environment variables -------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables KMP_TASK_*, as libomp's table of settings wants them, and what
// they say. docs/scheduler.md describes them.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_SETTINGS_H
#define LOCUS_KMP_SETTINGS_H

#include "kmp.h"
#include "locus/team/settings.h"

namespace locus {

/// Sets the environment variable \p Name, one of ours. A value that it can't
/// have gets a warning that names the legal ones, and the default.
void parseSetting(char const *Name, char const *Value, void *Data);
/// The value in force of the variable \p Name.
const char *settingValue(char const *Name);

/// Our rows in libomp's table of settings; kmp_settings.cpp knows their type.
#define LOCUS_SETTING(Name, Variable, ...)                                     \
  {Variable,                                                                   \
   locus::parseSetting,                                                        \
   [](kmp_str_buf_t *Buffer, char const *Setting, void *) {                    \
     __kmp_stg_print_str(Buffer, Setting, locus::settingValue(Setting));       \
   },                                                                          \
   nullptr,                                                                    \
   0,                                                                          \
   0},
#define LOCUS_SETTINGS LOCUS_VARIABLES(LOCUS_SETTING)

/// OMP_THREADS_RESERVE: threads_reserve.cpp.
struct ThreadsReserved {
  int Agents = -1;    ///< free agents for each team; -1: what its threads leave
  int Structured = 1; ///< threads that no free agent may take away
};
extern __attribute__((visibility("hidden"))) ThreadsReserved Reserved;
void parseReserve(char const *Name, char const *Value, void *Data);
const char *reserveValue();
#define LOCUS_RESERVE_SETTING                                                  \
  {"OMP_THREADS_RESERVE",                                                      \
   locus::parseReserve,                                                        \
   [](kmp_str_buf_t *Buffer, char const *Setting, void *) {                    \
     __kmp_stg_print_str(Buffer, Setting, locus::reserveValue());              \
   },                                                                          \
   nullptr,                                                                    \
   0,                                                                          \
   0},

/// What the variables choose. parseSetting() writes it.
extern __attribute__((visibility("hidden"))) Choices Chosen;
/// Whether tasks are in libomp's own deques, and hints count for nothing.
static inline bool isStock() { return Chosen[Setting::Scheduler] != 0; }
/// How many tasks with dependences a thread of a team of \p NumThreads may have
/// created that have not ended; 0 = any number.
uint32_t dependentLimit(int NumThreads);
/// How a team keeps its tasks, but for whether they run in place.
TeamOptions teamOptions();

} // namespace locus

#endif // LOCUS_KMP_SETTINGS_H
