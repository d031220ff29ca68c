// Memory spaces and their resources, which are NUMA nodes: what the routines of
// OpenMP 6.0, 27.1 to 27.4, and 27.8 return, and where allocators in each part
// of a space have their pages. On the pretended machine all pages are on node 0
// and only what the routines say counts; alloc_guest.test has real nodes.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each --threads 2,8 %t 2> %t.err
// RUN: env HWLOC_SYNTHETIC="node:4 pu:2" %run --env OMP_NUM_THREADS=8 %t 2>&1 | FileCheck %s
// CHECK:      {{^}}OMP: Warning: omp_get_submemspace: resource 4 is none, of 4; there is no such memory space.
// CHECK-NEXT: {{^}}OMP: Warning: omp_get_submemspace: resource -1 is none, of 4; there is no such memory space.
// CHECK-NEXT: {{^}}OMP: Warning: omp_get_submemspace: resource 3 is named twice, of 4; there is no such memory space.

#include "check.h"

enum { MostNodes = 256, Pages = 23 };
static size_t Page;
static int NumNodes, Nodes[MostNodes]; ///< OS nodes of the default space

static void addNode(int Node) {
  CHECK(NumNodes < MostNodes, "more nodes than the test knows");
  Nodes[NumNodes++] = Node;
}

/// As in "0-3,5".
static void readList(const char *List) {
  while (*List >= '0' && *List <= '9') {
    char *End;
    const int First = (int)strtol(List, &End, 10);
    const int Last = *End == '-' ? (int)strtol(End + 1, &End, 10) : First;
    for (int Node = First; Node <= Last; ++Node)
      addNode(Node);
    List = *End == ',' ? End + 1 : End;
  }
}

/// LOCUS_TEST_RESOURCES, or the pretended machine's, or what the kernel says.
static void readNodes(void) {
  char Line[4096] = "";
  FILE *Status = fopen("/proc/self/status", "r");
  if (getenv("LOCUS_TEST_RESOURCES"))
    readList(getenv("LOCUS_TEST_RESOURCES"));
  else if (isSynthetic())
    readList("0-3");
  else
    while (Status && fgets(Line, sizeof(Line), Status))
      if (strncmp(Line, "Mems_allowed_list:\t", 19) == 0)
        readList(Line + 19);
  if (Status)
    fclose(Status);
  if (NumNodes == 0) // a kernel without cpusets
    addNode(0);
}

/// Sets of nodes are tried up to this, as bits.
static unsigned endOfMasks(void) { return 1u << (NumNodes < 5 ? NumNodes : 5); }

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

static omp_memspace_handle_t part(omp_memspace_handle_t Space, unsigned Mask) {
  int Resources[32], Count = 0;
  for (int I = 31; I >= 0; --I) // the order does not matter
    if (Mask >> I & 1)
      Resources[Count++] = I;
  return omp_get_submemspace(Space, Count, Resources);
}

static void checkHandles(void) {
  const omp_memspace_handle_t Any[] = {omp_default_mem_space,
                                       omp_const_mem_space};
  for (int I = 0; I < 2; ++I) {
    CHECK_EQUAL(omp_get_memspace_num_resources(Any[I]), NumNodes, "nodes");
    for (unsigned Mask = 1; Mask < endOfMasks(); ++Mask) {
      const omp_memspace_handle_t Part = part(Any[I], Mask);
      CHECK(Part != omp_null_mem_space && Part != Any[I], "mask %x", Mask);
      CHECK(part(Any[I], Mask) == Part, "mask %x again", Mask);
      CHECK_EQUAL(omp_get_memspace_num_resources(Part),
                  __builtin_popcount(Mask), "nodes of a part");
      for (unsigned Other = 1; Other < Mask; ++Other)
        CHECK(part(Any[I], Other) != Part, "%x and %x", Mask, Other);
    }
  }
  CHECK(part(Any[0], 1) != part(Any[1], 1), "parts of different spaces");
  CHECK_EQUAL(omp_get_memspace_num_resources(omp_null_mem_space), 0, "null");
  CHECK(part(omp_null_mem_space, 1) == omp_null_mem_space, "part of null");
  CHECK_EQUAL(omp_get_memspace_num_resources(omp_large_cap_mem_space) <=
                  NumNodes,
              1, "nodes with much memory");
}

/// A part's resources are numbered anew.
static void checkNested(void) {
  if (NumNodes < 3)
    return;
  const omp_memspace_handle_t Upper = part(omp_default_mem_space, 6);
  const omp_memspace_handle_t Second = part(Upper, 2);
  CHECK(Second == part(omp_default_mem_space, 4), "resource 1 of 1 and 2");
  CHECK(part(Upper, 3) == Upper, "all of a part");
  CHECK(part(Upper, 4) == omp_null_mem_space, "a third of two");
}

/// Each says so: the first three are the FileCheck lines above.
static void checkRefused(void) {
  const int Behind = NumNodes, Negative = -1;
  const int Twice[] = {NumNodes - 1, NumNodes - 1};
  const omp_memspace_handle_t All = omp_default_mem_space;
  CHECK(omp_get_submemspace(All, 1, &Behind) == omp_null_mem_space, "behind");
  CHECK(omp_get_submemspace(All, 1, &Negative) == omp_null_mem_space, "below");
  CHECK(omp_get_submemspace(All, 2, Twice) == omp_null_mem_space, "twice");
  CHECK(omp_get_submemspace(All, 0, Twice) == omp_null_mem_space, "none");
  CHECK(omp_get_submemspace(All, -1, Twice) == omp_null_mem_space, "less");
  CHECK(omp_get_submemspace(All, 1, NULL) == omp_null_mem_space, "no list");
  const omp_memspace_handle_t Part = part(All, 1);
  omp_alloctrait_t Device[] = {{omp_atk_pin_device, 0}};
  CHECK(omp_init_allocator(Part, 1, Device) == omp_null_allocator, "a device");
}

/// Without devices all devices are the host, which has two numbers.
static void checkDevices(void) {
  const omp_memspace_handle_t All = omp_default_mem_space;
  const int Hosts[] = {omp_get_initial_device(), -1}, Devices[] = {-1, 7};
  CHECK_EQUAL(omp_get_num_devices(), 0, "devices");
  CHECK(omp_get_devices_all_memspace(All) == All, "all devices");
  CHECK(omp_get_device_and_host_memspace(-1, All) == All, "host twice");
  CHECK(omp_get_devices_and_host_memspace(2, Hosts, All) == All, "thrice");
  CHECK(omp_get_devices_memspace(2, Hosts, All) == All, "twice");
  for (int I = 0; I < 2; ++I)
    CHECK(omp_get_device_memspace(Hosts[I], All) == All, "%d", Hosts[I]);
  CHECK(omp_get_device_memspace(7, All) == omp_null_mem_space, "7");
  CHECK(omp_get_device_memspace(-5, All) == omp_null_mem_space, "-5");
  CHECK(omp_get_devices_memspace(2, Devices, All) == omp_null_mem_space, "7");
  CHECK(omp_get_devices_memspace(-1, Hosts, All) == omp_null_mem_space, "-1");
  CHECK(omp_get_devices_memspace(0, NULL, All) == omp_null_mem_space, "none");
  CHECK(omp_get_devices_all_memspace(omp_null_mem_space) == omp_null_mem_space,
        "null");
  CHECK(omp_get_devices_all_memspace(part(All, 1)) == omp_null_mem_space,
        "a part is not predefined");
  // Nobody knows bandwidths here, so there is no such memory.
  if (omp_get_memspace_num_resources(omp_high_bw_mem_space) == 0)
    CHECK(omp_get_devices_all_memspace(omp_high_bw_mem_space) ==
              omp_null_mem_space,
          "fast memory");
  const omp_allocator_handle_t A = omp_get_devices_all_allocator(All);
  CHECK(A != omp_null_allocator, "allocator");
  char *M = omp_alloc(100, A);
  CHECK(M, "memory of all devices");
  M[99] = 1;
  omp_free(M, A);
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

static omp_allocator_handle_t make(omp_memspace_handle_t Space, int Partition) {
  omp_alloctrait_t Traits[] = {{omp_atk_partition, (omp_uintptr_t)Partition},
                               {omp_atk_fallback, omp_atv_null_fb}};
  return omp_init_allocator(Space, 2, Traits);
}

/// How many pages of \p Memory, all touched, the OS node \p Node has.
static int pagesOn(char *Memory, int Node) {
  int Count = 0;
  for (int I = 0; I < Pages; ++I)
    Count += osNodeOf(Memory + (size_t)I * Page) == Node;
  return Count;
}

/// All pages are on one node of \p Mask.
static void checkNearest(char *Memory, unsigned Mask, int Partition) {
  for (int I = 0; I < NumNodes && I < 32; ++I)
    if (Mask >> I & 1 && pagesOn(Memory, Nodes[I]) == Pages)
      return;
  FAIL("partition %d of nodes %x: page 0 is on node %d", Partition, Mask,
       osNodeOf(Memory));
}

static int byTeam(const void *A, const void *B) {
  const int Left = *(const int *)A, Right = *(const int *)B;
  const unsigned LeftInTeam = (unsigned)teamNodeOf(Left); // -1 is the last
  const unsigned RightInTeam = (unsigned)teamNodeOf(Right);
  if (LeftInTeam != RightInTeam)
    return LeftInTeam < RightInTeam ? -1 : 1;
  return Left - Right;
}

/// The order of parts: blocked as the team has its nodes, and then the others;
/// interleaved by the kernel's numbers.
static void checkOrder(char *Memory, unsigned Mask, int Partition) {
  int Order[32], Count = 0;
  for (int I = 0; I < NumNodes && I < 32; ++I)
    if (Mask >> I & 1)
      Order[Count++] = Nodes[I];
  if (Partition == omp_atv_blocked)
    qsort(Order, (size_t)Count, sizeof(int), byTeam);
  const int Larger = Pages % Count, Least = Pages / Count;
  for (int I = 0; I < Pages; ++I) {
    const int Block = I < Larger * (Least + 1)
                          ? I / (Least + 1)
                          : Larger + (I - Larger * (Least + 1)) / Least;
    const int Is = osNodeOf(Memory + (size_t)I * Page);
    const int Should = Order[Partition == omp_atv_blocked ? Block : I % Count];
    if (Is != Should)
      FAIL("partition %d of nodes %x: page %d is on node %d, not %d", Partition,
           Mask, I, Is, Should);
  }
}

static void allocateAll(void) {
  const int Partitions[] = {omp_atv_environment, omp_atv_nearest,
                            omp_atv_blocked, omp_atv_interleaved};
  for (unsigned Mask = 1; Mask < endOfMasks(); ++Mask)
    for (int P = 0; P < 4; ++P) {
      omp_allocator_handle_t A =
          make(part(omp_default_mem_space, Mask), Partitions[P]);
      CHECK(A != omp_null_allocator, "nodes %x", Mask);
      char *M = omp_alloc((size_t)Pages * Page, A);
      char *N = omp_calloc(Pages, Page, A);
      CHECK(M && N, "partition %d of nodes %x", Partitions[P], Mask);
      for (int I = 0; I < Pages; ++I)
        M[(size_t)I * Page] = N[(size_t)I * Page] = 1;
      for (int I = 0; I < 2 && !isSynthetic(); ++I)
        if (P >= 2)
          checkOrder(I ? N : M, Mask, Partitions[P]);
        else
          checkNearest(I ? N : M, Mask, Partitions[P]);
      omp_free(M, A);
      omp_free(N, omp_null_allocator);
      omp_destroy_allocator(A);
    }
}

/// All threads ask for the same part at once, and get the same one.
static void askTogether(void) {
  omp_memspace_handle_t First = omp_null_mem_space;
#pragma omp parallel
  {
#pragma omp barrier
    const omp_memspace_handle_t Mine = part(omp_low_lat_mem_space, 1);
    CHECK(Mine != omp_null_mem_space, "a part");
#pragma omp single
    First = Mine;
    CHECK(Mine == First, "the same part");
  }
}

int main(void) {
  Page = (size_t)getpagesize();
  readNodes();
  checkRefused();
  askTogether();
  checkHandles();
  checkNested();
  checkDevices();
  allocateAll();
#pragma omp parallel
#pragma omp single
  allocateAll();
  printf("%d nodes\n", NumNodes);
  return 0;
}
