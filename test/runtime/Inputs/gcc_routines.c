// Routines and directives of OpenMP 5.0 to 5.2 as gcc's programs call them.

#include "check.h"

#pragma weak omp_get_num_nodes
int omp_get_num_nodes(void);

static int isAligned(const void *Memory, size_t Align) {
  return Memory && (uintptr_t)Memory % Align == 0;
}

static void checkAllocator(omp_allocator_handle_t Allocator, size_t Align) {
  char *Memory = omp_alloc(100, Allocator);
  CHECK(isAligned(Memory, Align), "omp_alloc");
  memset(Memory, 5, 100);
  Memory = omp_realloc(Memory, 5000, Allocator, Allocator);
  CHECK(Memory && Memory[99] == 5, "omp_realloc");
  memset(Memory, 6, 5000);
  omp_free(Memory, Allocator);
  Memory = omp_aligned_alloc(256, 512, Allocator);
  CHECK(isAligned(Memory, 256), "omp_aligned_alloc");
  omp_free(Memory, Allocator);
  long *Zeros = omp_calloc(10, sizeof(long), Allocator);
  CHECK(Zeros && Zeros[9] == 0, "omp_calloc");
  omp_free(Zeros, Allocator);
  Zeros = omp_aligned_calloc(128, 16, sizeof(long), Allocator);
  CHECK(isAligned(Zeros, 128) && Zeros[15] == 0, "omp_aligned_calloc");
  omp_free(Zeros, Allocator);
}

static void allocators(void) {
  checkAllocator(omp_default_mem_alloc, 8);
  checkAllocator(omp_null_allocator, 8);
  omp_alloctrait_t Traits[] = {{omp_atk_alignment, 64},
                               {omp_atk_pool_size, 1 << 16},
                               {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t Mine =
      omp_init_allocator(omp_default_mem_space, 3, Traits);
  CHECK(Mine != omp_null_allocator, "omp_init_allocator");
  checkAllocator(Mine, 64);
  CHECK(!omp_alloc(1 << 20, Mine), "more than the pool");
  omp_allocator_handle_t Before = omp_get_default_allocator();
  omp_set_default_allocator(Mine);
  CHECK(omp_get_default_allocator() == Mine, "omp_set_default_allocator");
  omp_set_default_allocator(Before);
  omp_destroy_allocator(Mine);
  int Array[64];
  int *Where = NULL;
#pragma omp parallel num_threads(2) private(Array)                             \
    allocate(omp_default_mem_alloc : Array) shared(Where)
  {
    for (int I = 0; I < 64; ++I)
      Array[I] = I;
#pragma omp single
    Where = Array;
  }
  CHECK(Where, "the allocate clause");
}

static void values(void) {
  CHECK(omp_get_supported_active_levels() > 0, "active levels");
  CHECK_EQUAL(omp_get_device_num(), omp_get_initial_device(), "the host");
  omp_set_num_teams(3);
  CHECK_EQUAL(omp_get_max_teams(), 3, "omp_set_num_teams");
  omp_set_teams_thread_limit(2);
  CHECK_EQUAL(omp_get_teams_thread_limit(), 2, "omp_set_teams_thread_limit");
  int Teams = 0;
#pragma omp teams shared(Teams) num_teams(2)
  add(&Teams, 1);
  CHECK_EQUAL(Teams, 2, "teams");
}

/// What gcc 13 and 14 added.
static void newer(void) {
#if __GNUC__ >= 13
  CHECK_EQUAL(omp_in_explicit_task(), 0, "the initial task");
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int Round = 0; Round < 50; ++Round) {
    int First = 0, Second = 0, Saw = 0;
#pragma omp task depend(out : First) shared(First)
    {
      CHECK_EQUAL(omp_in_explicit_task(), 1, "a task");
      dither((unsigned)Round);
      First = 3;
    }
#pragma omp taskwait depend(in : First) depend(out : Second) nowait
#pragma omp task depend(in : Second) shared(First, Second, Saw)
    Saw = First + Second;
#pragma omp taskwait
    CHECK_EQUAL(Saw, 3, "behind taskwait nowait");
  }
#endif
#if __GNUC__ >= 14
  // gfortran's programs call these.
  void GOMP_add_alloc(void *);
  _Bool GOMP_is_alloc(void *);
  void *GOMP_target_map_indirect_ptr(void *);
  static char Memory[5000];
  for (int I = 0; I < 5000; ++I)
    GOMP_add_alloc(Memory + I);
  GOMP_add_alloc(NULL);
  CHECK(!GOMP_is_alloc(&newer) && !GOMP_is_alloc(NULL), "of no allocator");
  for (int I = 4999; I >= 0; --I)
    CHECK(GOMP_is_alloc(Memory + I), "memory of an allocator");
  CHECK(!GOMP_is_alloc(Memory), "freed memory");
  CHECK(GOMP_target_map_indirect_ptr(Memory) == Memory, "on the host");
#endif
}

/// Constructs with entry points of their own.
static void constructs(void) {
  int Masked = 0, Scoped = 0, Sum = 0, Tasks = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp masked filter(2)
    add(&Masked, 10 + omp_get_thread_num());
#pragma omp scope reduction(+ : Scoped)
    Scoped += 1;
#pragma omp scope reduction(task, + : Sum)
    {
#pragma omp task in_reduction(+ : Sum)
      Sum += 3;
      Sum += 2;
    }
#pragma omp barrier
#pragma omp single
    {
      int Value = 0, Other = 0;
#pragma omp task depend(out : Value) shared(Value)
      {
        dither(7);
        Value = 4;
      }
#pragma omp task depend(out : Other) shared(Other)
      Other = 1;
#pragma omp taskwait depend(in : Value)
      Tasks = Value;
    }
  }
  CHECK_EQUAL(Masked, 12, "masked filter(2)");
  CHECK_EQUAL(Scoped, 4, "reduction of scope");
  CHECK_EQUAL(Sum, 20, "task reduction of scope");
  CHECK_EQUAL(Tasks, 4, "taskwait depend");
}

int main(int argc, char **argv) {
  CHECK(omp_get_num_nodes, "not our runtime");
  if (argc > 1 && strcmp(argv[1], "say") == 0) {
#pragma omp error at(execution) severity(warning) message("look out")
#pragma omp error at(execution) severity(warning)
    omp_display_env(0);
#pragma omp error at(execution) message("no further")
    printf("went on\n");
  }
  allocators();
  values();
  newer();
  for (int Round = 0; Round < 20; ++Round)
    constructs();
  return 0;
}
