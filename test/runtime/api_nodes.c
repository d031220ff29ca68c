// omp_get_num_nodes, omp_get_node_num and omp_get_node_from_data: in the
// initial team, in parallel regions of changing sizes, nested and serialized;
// two regions with the same places have the same nodes.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each %t
// RUN: %run-each --policies active --threads 2,8 --env OMP_PROC_BIND=spread %t
//
// The first call of all, from a thread that OpenMP does not know:
// RUN: env HWLOC_SYNTHETIC='node:4 pu:2' %run %t foreign
// Subsets of the machine. A real one: guest.test.
// RUN: %if taskset %{ env LOCUS_TEST_NODES=0 OMP_NUM_THREADS=2 taskset -c 0 %run %t %}
// RUN: env LOCUS_TEST_NODES=0 OMP_NUM_THREADS=2 OMP_PLACES='{0}' OMP_PROC_BIND=true %run %t

#include "check.h"
#include <pthread.h>

static int teamNodes(int Threads) {
  return isSynthetic() ? syntheticNodeOf((Threads < 8 ? Threads : 8) - 1) + 1
                       : omp_get_num_nodes();
}

static int NodesGiven; // by the caller, in another order

/// Tells check.h which nodes of a real machine the current team has: a small
/// one that is spread leaves some out. All its threads call this.
static void listNodes(void) {
  static int Has[64];
  if (isSynthetic() || NodesGiven)
    return;
  unsigned OsNode;
  CHECK(syscall(SYS_getcpu, NULL, &OsNode, NULL) == 0, "no getcpu");
#pragma omp single
  memset(Has, 0, sizeof(Has));
  add(&Has[OsNode % 64], 1);
#pragma omp barrier
#pragma omp single
  {
    char List[256] = "";
    for (int Node = 0, End = 0; Node < 64; ++Node)
      if (Has[Node])
        End += sprintf(List + End, End ? ",%d" : "%d", Node);
    setenv("LOCUS_TEST_NODES", List, 1);
  }
}

/// All threads of the current team say the same, and where they are.
static void checkTeam(const char *What) {
  listNodes();
  int Threads = omp_get_num_threads(), Nodes = omp_get_num_nodes();
  CHECK_EQUAL(Nodes, teamNodes(Threads), What);
  CHECK_EQUAL(omp_get_node_num(), nodeHere(), What);
  CHECK(omp_get_node_num() >= 0 && omp_get_node_num() < Nodes, "%s", What);
}

static void *foreign(void *Unused) {
  CHECK_EQUAL(omp_get_num_nodes(), 4, "a foreign thread");
  CHECK_EQUAL(omp_get_node_num(), 0, "a foreign thread");
  return Unused;
}

static char Data[64];

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "foreign") == 0) {
    pthread_t Thread;
    CHECK(pthread_create(&Thread, NULL, foreign, NULL) == 0, "no thread");
    pthread_join(Thread, NULL);
    return 0;
  }
  NodesGiven = getenv("LOCUS_TEST_NODES") != NULL;
  Data[0] = 1;
  int Initial = omp_get_num_nodes();
  CHECK(Initial >= 1, "%d nodes", Initial);
  if (isSynthetic()) {
    CHECK_EQUAL(Initial, 4, "initial team");
    CHECK_EQUAL(omp_get_node_num(), 0, "initial team");
  }
  int DataNode = omp_get_node_from_data(Data);
  CHECK_EQUAL(DataNode, teamNodeOf(osNodeOf(Data)), "data outside of regions");

  // Regions of changing sizes. Two of the same size number their nodes alike.
  int First[64], Max = omp_get_max_threads();
  for (int I = 0; I < 64; ++I)
    First[I] = -1;
  for (int Round = 0; Round < 60; ++Round) {
    int Threads = Round % 3 == 0 ? Max : 1 + Round * 7 % Max;
#pragma omp parallel num_threads(Threads)
    {
      checkTeam("a region");
      if (Threads == Max) {
        int Me = omp_get_thread_num();
        if (First[Me] < 0)
          First[Me] = omp_get_node_num();
        CHECK_EQUAL(omp_get_node_num(), First[Me], "a region like the first");
      }
      // A small team may have no thread where the data is.
      int Home = teamNodeOf(osNodeOf(Data));
      CHECK_EQUAL(omp_get_node_from_data(Data),
                  Home < omp_get_num_nodes() ? Home : -1, "data in a region");
#pragma omp single
      for (int I = 0; I < 20; ++I) {
        omp_set_task_affinity(omp_affinity_node, (uintptr_t)I, 1);
#pragma omp task firstprivate(I)
        CHECK_EQUAL(nodeHere(), I % omp_get_num_nodes(), "a task in a region");
      }
    }
    CHECK_EQUAL(omp_get_num_nodes(), Initial, "between two regions");
  }

  // Serialized: one thread, one node.
#pragma omp parallel num_threads(1)
  {
    CHECK_EQUAL(omp_get_num_nodes(), 1, "a serialized region");
    CHECK_EQUAL(omp_get_node_num(), 0, "a serialized region");
  }

  // Nested: active, and serialized by the limit.
  for (int Levels = 1; Levels <= 2; ++Levels) {
    omp_set_max_active_levels(Levels);
#pragma omp parallel
    {
      checkTeam("an outer region");
#pragma omp parallel num_threads(2)
      {
        int Nodes = omp_get_num_nodes();
        CHECK(Nodes >= 1 && Nodes <= omp_get_num_threads(), "%d nodes", Nodes);
        CHECK(omp_get_node_num() >= 0 && omp_get_node_num() < Nodes,
              "node %d of %d", omp_get_node_num(), Nodes);
        CHECK_EQUAL(omp_get_num_threads(), Levels, "inner threads");
      }
      checkTeam("an outer region, behind the inner one");
    }
  }

  // No node yet, and none ever. The question touches nothing.
  char *Pages = newPages(2);
  CHECK_EQUAL(omp_get_node_from_data(Pages), -1, "an untouched page");
  CHECK(osNodeOf(Pages) < 0, "the question has touched the page");
  CHECK_EQUAL(omp_get_node_from_data(NULL), -1, "NULL");
  CHECK_EQUAL(omp_get_node_from_data((void *)-1), -1, "the last address");
  CHECK_EQUAL(omp_get_node_from_data((void *)(1ul << 63)), -1, "no address");
  munmap(Pages, 2 * (size_t)getpagesize());
  CHECK_EQUAL(omp_get_node_from_data(Pages), -1, "an unmapped address");
  return 0;
}
