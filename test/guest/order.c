// Whether an emulated Arm keeps an order that the deque needs
// (docs/numa-guest.md): each of two threads stores to one variable, then loads
// the other's. Each row is a way to do that, and says how often neither saw the
// other's store, and whether Arm allows it. Argument: the number of rounds.
// Exit status 1 if something forbidden was seen.

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  _Alignas(256) volatile unsigned long value;
} line;

static line variable[2], arrived[3][2];
static unsigned long loaded[2];
static unsigned long rounds, missed;
static int way;

static const char *const ways[] = {
    "STR, LDR on both            allowed  ",
    "STLR, LDAR on both          forbidden", // the thief, in claim()
    "STLR, DMB ISH, LDAR on both forbidden",
    "SWPAL, LDAR on both         forbidden", // the owner, in pop()
    "SWPAL, LDAR; STLR, LDAR     forbidden", // both
};

static unsigned long store_then_load(int self, volatile unsigned long *mine,
                                     volatile unsigned long *other) {
  unsigned long seen = 0;
#define DO(INSTRUCTIONS)                                                       \
  __asm__ volatile(".arch_extension lse\n" INSTRUCTIONS                        \
                   : "=&r"(seen)                                               \
                   : "r"(mine), "r"(1ul), "r"(other)                           \
                   : "memory")
  switch (way == 4 ? (self == 0 ? 3 : 1) : way) {
  case 0:
    DO("str %2, [%1]\n ldr %0, [%3]");
    break;
  case 1:
    DO("stlr %2, [%1]\n ldar %0, [%3]");
    break;
  case 2:
    DO("stlr %2, [%1]\n dmb ish\n ldar %0, [%3]");
    break;
  case 3:
    DO("swpal %2, %0, [%1]\n ldar %0, [%3]");
    break;
  }
  return seen;
}

/// Both threads are here, for the \p Round-th time. By fences, which QEMU
/// keeps.
static void meet(int self, line *at, unsigned long round) {
  __sync_synchronize();
  at[self].value = round;
  while (at[!self].value < round)
    __asm__ volatile("yield" ::: "memory");
  __sync_synchronize();
}

static void *run(void *number) {
  const int self = number != NULL;
  cpu_set_t cpu;
  CPU_ZERO(&cpu);
  CPU_SET(self, &cpu);
  sched_setaffinity(0, sizeof(cpu), &cpu);
  for (unsigned long round = way * rounds + 1; round <= (way + 1) * rounds;
       ++round) {
    meet(self, arrived[0], round);
    // Now the one, now the other comes a little late.
    for (volatile unsigned long i =
             self == (int)(round & 1) ? round * 2654435761u >> 7 & 7 : 0;
         i > 0; --i)
      ;
    loaded[self] =
        store_then_load(self, &variable[self].value, &variable[!self].value);
    meet(self, arrived[1], round);
    if (self == 0) {
      missed += loaded[0] == 0 && loaded[1] == 0;
      variable[0].value = variable[1].value = 0;
    }
    meet(self, arrived[2], round);
  }
  return NULL;
}

int main(int argc, char **argv) {
  unsigned long forbidden = 0;
  rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
  for (way = 0; way < 5; ++way) {
    missed = 0;
    pthread_t other;
    if (pthread_create(&other, NULL, run, &way) != 0)
      return 1;
    run(NULL);
    pthread_join(other, NULL);
    printf("%s %6lu of %lu\n", ways[way], missed, rounds);
    fflush(stdout);
    forbidden += way == 0 ? 0 : missed;
  }
  return forbidden != 0;
}
