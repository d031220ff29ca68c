//===- machine/siblings.cpp - Processes of the same launcher --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/siblings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace locus {

/// 0 if it is not known.
static int parentOf(int Process) {
  char Path[64], Line[512];
  snprintf(Path, sizeof(Path), "/proc/%d/stat", Process);
  FILE *File = fopen(Path, "re");
  if (!File)
    return 0;
  const size_t Bytes = fread(Line, 1, sizeof(Line) - 1, File);
  fclose(File);
  Line[Bytes] = '\0';
  // "number (name) state parent": the name may have any characters.
  const char *Behind = strrchr(Line, ')');
  int Parent = 0;
  if (!Behind || sscanf(Behind, ") %*c %d", &Parent) != 1)
    return 0;
  return Parent;
}

/// Calls \p Do for each process that a thread of \p Parent has started.
template <class Action> static void forEachChild(int Parent, Action Do) {
  char Path[300];
  snprintf(Path, sizeof(Path), "/proc/%d/task", Parent);
  DIR *Threads = opendir(Path);
  while (const dirent *Thread = Threads ? readdir(Threads) : nullptr) {
    snprintf(Path, sizeof(Path), "/proc/%d/task/%s/children", Parent,
             Thread->d_name);
    FILE *File = Thread->d_name[0] == '.' ? nullptr : fopen(Path, "re");
    if (!File)
      continue;
    for (int Child; fscanf(File, "%d", &Child) == 1;)
      Do(Child);
    fclose(File);
  }
  if (Threads)
    closedir(Threads);
}

int countSharing(const cpu_set_t *Mine, size_t Bytes, int Count) {
  cpu_set_t *Others = static_cast<cpu_set_t *>(malloc(Bytes));
  int Sharing = -1;
  // Between the launcher and this process there may be a shell or two.
  int Process = int(getpid());
  for (int Depth = 0; Others && Sharing < 0 && Depth < 4; ++Depth) {
    const int Parent = parentOf(Process);
    if (Parent <= 1)
      break;
    int Children = 0, Meeting = 0;
    forEachChild(Parent, [&](int Child) {
      ++Children;
      CPU_ZERO_S(Bytes, Others);
      if (Child == Process || sched_getaffinity(Child, Bytes, Others) != 0)
        return;
      CPU_AND_S(Bytes, Others, Others, Mine);
      Meeting += CPU_COUNT_S(Bytes, Others) != 0;
    });
    if (Children >= Count)
      Sharing = Meeting;
    Process = Parent;
  }
  free(Others);
  return Sharing;
}

} // namespace locus
