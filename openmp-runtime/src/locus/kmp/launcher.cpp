//===- kmp/launcher.cpp - What who started us left this process -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/machine/launched.h"
#include "locus/support/host.h"

#include "kmp_affinity.h"
#include "kmp_io.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

namespace locus {

int defaultThreads(int Available) {
  const int Paid = isStock() ? 0 : cpuQuota();
  if (Paid == 0 || Paid >= Available)
    return Available;
  if (__kmp_affinity.flags.verbose || __kmp_settings)
    __kmp_printf("OMP: Info: a control group's quota of CPU time pays for %d "
                 "of %d processors: so many threads by default.\n",
                 Paid, Available);
  return Paid;
}

//===----------------------------------------------------------------------===//
// Ranks on this machine
//===----------------------------------------------------------------------===//

namespace {

/// The ranks of a job that a launcher has started on this machine; none if
/// there was no launcher that is known.
struct LocalRanks {
  int Count = 0;
  int Mine = 0;
};

/// A number from 0 of the environment; -1 if there is none.
int numberIn(const char *Variable) {
  const char *Text = getenv(Variable);
  char *End;
  const long Number = Text ? strtol(Text, &End, 10) : -1;
  return Text && End != Text && *End == '\0' && Number >= 0 &&
                 Number <= (1 << 24)
             ? int(Number)
             : -1;
}

/// Slurm lists the tasks of all machines, as in "4(x2),3".
int slurmTasksHere() {
  const char *Text = getenv("SLURM_STEP_TASKS_PER_NODE");
  long Machine = numberIn("SLURM_NODEID");
  while (Text && Machine >= 0) {
    int Tasks, Times = 1, Length = 0;
    if (sscanf(Text, "%d%n", &Tasks, &Length) != 1)
      return -1;
    Text += Length;
    Length = 0;
    if (sscanf(Text, "(x%d)%n", &Times, &Length) == 1)
      Text += Length;
    Machine -= Times;
    if (Machine < 0)
      return Tasks;
    if (*Text++ != ',' || Times < 1)
      return -1;
  }
  return -1;
}

LocalRanks localRanks() {
  // Open MPI; MPICH, Intel's MPI and others with Hydra; Cray's PALS.
  static constexpr const char *Names[][2] = {
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
      {"MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
      {"PALS_LOCAL_SIZE", "PALS_LOCAL_RANKID"}};
  LocalRanks Ranks;
  for (const auto &Name : Names) {
    Ranks.Count = numberIn(Name[0]);
    Ranks.Mine = numberIn(Name[1]);
    if (Ranks.Count > 0 && Ranks.Mine >= 0)
      return Ranks;
  }
  Ranks.Count = slurmTasksHere();
  Ranks.Mine = numberIn("SLURM_LOCALID");
  return Ranks.Count > 0 && Ranks.Mine >= 0 ? Ranks : LocalRanks();
}

/// Warns with \p Text, and how to give each rank \p Processors.
void warnAndAdvise(const char *Text, int Processors) {
  warnOf("%s Give each rank its own processors, as many as it has threads "
         "(mpirun --map-by slot:PE=%d --bind-to core, mpiexec -bind-to "
         "core:%d, srun -c %d --cpu-bind=cores).",
         Text, Processors, Processors, Processors);
}

/// Whether the environment sets \p Variable, and not to "false" or "1".
bool wantsMore(const char *Variable) {
  const char *Text = getenv(Variable);
  return Text && *Text && strcasecmp(Text, "false") != 0 &&
         strcmp(Text, "1") != 0;
}

/// A program that has bound its first thread leaves what it starts by exec that
/// thread's one processor.
void warnOfOneProcessor() {
  const int Only = __kmp_affin_origMask->begin();
  if (__kmp_xproc < 2 || Only == __kmp_affin_origMask->end() ||
      __kmp_affin_origMask->next(Only) != __kmp_affin_origMask->end())
    return;
  const bool SaysThreads = getenv("OMP_NUM_THREADS") != nullptr;
  const int Threads = __kmp_dflt_team_nth;
  if (SaysThreads ? Threads < 2
                  : !wantsMore("OMP_PLACES") && !wantsMore("OMP_PROC_BIND"))
    return;
  warnOf("This process may run on processor %d only, one of %d: all its "
         "threads share it. It has inherited that from what started it: "
         "taskset, a batch system, or a program that had bound its own "
         "thread. To undo it: taskset -c 0-%d PROGRAM.",
         Only, __kmp_xproc, __kmp_xproc - 1);
}

} // namespace

void warnOfRanks() {
  if (isStock() || !KMP_AFFINITY_CAPABLE())
    return;
  const LocalRanks Ranks = localRanks();
  if (Ranks.Count == 0)
    return warnOfOneProcessor();
  if (Ranks.Mine != 0)
    return;
  const size_t Bytes = CPU_ALLOC_SIZE(__kmp_affin_mask_size * CHAR_BIT);
  cpu_set_t *Mine = static_cast<cpu_set_t *>(KMP_ALLOCA(Bytes));
  CPU_ZERO_S(Bytes, Mine);
  forEachCpu(__kmp_affin_origMask,
             [=](int Cpu) { CPU_SET_S(size_t(Cpu), Bytes, Mine); });
  const int Count = CPU_COUNT_S(Bytes, Mine), Threads = __kmp_dflt_team_nth;
  char Text[256];
  // Open MPI binds each of one or two ranks to one core if nobody says how.
  if (Threads > Count && Count < __kmp_xproc) {
    snprintf(Text, sizeof(Text),
             "The launcher has left this rank %d of the %d processors, which "
             "its %d threads share.",
             Count, __kmp_xproc, Threads);
    warnAndAdvise(Text, Threads);
  }
  if (Ranks.Count == 1 || __kmp_affinity.type == affinity_none)
    return;
  const int Others = countSharing(Mine, Bytes, Ranks.Count);
  // Where nothing is known of the others, all have as many processors: if that
  // is more than there are, some belong to several ranks.
  if (Others < 0 ? int64_t(Count) * Ranks.Count <= __kmp_xproc : Others == 0)
    return;
  char Sharing[16];
  snprintf(Sharing, sizeof(Sharing), Others < 0 ? "Some" : "%d", Others + 1);
  snprintf(Text, sizeof(Text),
           "%s of the %d ranks on this machine may run on the same processors "
           "(this one has %d of %d), and bind their threads to the same.",
           Sharing, Ranks.Count, Count, __kmp_xproc);
  warnAndAdvise(Text,
                Ranks.Count < __kmp_xproc ? __kmp_xproc / Ranks.Count : 1);
}

} // namespace locus
