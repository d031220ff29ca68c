// Blocks come, grow, move and go, pages are moved behind the runtime's back,
// and processes fork: strict tasks run where the kernel says that their page
// is, always. (With several real nodes: alloc_guest.test.)
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: env OMP_PROC_BIND=close OMP_PLACES=cores OMP_NUM_THREADS=2 %run %t 300

#include "check.h"
#include <linux/mempolicy.h>
#include <sys/wait.h>

enum { Slots = 12, MostPages = 12 };

static size_t Page;
static omp_allocator_handle_t Allocators[3];
static struct {
  char *Memory;
  int Pages;
  omp_allocator_handle_t Allocator;
} Blocks[Slots];

static unsigned Seed;
static int draw(int Below) {
  Seed = Seed * 1664525u + 1013904223u;
  return (int)((Seed >> 8) % (unsigned)Below);
}

static int Strict, Wishes;

/// Tasks for some pages that are there.
static void useSome(int Count) {
  while (Count-- > 0) {
    const int S = draw(Slots);
    if (!Blocks[S].Memory)
      continue;
    char *At = Blocks[S].Memory + (size_t)draw(Blocks[S].Pages) * Page;
    const int IsStrict = draw(4) != 0;
    ++*(IsStrict ? &Strict : &Wishes);
    omp_set_task_affinity(omp_affinity_data, (uintptr_t)At, IsStrict);
#pragma omp task firstprivate(At, IsStrict)
    {
      const int Wanted = teamNodeOf(osNodeOf(At));
      if (IsStrict && Wanted >= 0 && nodeHere() != Wanted)
        FAIL("a strict task is on node %d, its page on %d", nodeHere(), Wanted);
      At[5] = 1;
    }
  }
#pragma omp taskwait
}

/// Somebody else's idea of where a few pages belong.
static void moveSome(void) {
  const int S = draw(Slots), To = draw(omp_get_num_nodes());
  if (!Blocks[S].Memory)
    return;
  const int First = draw(Blocks[S].Pages);
  char *From = Blocks[S].Memory + (size_t)First * Page;
  const size_t Bytes = (size_t)(1 + draw(Blocks[S].Pages - First)) * Page;
  int Os = 0;
  while (Os < 64 && teamNodeOf(Os) != To)
    ++Os;
  unsigned long Mask[16] = {1ul << Os};
  if (draw(3) == 0)
    CHECK_EQUAL(
        omp_set_data_nodes(From, Bytes, (omp_data_policy_t)(1 + draw(3)), 0, 1),
        0, "omp_set_data_nodes");
  else if (syscall(SYS_mbind, From, Bytes, MPOL_PREFERRED, Mask, 1024ul,
                   MPOL_MF_MOVE) != 0)
    FAIL("mbind: %s", strerror(errno));
}

static void change(void) {
  const int S = draw(Slots), Pages = 1 + draw(MostPages);
  const omp_allocator_handle_t A = Allocators[draw(3)];
  if (!Blocks[S].Memory) {
    Blocks[S].Memory = omp_alloc((size_t)Pages * Page, A);
    Blocks[S].Pages = Pages;
    Blocks[S].Allocator = A;
  } else if (draw(2)) {
    Blocks[S].Memory = omp_realloc(Blocks[S].Memory, (size_t)Pages * Page, A,
                                   Blocks[S].Allocator);
    Blocks[S].Pages = Pages;
    Blocks[S].Allocator = A;
  } else {
    omp_free(Blocks[S].Memory, draw(2) ? Blocks[S].Allocator : 0);
    Blocks[S].Memory = NULL;
  }
  if (Blocks[S].Memory)
    for (int I = 0; I < Blocks[S].Pages; ++I)
      Blocks[S].Memory[(size_t)I * Page] = 1;
}

static void run(int Steps) {
#pragma omp parallel
#pragma omp single
  for (int Step = 0; Step < Steps; ++Step) {
    change();
    if (draw(3) == 0)
      moveSome();
    useSome(4);
  }
}

/// The child has the parent's blocks, at the same addresses.
static void forkAndRun(int Steps) {
  fflush(stdout);
  const pid_t Child = fork();
  CHECK(Child >= 0, "fork");
  if (Child == 0) {
    alarm(200);
    Seed += 1;
    run(Steps);
    _exit(0);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  CHECK(WIFEXITED(Status) && WEXITSTATUS(Status) == 0, "child: %#x", Status);
}

int main(int argc, char **argv) {
  const int Steps = argc > 1 ? atoi(argv[1]) : 100;
  const int Partitions[] = {omp_atv_nearest, omp_atv_blocked,
                            omp_atv_interleaved};
  Page = (size_t)getpagesize();
  Seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  for (int P = 0; P < 3; ++P) {
    omp_alloctrait_t Traits[] = {
        {omp_atk_partition, (omp_uintptr_t)Partitions[P]}};
    Allocators[P] = omp_init_allocator(omp_default_mem_space, 1, Traits);
  }
  run(Steps);
  forkAndRun(Steps / 4);
  run(Steps / 4);
  printf("%d strict tasks, %d wishes\n", Strict, Wishes);
  CHECK(Strict > 0 && Wishes > 0, "nothing was tested");
  return 0;
}
