// What the tests of the runtime share: checks, waits that end, and answers to
// "where am I" that do not come from the runtime under test.

#ifndef LOCUS_TEST_CHECK_H
#define LOCUS_TEST_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Ends the program at once: other threads may wait for what never comes.
__attribute__((noreturn, format(printf, 3, 4))) static void
failAt(const char *File, int Line, const char *Format, ...) {
  va_list Arguments;
  char Text[512];
  va_start(Arguments, Format);
  vsnprintf(Text, sizeof(Text), Format, Arguments);
  va_end(Arguments);
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s\n", File, Line, Text);
  _exit(1);
}

#define FAIL(...) failAt(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(Condition, ...)                                                  \
  ((Condition) ? (void)0 : FAIL(#Condition ": " __VA_ARGS__))
/// Both values are shown.
#define CHECK_EQUAL(Is, Should, What)                                          \
  do {                                                                         \
    long Is_ = (long)(Is), Should_ = (long)(Should);                           \
    if (Is_ != Should_)                                                        \
      FAIL("%s: %s is %ld, not %ld", What, #Is, Is_, Should_);                 \
  } while (0)

static int add(int *Counter, int Number) {
  return __atomic_add_fetch(Counter, Number, __ATOMIC_SEQ_CST);
}
static int get(const int *Counter) {
  return __atomic_load_n(Counter, __ATOMIC_SEQ_CST);
}
static void set(int *Flag, int Value) {
  __atomic_store_n(Flag, Value, __ATOMIC_SEQ_CST);
}

static double seconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

/// The processor time of the calling thread: the clock for the limit of a loop
/// that spins. On a busy machine it goes slower.
static double threadSeconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

/// Waits, without a task scheduling point, until \p Counter is \p Least.
#define WAIT_FOR(Counter, Least)                                               \
  do {                                                                         \
    double Start_ = threadSeconds();                                           \
    while (get(Counter) < (Least)) {                                           \
      if (threadSeconds() - Start_ > 40)                                       \
        FAIL("%s stays at %d, never %d", #Counter, get(Counter), (Least));     \
      sched_yield();                                                           \
    }                                                                          \
  } while (0)

/// Spends a little time, different for each \p Seed, so that rounds of a race
/// do not all look alike.
static void dither(unsigned Seed) {
  Seed = Seed * 2654435761u;
  for (volatile unsigned I = 0; I < (Seed >> 20) % 2048; ++I)
    ;
}

/// \p Value modulo \p Count as the design has it: never negative.
static int modulo(intptr_t Value, int Count) {
  intptr_t Rest = Value % Count;
  return (int)(Rest < 0 ? Rest + Count : Rest);
}

/// Whether the machine is the pretended one of run-each, node:4 pu:2.
static int isSynthetic(void) {
  const char *Machine = getenv("HWLOC_SYNTHETIC");
  if (Machine && strcmp(Machine, "node:4 pu:2") != 0)
    FAIL("HWLOC_SYNTHETIC=%s: the tests only know node:4 pu:2", Machine);
  return Machine != NULL;
}

/// The team node of an OS node: LOCUS_TEST_NODES lists the team's OS nodes in
/// order; without it they are numbered alike. -1 if the team has none there.
static int teamNodeOf(int OsNode) {
  const char *List = getenv("LOCUS_TEST_NODES");
  if (!List)
    return OsNode;
  for (int Node = 0; *List; ++Node) {
    char *End;
    if (strtol(List, &End, 10) == OsNode)
      return Node;
    if (End == List)
      FAIL("LOCUS_TEST_NODES is not a list of numbers");
    List = *End == ',' ? End + 1 : End;
  }
  return -1;
}

/// The team node of thread \p Thread, on the pretended machine.
static int syntheticNodeOf(int Thread) { return Thread % 8 / 2; }

/// The team node that the calling thread is on: for the pretended machine by
/// its number, for a real one by the kernel's word, which only counts if the
/// thread is bound (or there is only one node).
static int nodeHere(void) {
  if (isSynthetic())
    return syntheticNodeOf(omp_get_thread_num());
  unsigned OsNode;
  if (syscall(SYS_getcpu, NULL, &OsNode, NULL) != 0)
    FAIL("getcpu: %s", strerror(errno));
  return teamNodeOf((int)OsNode);
}

/// The OS node that has the page at \p Address; negative if there is none yet.
static int osNodeOf(void *Address) {
  void *Page = (void *)((uintptr_t)Address & ~(uintptr_t)(getpagesize() - 1));
  int Node = -1;
  if (syscall(SYS_move_pages, 0, 1ul, &Page, NULL, &Node, 0) != 0)
    FAIL("move_pages: %s", strerror(errno));
  return Node;
}

/// \p Count pages that nobody has touched.
static char *newPages(int Count) {
  size_t Bytes = (size_t)Count * (size_t)getpagesize();
  void *Pages = mmap(NULL, Bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Pages == MAP_FAILED)
    FAIL("mmap: %s", strerror(errno));
  madvise(Pages, Bytes, MADV_NOHUGEPAGE); // each page has a node of its own
  return (char *)Pages;
}

#endif
