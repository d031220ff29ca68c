// Allocators that place: sizes, alignments, each trait, and what is refused. On
// which nodes the pages are: alloc_guest.test.
//
// RUN: %build
// RUN: %run-each --threads 2,8 %t 2> %t.err
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: not %run %t abort 2>&1 | FileCheck --check-prefix=ABORT %s
// RUN: not %run %t abort-product 2>&1 | FileCheck --check-prefix=HUGE %s
// RUN: not %run %t abort-chain 2>&1 | FileCheck --check-prefix=HUGE %s
// RUN: env OMP_ALLOCATOR=omp_default_mem_space:partition=interleaved %run %t default

#include "check.h"
#include <limits.h>
#include <sys/resource.h>

static size_t Page;

static int isAligned(const void *Memory, size_t Alignment) {
  return Memory && (uintptr_t)Memory % Alignment == 0;
}

static omp_allocator_handle_t make(int Count, const omp_alloctrait_t *Traits) {
  return omp_init_allocator(omp_default_mem_space, Count,
                            (omp_alloctrait_t *)Traits);
}
#define MAKE(...)                                                              \
  make(sizeof((omp_alloctrait_t[]){__VA_ARGS__}) / sizeof(omp_alloctrait_t),   \
       (omp_alloctrait_t[]){__VA_ARGS__})

/// How many of the pages at \p Base are there.
static int populated(void *Base, size_t Bytes) {
  unsigned char Resident[4096];
  const size_t Pages = (Bytes + Page - 1) / Page;
  int Count = 0;
  CHECK(Pages <= sizeof(Resident), "%zu pages", Pages);
  if (mincore(Base, Bytes, Resident) != 0)
    FAIL("mincore: %s", strerror(errno));
  for (size_t I = 0; I < Pages; ++I)
    Count += Resident[I] & 1;
  return Count;
}

static void isFilled(const unsigned char *Memory, size_t Bytes, int With) {
  for (size_t I = 0; I < Bytes; ++I)
    if (Memory[I] != (unsigned char)(With + (int)I))
      FAIL("byte %zu of %zu is %d", I, Bytes, Memory[I]);
}
static void fill(unsigned char *Memory, size_t Bytes, int With) {
  for (size_t I = 0; I < Bytes; ++I)
    Memory[I] = (unsigned char)(With + (int)I);
}

/// All ways to get memory of each partition, and sizes around a page.
static void useAll(omp_allocator_handle_t Allocator) {
  const size_t Sizes[] = {1, 63, Page - 1, Page, Page + 1, 9 * Page + 5};
  for (int S = 0; S < 6; ++S) {
    const size_t Size = Sizes[S];
    unsigned char *A = omp_alloc(Size, Allocator);
    CHECK(isAligned(A, Page), "omp_alloc(%zu)", Size);
    CHECK_EQUAL(populated(A, Size), 0, "pages that are there already");
    fill(A, Size, S);
    unsigned char *B = omp_aligned_alloc(8 * Page, Size, Allocator);
    CHECK(isAligned(B, 8 * Page), "omp_aligned_alloc");
    unsigned char *C = omp_calloc(Size, 3, Allocator);
    CHECK(C, "omp_calloc");
    CHECK_EQUAL(populated(C, 3 * Size), 0, "omp_calloc touches pages");
    for (size_t I = 0; I < 3 * Size; ++I)
      CHECK(C[I] == 0, "omp_calloc, byte %zu", I);
    unsigned char *D = omp_aligned_calloc(4 * Page, 1, Size, Allocator);
    CHECK(isAligned(D, 4 * Page) && D[Size - 1] == 0, "omp_aligned_calloc");
    // Larger and smaller, and to an allocator of libomp's and back.
    fill(B, Size, 7);
    B = omp_realloc(B, 3 * Size, Allocator, Allocator);
    CHECK(B, "omp_realloc");
    isFilled(B, Size, 7);
    B = omp_realloc(B, (Size + 1) / 2, omp_default_mem_alloc, Allocator);
    isFilled(B, (Size + 1) / 2, 7);
    B = omp_realloc(B, Size, Allocator, omp_default_mem_alloc);
    isFilled(B, (Size + 1) / 2, 7);
    isFilled(A, Size, S);
    omp_free(A, Allocator);
    omp_free(B, Allocator);
    omp_free(C, omp_null_allocator); // it knows whose it is
    omp_free(D, Allocator);
    A = omp_realloc(NULL, Size, Allocator, Allocator);
    A = omp_realloc(A, 2 * Size, omp_null_allocator, omp_null_allocator);
    CHECK(isAligned(A, Page), "omp_realloc by the same allocator");
    CHECK(A, "omp_realloc of nothing");
    CHECK(!omp_realloc(A, 0, Allocator, Allocator), "omp_realloc to nothing");
  }
  CHECK(!omp_alloc(0, Allocator), "no bytes");
  CHECK(!omp_calloc(0, 5, Allocator) && !omp_calloc(5, 0, Allocator), "none");
  CHECK(!omp_alloc(SIZE_MAX, Allocator), "too much");
  CHECK(!omp_alloc((size_t)PTRDIFF_MAX, Allocator), "too much");
  CHECK(!omp_calloc(SIZE_MAX / 2, 3, Allocator), "too much");
  omp_free(NULL, Allocator);
}

static void partitions(void) {
  const int Values[] = {omp_atv_nearest, omp_atv_blocked, omp_atv_interleaved};
  for (int V = 0; V < 3; ++V)
    for (size_t Part = 0; Part <= 3 * Page; Part += Page + 1) {
      omp_allocator_handle_t A =
          MAKE({omp_atk_partition, Values[V]}, {omp_atk_part_size, Part},
               {omp_atk_alignment, 64}, {omp_atk_access, omp_atv_default},
               {omp_atk_pinned, omp_atv_false}, {omp_atk_device_access, 1});
      CHECK(A != omp_null_allocator, "partition %d", Values[V]);
      useAll(A);
#pragma omp parallel
      useAll(A);
      omp_destroy_allocator(A);
    }
  omp_allocator_handle_t A = MAKE({omp_atk_partition, omp_atv_nearest},
                                  {omp_atk_alignment, 64 * Page});
  void *P = omp_alloc(5, A);
  CHECK(isAligned(P, 64 * Page), "the trait's alignment");
  omp_free(P, A);
  omp_destroy_allocator(A);
}

/// Each byte counts, those that come back as well, also from other threads.
static void pools(void) {
  const size_t Size = 5 * Page + 100;
  omp_allocator_handle_t A =
      MAKE({omp_atk_partition, omp_atv_blocked}, {omp_atk_pool_size, Size},
           {omp_atk_fallback, omp_atv_null_fb});
  void *P = omp_alloc(Size, A);
  CHECK(P, "all of the pool");
  CHECK(!omp_alloc(1, A), "more than the pool");
  omp_free(P, A);
  CHECK(!omp_alloc(Size + 1, A), "more than the pool at once");
  int Got = 0;
#pragma omp parallel for reduction(+ : Got)
  for (int I = 0; I < 40; ++I)
    Got += omp_alloc(Size / 10, A) != NULL;
  CHECK_EQUAL(Got, 10, "blocks of a tenth");
  omp_destroy_allocator(A);
}

static void fallBacks(void) {
  omp_allocator_handle_t Other =
      MAKE({omp_atk_partition, omp_atv_nearest}, {omp_atk_pool_size, 2 * Page},
           {omp_atk_fallback, omp_atv_null_fb});
  omp_allocator_handle_t A =
      MAKE({omp_atk_partition, omp_atv_nearest}, {omp_atk_pool_size, Page},
           {omp_atk_fallback, omp_atv_allocator_fb},
           {omp_atk_fb_data, (omp_uintptr_t)Other});
  unsigned char *P = omp_alloc(Page, A), *Q = omp_calloc(1, 2 * Page, A);
  CHECK(P && Q && Q[2 * Page - 1] == 0, "from both");
  CHECK(!omp_alloc(1, A), "more than both");
  omp_free(Q, A);
  Q = omp_alloc(2 * Page, A);
  CHECK(Q, "back to the other pool");
  omp_free(Q, omp_null_allocator);
  omp_free(P, A);
  omp_destroy_allocator(A);
  omp_destroy_allocator(Other);

  A = MAKE({omp_atk_partition, omp_atv_interleaved}, {omp_atk_pool_size, 64},
           {omp_atk_alignment, 256}); // default_mem_fb
  P = omp_alloc(65, A);
  CHECK(isAligned(P, 256), "default memory has the alignment, too");
  Q = omp_calloc(70, 1, A);
  for (int I = 0; I < 70; ++I)
    CHECK(Q && Q[I] == 0, "default memory is zero, too");
  omp_free(P, A);
  omp_free(Q, A);
  omp_destroy_allocator(A);

  // A trait of which the default is asked for changes nothing, also behind
  // another value of it.
  A = MAKE({omp_atk_partition, omp_atv_nearest},
           {omp_atk_fallback, omp_atv_null_fb},
           {omp_atk_fallback, omp_atv_default}, {omp_atk_pool_size, 64});
  CHECK(A != omp_null_allocator && !omp_alloc(65, A), "null_fb");
  omp_destroy_allocator(A);
}

/// With as much as may be locked, and with nothing.
static void pinned(void) {
  struct rlimit Limit;
  getrlimit(RLIMIT_MEMLOCK, &Limit);
  omp_allocator_handle_t A =
      MAKE({omp_atk_pinned, omp_atv_true}, {omp_atk_fallback, omp_atv_null_fb});
  CHECK(A != omp_null_allocator, "pinned");
  unsigned char *P = omp_alloc(2 * Page, A);
  if (Limit.rlim_cur >= 64 * Page || geteuid() == 0) {
    CHECK(P, "pinned memory");
    CHECK_EQUAL(populated(P, 2 * Page), 2, "pinned pages");
  }
  omp_free(P, A);
  omp_destroy_allocator(A);
}

static void refused(void) {
  // CHECK: omp_init_allocator: the alignment 3 is not a power of two; there is no allocator.
  CHECK(MAKE({omp_atk_alignment, 3}) == omp_null_allocator, "alignment");
  // CHECK-NEXT: omp_init_allocator: 99 is no value of omp_atk_fallback
  CHECK(MAKE({omp_atk_fallback, 99}) == omp_null_allocator, "fallback");
  // CHECK-NEXT: omp_init_allocator: omp_atv_allocator_fb (14) needs omp_atk_fb_data
  CHECK(MAKE({omp_atk_fallback, omp_atv_allocator_fb}) == omp_null_allocator,
        "fb_data");
  // CHECK-NEXT: omp_init_allocator: omp_atv_allocator_fb (14) needs omp_atk_fb_data
  CHECK(MAKE({omp_atk_fallback, omp_atv_allocator_fb},
             {omp_atk_fallback, omp_atv_default}) == omp_null_allocator,
        "fb_data, with an idle trait");
  // CHECK-NEXT: omp_init_allocator: 19 is no value of omp_atk_partition
  CHECK(MAKE({omp_atk_partition, omp_atv_all}) == omp_null_allocator, "values");
  // CHECK-NEXT: omp_init_allocator: 7 is no value of omp_atk_pinned
  CHECK(MAKE({omp_atk_pinned, 7}) == omp_null_allocator, "pinned");
  // CHECK-NEXT: omp_init_allocator: memory of the host cannot be pinned to device 0
  CHECK(MAKE({omp_atk_pinned, omp_atv_true}, {omp_atk_pin_device, 0}) ==
            omp_null_allocator,
        "pin_device");
  // CHECK-NEXT: omp_init_allocator: there is no device 9223372036854775808
  CHECK(MAKE({omp_atk_preferred_device, (omp_uintptr_t)1 << 63}) ==
            omp_null_allocator,
        "preferred_device");
  // CHECK-NEXT: omp_init_allocator: there is no trait with the key 77
  CHECK(MAKE({(omp_alloctrait_key_t)77, 1}) == omp_null_allocator, "key");
  // CHECK-NEXT: omp_init_allocator: there is no memory space with the handle 50; there is no allocator.{{$}}
  CHECK(omp_init_allocator((omp_memspace_handle_t)50, 0, NULL) ==
            omp_null_allocator,
        "memory space");
  // CHECK-NOT: {{.}}
}

int main(int argc, char **argv) {
  Page = (size_t)getpagesize();
  if (argc > 1 && strcmp(argv[1], "abort") == 0) {
    // ABORT: OMP: Error: an allocator has no 4097 bytes, and its
    // omp_atk_fallback is omp_atv_abort_fb.
    omp_allocator_handle_t A =
        MAKE({omp_atk_partition, omp_atv_nearest}, {omp_atk_pool_size, 4096},
             {omp_atk_fallback, omp_atv_abort_fb});
    omp_alloc(4097, A);
    return 0;
  }
  if (argc > 1 && strncmp(argv[1], "abort-", 6) == 0) {
    // HUGE: OMP: Error: an allocator has no 18446744073709551615 bytes, and
    // its omp_atk_fallback is omp_atv_abort_fb.
    omp_allocator_handle_t Last = MAKE({omp_atk_partition, omp_atv_nearest},
                                       {omp_atk_fallback, omp_atv_abort_fb});
    omp_allocator_handle_t A = MAKE({omp_atk_partition, omp_atv_nearest},
                                    {omp_atk_fallback, omp_atv_allocator_fb},
                                    {omp_atk_fb_data, (omp_uintptr_t)Last});
    if (strcmp(argv[1], "abort-product") == 0)
      omp_calloc(SIZE_MAX / 2, 3, Last);
    else
      omp_alloc(SIZE_MAX, A);
    return 0;
  }
  if (argc > 1) { // OMP_ALLOCATOR
    void *P = omp_alloc(5, omp_null_allocator);
    CHECK_EQUAL((uintptr_t)P % Page, 0, "of the default allocator");
    omp_free(P, omp_null_allocator);
    return 0;
  }
  partitions();
  CHECK(!omp_alloc(SIZE_MAX - 20, omp_default_mem_alloc), "too much");
  CHECK(!omp_calloc(SIZE_MAX / 2, 3, omp_default_mem_alloc), "too much");
  pools();
  fallBacks();
  pinned();
  refused();
  // The directive and the clause.
  omp_allocator_handle_t A = MAKE({omp_atk_partition, omp_atv_nearest});
  int X = 5;
#pragma omp parallel num_threads(2) allocate(A : X) firstprivate(X)
  CHECK(isAligned(&X, Page) && X == 5, "the clause");
  omp_destroy_allocator(A);
  return 0;
}
