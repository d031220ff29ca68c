// Where the pages of allocators are, exactly, by the kernel's word: after a
// first touch by a thread of another node, of all partitions, and of memory
// that omp_set_data_nodes moves. On the pretended machine all pages are on node
// 0; alloc_guest.test has real nodes.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: env OMP_PROC_BIND=close OMP_PLACES=cores %run %t

#include "check.h"
#include <linux/mempolicy.h>

enum { MostNodes = 64, MostPages = 128 };
static size_t Page;
static int Homes[MostNodes]; // by team node
/// The nodes that memory is spread over, in the team's order and ascending.
static int NumNodes, Blocks[MostNodes], Sorted[MostNodes];

/// For each team node the OS node that its memory is on: LOCUS_TEST_HOMES, or,
/// if it is not set, itself.
static void readHomes(void) {
  const char *List = getenv("LOCUS_TEST_HOMES");
  NumNodes = omp_get_num_nodes();
  CHECK(NumNodes <= MostNodes, "%d nodes", NumNodes);
  for (int Node = 0; Node < NumNodes; ++Node) {
    Homes[Node] = -1;
    for (int Os = 0; !List && Os < MostNodes; ++Os)
      if (teamNodeOf(Os) == Node)
        Homes[Node] = Os;
    if (List) {
      char *End;
      Homes[Node] = (int)strtol(List, &End, 10);
      List = *End == ',' ? End + 1 : End;
    }
    if (isSynthetic())
      Homes[Node] = 0;
    CHECK(Homes[Node] >= 0, "team node %d has no OS node", Node);
  }
}

/// What is wanted more than once counts once.
static int withoutTwins(int *List, int Count) {
  int Kept = 0;
  for (int I = 0; I < Count; ++I) {
    int IsNew = 1;
    for (int J = 0; J < Kept; ++J)
      IsNew &= List[J] != List[I];
    if (IsNew)
      List[Kept++] = List[I];
  }
  return Kept;
}

static int ascending(const void *A, const void *B) {
  return *(const int *)A - *(const int *)B;
}

/// The OS node of page \p I of \p Pages.
static int wanted(int Partition, int Part, int I, int Pages, int Nearest) {
  if (Partition == omp_atv_nearest)
    return Nearest;
  if (Partition == omp_atv_interleaved)
    return Sorted[I / Part % NumNodes];
  for (int Node = 0, End = 0;; ++Node) {
    End += Pages / NumNodes + (Node < Pages % NumNodes);
    if (I < End)
      return Blocks[Node];
  }
}

/// All pages of \p Memory: touched, and where they should be.
static void checkPages(char *Memory, int Partition, int Part, int Pages,
                       int Nearest, const char *What) {
  for (int I = 0; I < Pages; ++I) {
    Memory[(size_t)I * Page] = 1;
    const int Is = osNodeOf(Memory + (size_t)I * Page);
    const int Should = wanted(Partition, Part, I, Pages, Nearest);
    if (Is != Should)
      FAIL("%s, partition %d in parts of %d: page %d of %d is on node %d, not "
           "%d",
           What, Partition, Part, I, Pages, Is, Should);
  }
}

/// The OS node of memory that is near to the caller.
static int nearHere(void) { return Homes[omp_get_node_num()]; }

static omp_allocator_handle_t make(int Partition, int Part) {
  omp_alloctrait_t Traits[] = {{omp_atk_partition, (omp_uintptr_t)Partition},
                               {omp_atk_part_size, (size_t)Part * Page},
                               {omp_atk_fallback, omp_atv_null_fb}};
  return omp_init_allocator(omp_default_mem_space, 3, Traits);
}

static void allocateAll(const char *What) {
  const int Partitions[] = {omp_atv_nearest, omp_atv_blocked,
                            omp_atv_interleaved};
  const int Sizes[] = {1, 2, 7, 64, MostPages - 1};
  const int Near = nearHere();
  for (int P = 0; P < 3; ++P)
    for (int Part = 1; Part <= 3; ++Part)
      for (int S = 0; S < 5; ++S) {
        const int Pages = Sizes[S];
        const size_t Size = (size_t)Pages * Page;
        omp_allocator_handle_t A = make(Partitions[P], Part);
        char *M = omp_alloc(Size - 5, A);
        char *N = omp_calloc((size_t)Pages, Page, A);
        CHECK(M && N, "%d pages", Pages);
        // It is known before the first touch, where there is a choice.
        const int HasNodes =
            access("/sys/devices/system/node/node1", F_OK) == 0;
        for (int I = 0; I < Pages && HasNodes && !isSynthetic(); ++I) {
          const int Home = wanted(Partitions[P], Part, I, Pages, Near);
          const int Node = omp_get_node_from_data(M + (size_t)I * Page);
          if (teamNodeOf(Home) >= 0 && Node != teamNodeOf(Home))
            FAIL("page %d of %d is said to be on node %d, not %d", I, Pages,
                 Node, teamNodeOf(Home));
        }
        checkPages(M, Partitions[P], Part, Pages, Near, What);
        checkPages(N, Partitions[P], Part, Pages, Near, What);
        M[Size - 6] = 9;
        M = omp_realloc(M, 2 * Size, A, A);
        CHECK(M && M[Size - 6] == 9, "omp_realloc of %d pages", Pages);
        checkPages(M, Partitions[P], Part, 2 * Pages, Near, "omp_realloc");
        omp_free(M, A);
        omp_free(N, A);
        omp_destroy_allocator(A);
      }
}

/// Each thread allocates, and another one touches.
static void allocateNear(void) {
  enum { Most = 64 };
  char *Memory[Most] = {0};
  int Near[Most], Threads = 0;
  omp_allocator_handle_t A = make(omp_atv_nearest, 1);
#pragma omp parallel
  {
    const int T = omp_get_thread_num();
#pragma omp masked
    Threads = omp_get_num_threads();
    Near[T] = nearHere();
    Memory[T] = omp_alloc(5 * Page, A);
  }
  for (int T = 0; T < Threads; ++T) {
    checkPages(Memory[T], omp_atv_nearest, 1, 5, Near[T], "each thread");
    omp_free(Memory[T], A);
  }
  omp_destroy_allocator(A);
}

/// Leaves the page at \p Address on its node: the kernel's balancing moves
/// pages without a policy.
static void keepThere(void *Address) {
  if (syscall(SYS_mbind, Address, Page, MPOL_PREFERRED, NULL, 0ul, 0u) != 0)
    FAIL("mbind: %s", strerror(errno));
}

/// Memory of the program, of which some pages are there.
static void setAll(void) {
  const int Partitions[] = {omp_atv_nearest, omp_atv_blocked,
                            omp_atv_interleaved};
  const omp_data_policy_t Policies[] = {omp_data_nearest, omp_data_blocked,
                                        omp_data_interleaved};
  const int Near = nearHere();
  for (int P = 0; P < 3; ++P)
    for (int Part = 1; Part <= 3; ++Part) {
      char *M = newPages(MostPages);
      for (int I = 0; I < MostPages; I += 2)
        M[(size_t)I * Page] = (char)I;
      keepThere(M + (MostPages - 2) * Page);
      // What is not a whole page at the ends stays.
      const int Last = osNodeOf(M + (MostPages - 2) * Page);
      const int Error =
          omp_set_data_nodes(M + 1, (MostPages - 2) * Page + Page / 2,
                             Policies[P], (size_t)Part * Page, 1);
      if (isSynthetic()) {
        CHECK_EQUAL(Error, ENOTSUP, "on a pretended machine");
      } else {
        CHECK_EQUAL(Error, 0, "omp_set_data_nodes");
        const int Pages = MostPages - 3;
        // Parts of a page go by the page's address: any node may be the first.
        int Shift = 0;
        (void)*(volatile char *)(M + 2 * Page); // balancing hides unused pages
        while (Part == 1 && P == 2 && Shift < NumNodes - 1 &&
               Sorted[(Shift + 1) % NumNodes] != osNodeOf(M + 2 * Page))
          ++Shift;
        for (int I = 0; I < Pages; ++I) {
          char *At = M + (size_t)(I + 1) * Page;
          const char Was = *At;
          CHECK_EQUAL(Was, (I + 1) % 2 ? 0 : (char)(I + 1), "what is in there");
          *At = 1;
          CHECK_EQUAL(
              osNodeOf(At),
              wanted(Partitions[P], Part, I + Shift, Pages + Shift, Near),
              "page of the program");
        }
        CHECK_EQUAL(osNodeOf(M + (MostPages - 2) * Page), Last, "the end");
      }
      munmap(M, MostPages * Page);
    }
  char *M = newPages(4);
  CHECK_EQUAL(omp_set_data_nodes(M, 4 * Page, (omp_data_policy_t)4, 0, 0),
              EINVAL, "no policy");
  CHECK_EQUAL(omp_set_data_nodes(NULL, 4 * Page, omp_data_blocked, 0, 0),
              EINVAL, "no memory");
  CHECK_EQUAL(omp_set_data_nodes(M, SIZE_MAX, omp_data_blocked, 0, 0), EINVAL,
              "too much");
  CHECK_EQUAL(omp_set_data_nodes(M + 1, 2 * Page - 2, omp_data_blocked, 0, 0),
              ERANGE, "no whole page");
  munmap(M, 4 * Page);
  if (!isSynthetic())
    CHECK_EQUAL(omp_set_data_nodes(M, 4 * Page, omp_data_blocked, 0, 0), EFAULT,
                "not mapped");
}

int main(void) {
  Page = (size_t)getpagesize();
  readHomes();
  // Two team nodes may have their memory on one node.
  memcpy(Blocks, Homes, sizeof(Homes));
  NumNodes = withoutTwins(Blocks, NumNodes);
  memcpy(Sorted, Blocks, sizeof(Blocks));
  qsort(Sorted, (size_t)NumNodes, sizeof(int), ascending);
  allocateAll("initial team");
#pragma omp parallel
#pragma omp single
  allocateAll("parallel region");
  allocateNear();
  setAll();
  printf("%d nodes\n", NumNodes);
  return 0;
}
