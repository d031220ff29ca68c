// Preloaded: what fopen is asked for of control groups is read below $ROOT.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *fopen(const char *Path, const char *Mode) {
  FILE *(*Next)(const char *, const char *) =
      (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  char Rooted[PATH_MAX];
  if (strcmp(Path, "/proc/self/cgroup") == 0 ||
      strcmp(Path, "/proc/self/mountinfo") == 0 || strstr(Path, "/cpu.")) {
    snprintf(Rooted, sizeof(Rooted), "%s%s", getenv("ROOT"), Path);
    Path = Rooted;
  }
  return Next(Path, Mode);
}
