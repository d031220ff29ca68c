//===- machine/launched.cpp - What a launcher has left us -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/launched.h"

#include <dirent.h>
#include <initializer_list>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace locus {

//===----------------------------------------------------------------------===//
// A control group's share of CPU time
//===----------------------------------------------------------------------===//

namespace {

/// The lines of a file, none if it can't be read.
class Lines {
public:
  /// Of \p Folder/\p Name.
  Lines(const char *Folder, const char *Name) {
    char Path[PATH_MAX];
    if (snprintf(Path, sizeof(Path), "%s/%s", Folder, Name) < int(sizeof(Path)))
      File = fopen(Path, "re");
  }
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
  FILE *File = nullptr;
  char *Text = nullptr;
  size_t Size = 0;
};

/// Where the process stands in one hierarchy of control groups.
struct ControlGroup {
  bool IsVersion2;
  char Group[PATH_MAX] = "";      ///< of the process, from the root
  char MountPoint[PATH_MAX] = ""; ///< in the file system
  char MountRoot[PATH_MAX] = "";  ///< the group that is seen there
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
void readGroups(const char *Root, ControlGroup &V1, ControlGroup &V2) {
  Lines File(Root, "proc/self/cgroup");
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
void readMounts(const char *Root, ControlGroup &V1, ControlGroup &V2) {
  Lines File(Root, "proc/self/mountinfo");
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
    ControlGroup &Found = IsVersion2 ? V2 : V1;
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
  Lines File(Folder, Name);
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

/// The smaller one of two limits; 0 is none.
int lesser(int A, int B) { return A && (!B || A < B) ? A : B; }

/// The least limit from the group of the process up to the highest one that is
/// seen. Where the mount does not show the group, as in some containers, what
/// is mounted is the best that can be known.
int leastQuota(const char *Root, const ControlGroup &Of) {
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
    Least = lesser(quotaOf(Folder, Of.IsVersion2), Least);
    if (End <= Highest)
      return Least;
    while (End > Highest && Folder[End - 1] != '/')
      --End;
  }
}

} // namespace

int cpuQuota(const char *Root) {
  ControlGroup V1{false}, V2{true};
  readGroups(Root, V1, V2);
  if (V1.Group[0] || V2.Group[0])
    readMounts(Root, V1, V2);
  int Least = 0;
  for (const ControlGroup *Each : {&V2, &V1})
    if (Each->Group[0] && Each->MountPoint[0])
      Least = lesser(leastQuota(Root, *Each), Least);
  return Least;
}

//===----------------------------------------------------------------------===//
// Processes of the same launcher
//===----------------------------------------------------------------------===//

/// 0 if it is not known.
static int parentOf(int Process) {
  char Folder[32];
  snprintf(Folder, sizeof(Folder), "/proc/%d", Process);
  Lines File(Folder, "stat");
  const char *Line = File.next();
  // "number (name) state parent": the name may have any characters.
  const char *Behind = Line ? strrchr(Line, ')') : nullptr;
  int Parent = 0;
  return Behind && sscanf(Behind, ") %*c %d", &Parent) == 1 ? Parent : 0;
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
