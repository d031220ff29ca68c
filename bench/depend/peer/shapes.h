//===-- shapes.h - Forms of dependence, for other libraries ---------------===//

#ifndef BENCH_DEPEND_PEER_SHAPES_H
#define BENCH_DEPEND_PEER_SHAPES_H

#include <array>
#include <cstdint>
#include <vector>

struct alignas(64) Cell {
  uint64_t Value;
};

/// The cells that a task reads, and the one that it writes; inout does both.
struct Access {
  std::array<long, 5> In;
  int InCount;
  long Out;
};

extern long Tasks;
extern std::vector<Cell> Cells;

Access accessOf(long Task);

/// What a task does.
void work(long Task);

/// All tasks of this run were created after so many seconds.
void noteCreation(double Seconds);

/// The program: \p Run creates all tasks, and returns when they have run.
int shapesMain(int ArgCount, char **Args, const char *Name, const char *Summary,
               void (*Run)());

#endif // BENCH_DEPEND_PEER_SHAPES_H
