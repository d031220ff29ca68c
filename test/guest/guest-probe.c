// What this machine looks like, and whether the kernel's NUMA calls work on it.
//
// Prints the shape as libnuma and as hwloc see it, then counts pages: touched
// first by each CPU, bound to each node, and moved to each node. The number of
// pages found on a wrong node is the last line and decides the exit status.

#define _GNU_SOURCE
#include <errno.h>
#include <hwloc.h>
#include <numa.h>
#include <numaif.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PageCount = 64 };

static size_t PageSize;
static int Wrong;

static void die(const char *What) {
  fprintf(stderr, "guest-probe: %s: %s\n", What, strerror(errno));
  exit(2);
}

static char *mapPages(void) {
  char *Base = mmap(NULL, PageCount * PageSize, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Base == MAP_FAILED)
    die("mmap");
  // A huge page would be one page for the kernel's count.
  if (madvise(Base, PageCount * PageSize, MADV_NOHUGEPAGE))
    die("madvise");
  return Base;
}

static void unmapPages(char *Base) { munmap(Base, PageCount * PageSize); }

static void touch(char *Base) {
  for (int I = 0; I < PageCount; ++I)
    Base[I * PageSize] = 1;
}

/// Asks move_pages: \p Nodes[I] is the node of page I, or negative before the
/// first touch (-ENOENT; Linux 6.1 says -EFAULT, as for no memory at all). With
/// \p Target, moves each page to that node at the same time.
static void movePages(char *Base, const int *Target, int *Nodes) {
  void *Pages[PageCount];
  for (int I = 0; I < PageCount; ++I)
    Pages[I] = Base + I * PageSize;
  if (move_pages(0, PageCount, Pages, Target, Nodes, MPOL_MF_MOVE) < 0)
    die("move_pages");
}

/// Moves the pages to \p Node. The kernel moves what it can at once and says
/// -EBUSY, -EAGAIN or -ENOMEM of a page that it may move a moment later; says
/// why if a page stays away after all.
static void moveTo(char *Base, int Node) {
  enum { Tries = 100 };
  int Target[PageCount], Status[PageCount], Away = PageCount;
  for (int I = 0; I < PageCount; ++I)
    Target[I] = Node;
  for (int Try = 0; Away && Try < Tries; ++Try) {
    movePages(Base, Target, Status);
    Away = 0;
    for (int I = 0; I < PageCount; ++I)
      Away += Status[I] != Node;
    sched_yield();
  }
  for (int I = 0; I < PageCount; ++I)
    if (Status[I] != Node)
      printf("page %d does not move to node %d: %s\n", I, Node,
             Status[I] < 0 ? strerror(-Status[I]) : "no reason given");
}

/// Counts the pages on \p Node, by move_pages and by get_mempolicy.
static int countOn(char *Base, int Node) {
  int Nodes[PageCount];
  movePages(Base, NULL, Nodes);
  int Count = 0;
  for (int I = 0; I < PageCount; ++I) {
    int Policy;
    if (get_mempolicy(&Policy, NULL, 0, Base + I * PageSize,
                      MPOL_F_NODE | MPOL_F_ADDR))
      die("get_mempolicy");
    Count += Nodes[I] == Node && Policy == Node;
  }
  return Count;
}

static void report(const char *What, int Number, int Node, int Count) {
  printf("%s %d: %d of %d pages on node %d\n", What, Number, Count, PageCount,
         Node);
  Wrong += PageCount - Count;
}

static void printShape(void) {
  int Nodes = numa_max_node() + 1;
  printf("libnuma: %d nodes, %d CPUs\n", Nodes, numa_num_configured_cpus());
  hwloc_topology_t Topology;
  if (hwloc_topology_init(&Topology) || hwloc_topology_load(Topology))
    die("hwloc");
  printf("hwloc: %d nodes, %d CPUs, %d packages\n",
         hwloc_get_nbobjs_by_type(Topology, HWLOC_OBJ_NUMANODE),
         hwloc_get_nbobjs_by_type(Topology, HWLOC_OBJ_PU),
         hwloc_get_nbobjs_by_type(Topology, HWLOC_OBJ_PACKAGE));
  struct bitmask *Cpus = numa_allocate_cpumask();
  for (int Node = 0; Node < Nodes; ++Node) {
    if (numa_node_to_cpus(Node, Cpus))
      die("numa_node_to_cpus");
    hwloc_obj_t Object =
        hwloc_get_numanode_obj_by_os_index(Topology, (unsigned)Node);
    if (!Object)
      die("hwloc does not know the node");
    printf("node %d: %u CPUs, hwloc: %d CPUs, %s, distances", Node,
           numa_bitmask_weight(Cpus),
           Object->cpuset ? hwloc_bitmap_weight(Object->cpuset) : 0,
           numa_node_size64(Node, NULL) > 0 ? "memory" : "no memory");
    for (int Other = 0; Other < Nodes; ++Other)
      printf(" %d", numa_distance(Node, Other));
    printf("\n");
  }
  numa_free_cpumask(Cpus);
  hwloc_topology_destroy(Topology);
}

static void pinTo(int Cpu) {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  CPU_SET(Cpu, &Set);
  if (sched_setaffinity(0, sizeof(Set), &Set))
    die("sched_setaffinity");
}

static void checkFirstTouch(void) {
  for (int Cpu = 0; Cpu < numa_num_configured_cpus(); ++Cpu) {
    pinTo(Cpu);
    int Node = numa_node_of_cpu(Cpu);
    if (numa_node_size64(Node, NULL) <= 0)
      continue; // its pages come from some neighbour
    char *Base = mapPages();
    int Nodes[PageCount];
    movePages(Base, NULL, Nodes);
    int Present = 0;
    for (int I = 0; I < PageCount; ++I)
      Present += Nodes[I] >= 0;
    if (Present)
      printf("CPU %d: %d pages have a node before they were touched\n", Cpu,
             Present);
    Wrong += Present;
    touch(Base);
    report("touched by CPU", Cpu, Node, countOn(Base, Node));
    unmapPages(Base);
  }
}

static void checkBindAndMove(void) {
  pinTo(0);
  char *Moved = mapPages();
  touch(Moved);
  for (int Node = 0; Node <= numa_max_node(); ++Node) {
    if (numa_node_size64(Node, NULL) <= 0)
      continue;
    char *Bound = mapPages();
    unsigned long Mask = 1UL << Node;
    if (mbind(Bound, PageCount * PageSize, MPOL_BIND, &Mask, 8 * sizeof(Mask),
              0))
      die("mbind");
    touch(Bound);
    report("bound to node", Node, Node, countOn(Bound, Node));
    unmapPages(Bound);

    moveTo(Moved, Node);
    report("moved to node", Node, Node, countOn(Moved, Node));
  }
}

int main(void) {
  if (numa_available() < 0)
    die("numa_available");
  PageSize = (size_t)sysconf(_SC_PAGESIZE);
  printShape();
  checkFirstTouch();
  checkBindAndMove();
  printf("%d pages on a wrong node\n", Wrong);
  return Wrong != 0;
}
