// beside LIBRARY...: loads each library for itself, as Python does with
// modules, and calls `work` in all of them twice, in turns.
#include <dlfcn.h>
#include <stdio.h>

int main(int ArgCount, char **Args) {
  enum { Most = 4 };
  int (*Work[Most])(void) = {NULL};
  for (int I = 1; I < ArgCount && I <= Most; ++I) {
    void *Library = dlopen(Args[I], RTLD_NOW | RTLD_LOCAL);
    if (Library)
      Work[I - 1] = (int (*)(void))dlsym(Library, "work");
    if (!Work[I - 1]) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
  }
  for (int Turn = 0; Turn < 2; ++Turn)
    for (int I = 1; I < ArgCount && I <= Most; ++I) {
      printf("%d: %s\n", I, Work[I - 1]() ? "right" : "wrong");
      fflush(stdout);
    }
  return 0;
}
