//===- machine/cpu_quota.cpp - A control group's share of CPU time --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/cpu_quota.h"

#include <initializer_list>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace locus {

namespace {

/// The lines of a file, none if it can't be read.
class Lines {
public:
  explicit Lines(const char *Path) : File(fopen(Path, "re")) {}
  ~Lines() {
    free(Text);
    if (File)
      fclose(File);
  }
  Lines(const Lines &) = delete;
  Lines &operator=(const Lines &) = delete;

  /// The next one, without its end; null behind the last.
  char *next() {
    if (!File || getline(&Text, &Size, File) <= 0)
      return nullptr;
    Text[strcspn(Text, "\n")] = '\0';
    return Text;
  }

private:
  FILE *File;
  char *Text = nullptr;
  size_t Size = 0;
};

/// Where the process stands in one hierarchy of control groups.
struct Hierarchy {
  bool IsVersion2;
  char Group[PATH_MAX] = "";      ///< of the process, from the root
  char MountPoint[PATH_MAX] = ""; ///< in the file system
  char MountRoot[PATH_MAX] = "";  ///< the group that is seen there

  bool isComplete() const { return Group[0] && MountPoint[0]; }
};

/// Whether \p Word stands in \p List, between commas.
bool isListed(const char *List, const char *Word) {
  const size_t Length = strlen(Word);
  for (const char *At = List; At; At = strchr(At, ',')) {
    At += *At == ',';
    if (strncmp(At, Word, Length) == 0 &&
        (At[Length] == ',' || At[Length] == '\0'))
      return true;
  }
  return false;
}

void copy(char (&To)[PATH_MAX], const char *From) {
  snprintf(To, sizeof(To), "%s", From);
}

/// /proc/self/cgroup: "number:controllers:group", without controllers for
/// version 2.
void readGroups(const char *Root, Hierarchy &V1, Hierarchy &V2) {
  char Path[PATH_MAX];
  snprintf(Path, sizeof(Path), "%s/proc/self/cgroup", Root);
  Lines File(Path);
  while (char *Line = File.next()) {
    char *Controllers = strchr(Line, ':');
    char *Group = Controllers ? strchr(++Controllers, ':') : nullptr;
    if (!Group)
      continue;
    *Group++ = '\0';
    if (*Controllers == '\0')
      copy(V2.Group, Group);
    else if (isListed(Controllers, "cpu"))
      copy(V1.Group, Group);
  }
}

/// /proc/self/mountinfo: the fourth and fifth words of a line are what is
/// mounted and where; behind a lone "-" stand the type, the source and the
/// options, which name the controllers in version 1.
void readMounts(const char *Root, Hierarchy &V1, Hierarchy &V2) {
  char Path[PATH_MAX];
  snprintf(Path, sizeof(Path), "%s/proc/self/mountinfo", Root);
  Lines File(Path);
  while (char *Line = File.next()) {
    char *Tail = strstr(Line, " - cgroup");
    if (!Tail)
      continue;
    *Tail = '\0';
    char *Rest;
    const char *Type = strtok_r(Tail + 3, " ", &Rest);
    strtok_r(nullptr, " ", &Rest);
    const char *Options = strtok_r(nullptr, " ", &Rest);
    const bool IsVersion2 = strcmp(Type, "cgroup2") == 0;
    if (!IsVersion2 && !(Options && isListed(Options, "cpu")))
      continue;
    Hierarchy &Found = IsVersion2 ? V2 : V1;
    if (Found.MountPoint[0]) // the first one is where all programs look
      continue;
    const char *Word = strtok_r(Line, " ", &Rest);
    for (int I = 0; Word && I < 5; ++I) {
      if (I == 3)
        copy(Found.MountRoot, Word);
      if (I == 4)
        copy(Found.MountPoint, Word);
      Word = strtok_r(nullptr, " ", &Rest);
    }
  }
}

/// The numbers of a file, at most \p Most; how many there are. Where the file
/// says "max", or a negative number, there is no limit, and none is read.
int readNumbers(const char *Folder, const char *Name, long long *Numbers,
                int Most) {
  char Path[PATH_MAX];
  if (snprintf(Path, sizeof(Path), "%s/%s", Folder, Name) >= int(sizeof(Path)))
    return 0;
  Lines File(Path);
  const char *At = File.next();
  int Count = 0;
  while (At && Count < Most) {
    char *End;
    Numbers[Count] = strtoll(At, &End, 10);
    if (End == At || Numbers[Count] <= 0)
      break;
    ++Count;
    At = End;
  }
  return Count;
}

/// The processors that the group in \p Folder may have; 0 for no limit.
int quotaOf(const char *Folder, bool IsVersion2) {
  long long Time[2]; // quota and period, in microseconds
  const bool Known =
      IsVersion2 ? readNumbers(Folder, "cpu.max", Time, 2) == 2
                 : readNumbers(Folder, "cpu.cfs_quota_us", Time, 1) == 1 &&
                       readNumbers(Folder, "cpu.cfs_period_us", Time + 1, 1);
  if (!Known)
    return 0;
  const long long Count = Time[0] / Time[1] + (Time[0] % Time[1] != 0);
  return Count < INT_MAX ? int(Count) : INT_MAX;
}

/// The least limit from the group of the process up to the highest one that is
/// seen. Where the mount does not show the group, as in some containers, what
/// is mounted is the best that can be known.
int leastQuota(const char *Root, const Hierarchy &Of) {
  const size_t Hidden =
      strcmp(Of.MountRoot, "/") == 0 ? 0 : strlen(Of.MountRoot);
  const char *Group = Of.Group + Hidden;
  if (strncmp(Of.Group, Of.MountRoot, Hidden) != 0 ||
      (*Group != '/' && *Group != '\0') || strncmp(Group, "/..", 3) == 0)
    Group = "";
  char Folder[PATH_MAX];
  if (snprintf(Folder, sizeof(Folder), "%s%s%s", Root, Of.MountPoint, Group) >=
      int(sizeof(Folder)))
    return 0;
  const size_t Highest = strlen(Root) + strlen(Of.MountPoint);
  int Least = 0;
  for (size_t End = strlen(Folder);;) {
    while (End > Highest && Folder[End - 1] == '/')
      --End;
    Folder[End] = '\0';
    const int Here = quotaOf(Folder, Of.IsVersion2);
    if (Here && (!Least || Here < Least))
      Least = Here;
    if (End <= Highest)
      return Least;
    while (End > Highest && Folder[End - 1] != '/')
      --End;
  }
}

} // namespace

int cpuQuota(const char *Root) {
  Hierarchy V1{false}, V2{true};
  readGroups(Root, V1, V2);
  if (V1.Group[0] || V2.Group[0])
    readMounts(Root, V1, V2);
  int Least = 0;
  for (const Hierarchy *Each : {&V2, &V1}) {
    const int Here = Each->isComplete() ? leastQuota(Root, *Each) : 0;
    if (Here && (!Least || Here < Least))
      Least = Here;
  }
  return Least;
}

} // namespace locus
