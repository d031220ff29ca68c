//===-- steal.cpp - The cost of stolen tasks, with oneTBB -----------------===//

#include "../steal/steal.h"
#include "tbb.h"

#include <tbb/task_group.h>

static uint64_t tree(int Depth) {
  if (Depth == 0)
    return stealLoop();
  uint64_t A, B;
  tbb::task_group Group;
  Group.run([&] { A = tree(Depth - 1); });
  B = tree(Depth - 1);
  Group.wait();
  return A + B;
}

static uint64_t treeRounds(long Rounds, int Depth) {
  uint64_t Sum = 0;
  benchArena().execute([&] {
    for (long I = 0; I < Rounds; ++I)
      Sum += tree(Depth);
  });
  return Sum;
}

int main(int ArgCount, char **Args) {
  return stealMain("steal-tbb", ArgCount, Args);
}
