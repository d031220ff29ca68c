// A node that has not enough memory: what the fallback trait says, and never
// the end of the program. For a machine of several nodes with a few hundred MB
// each (alloc_guest.test).
//
// RUN: %build

#include "check.h"

enum { Chunk = 16 << 20, Most = 64, Rest = 4 };

static omp_allocator_handle_t make(int FallBack, omp_allocator_handle_t Other) {
  omp_alloctrait_t Traits[] = {{omp_atk_partition, omp_atv_nearest},
                               {omp_atk_fallback, (omp_uintptr_t)FallBack},
                               {omp_atk_fb_data, (omp_uintptr_t)Other}};
  return omp_init_allocator(omp_default_mem_space, 3, Traits);
}

/// Touches all pages of \p Memory; how many are on OS node \p Node.
static int touch(char *Memory, int Node) {
  const size_t Page = (size_t)getpagesize();
  int Here = 0;
  for (size_t At = 0; At < Chunk; At += Page) {
    Memory[At] = 1;
    Here += osNodeOf(Memory + At) == Node;
  }
  return Here;
}

int main(void) {
  const int Pages = Chunk / getpagesize();
  char *Got[Most];
  int Count = 0;
  unsigned OsNode;
  omp_get_num_nodes(); // binds the thread
  syscall(SYS_getcpu, NULL, &OsNode, NULL);
  omp_allocator_handle_t Null = make(omp_atv_null_fb, 0);
  // The last one may end in what the kernel keeps for itself; how much that is
  // it decides.
  int OfNewest = Pages;
  while (Count < Most && (Got[Count] = omp_alloc(Chunk, Null))) {
    CHECK_EQUAL(OfNewest, Pages, "pages while there is room");
    OfNewest = touch(Got[Count++], (int)OsNode);
  }
  CHECK(OfNewest > Pages / 2, "%d of %d pages of the last block", OfNewest,
        Pages);
  CHECK(Count > 0 && Count < Most, "%d blocks of %d", Count, Most);

  // Other memory, from the default allocator or wherever it is: more than what
  // the kernel may keep for itself, and does not always.
  omp_allocator_handle_t Default = make(omp_atv_default_mem_fb, 0);
  char *More = omp_alloc(Rest * Chunk, Default);
  CHECK(More, "elsewhere");
  int Here = 0;
  for (int I = 0; I < Rest; ++I)
    Here += touch(More + I * Chunk, (int)OsNode);
  CHECK(Here < Rest * Pages, "all on a node without room");
  omp_alloctrait_t Spread[] = {{omp_atk_partition, omp_atv_interleaved}};
  omp_allocator_handle_t Wide =
      omp_init_allocator(omp_default_mem_space, 1, Spread);
  omp_allocator_handle_t Other = make(omp_atv_allocator_fb, Wide);
  // Meanwhile the kernel may have emptied its caches: until there is no room.
  do {
    Got[Count] = omp_alloc(Chunk, Other);
    CHECK(Got[Count], "of the other allocator");
    OfNewest = touch(Got[Count++], (int)OsNode);
    CHECK(Count < Most, "all on a node without room");
  } while (OfNewest == Pages);

  omp_free(More, Default);
  while (Count > 0)
    omp_free(Got[--Count], omp_null_allocator);
  CHECK((More = omp_alloc(Chunk, Null)), "room again");
  CHECK_EQUAL(touch(More, (int)OsNode), Pages, "pages when there is room");
  omp_free(More, Null);
  return 0;
}
