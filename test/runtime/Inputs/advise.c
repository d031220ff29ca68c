// Programs with one mistake each, and one without: locus-trace advise must name
// it. The first argument chooses; Blocks blocks of data have pages of their
// own.

#include "check.h"

#include <linux/mempolicy.h>
#include <sys/mman.h>

enum { Blocks = 64, Pages = 4, Rounds = 12 };

static char *Data;
static size_t PageBytes, BlockBytes;

static char *block(int I) { return Data + (size_t)I * BlockBytes; }

/// Some microseconds of work on a block.
static void work(char *Block) {
  for (volatile int Spin = 0; Spin < 5000; ++Spin)
    ;
  for (size_t At = 0; At < BlockBytes; At += 512)
    ++Block[At];
}

static void spin(long Times) {
  for (volatile long Spin = 0; Spin < Times; ++Spin)
    ;
}

/// Block I lies on team node I modulo their number.
static void spread(void) {
  for (int I = 0; I < Blocks; ++I) {
#pragma omp task affinity(node : I, strict)
    memset(block(I), 1, BlockBytes);
  }
#pragma omp taskwait
}

static void followData(void) {
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task affinity(data : block(I))                                     \
    depend(inout : block(I)[0 : BlockBytes])
      work(block(I));
    }
}

static void good(void) {
  spread();
  followData();
}

static void firstTouch(void) {
  memset(Data, 1, Blocks * BlockBytes);
  followData();
}

/// Under a scheduler that knows no hints, too.
static void spreadByLoop(void) {
#pragma omp parallel for schedule(static)
  for (int I = 0; I < Blocks; ++I)
    memset(block(I), 1, BlockBytes);
}

static void noHint(void) {
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task depend(inout : block(I)[0 : BlockBytes])
      work(block(I));
    }
}

static void words(void) {
  spread();
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task depend(inout : *(double *)block(I))
      work(block(I));
    }
}

static void untouched(void) {
  for (int I = 0; I < Blocks; ++I) {
#pragma omp task affinity(data : block(I))
    memset(block(I), 1, BlockBytes);
  }
}

/// Moves a block's pages to the node of the calling thread, as the kernel's
/// balancing would, but for certain.
static void moveHere(char *Block) {
  unsigned OsNode;
  CHECK_EQUAL(syscall(SYS_getcpu, NULL, &OsNode, NULL), 0, "getcpu");
  const int Node = (int)OsNode;
  for (char *Page = Block; Page < Block + BlockBytes; Page += PageBytes) {
    void *Address = Page;
    int Status = -EBUSY; // somebody else may hold the page for a moment
    while (Status == -EBUSY || Status == -EAGAIN)
      CHECK(syscall(SYS_move_pages, 0, 1ul, &Address, &Node, &Status,
                    MPOL_MF_MOVE) >= 0,
            "move_pages: %s", strerror(errno));
    CHECK_EQUAL(Status, Node, "the page's node");
  }
}

/// The tasks of the blocks on node I belong to the next node. Every second
/// block moves there in the second round: a trace looks up the pages of each of
/// the first 256 tasks, and of later ones only now and then.
static void otherNode(void) {
  spread();
  for (int Round = 0; Round < Rounds; ++Round) {
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task affinity(node : I + 1, strict)                                \
    depend(inout : block(I)[0 : BlockBytes])
      {
        if (Round == 1 && I % 2)
          moveHere(block(I));
        work(block(I));
      }
    }
#pragma omp taskwait // the lookup is at the task's creation
  }
}

/// 32 blocks of all threads in each huge page.
static void hugePages(void) {
  for (int I = 0; I < Blocks; I += 32)
#pragma omp task affinity(node : I / 32, strict)
    memset(block(I), 1, BlockBytes);
#pragma omp taskwait
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task affinity(node : I, strict)                                    \
    depend(inout : block(I)[0 : BlockBytes])
      work(block(I));
    }
}

static void small(void) {
  for (int I = 0; I < 20000; ++I) {
#pragma omp task depend(inout : block(I % Blocks)[0 : BlockBytes])
    ++*block(I % Blocks);
  }
}

static void large(void) {
  for (int I = 0; I < 40; ++I) {
#pragma omp task firstprivate(I)
    spin(I ? 20000 : 800000000); // 0.2 s at least
  }
}

static void oneCreator(void) {
  for (int I = 0; I < 2000; ++I) {
    spin(200000);
#pragma omp task
    spin(2000);
  }
}

static void strictQueue(void) {
  for (int I = 0; I < 400; ++I) {
#pragma omp task affinity(thread : 1, strict)
    spin(100000);
  }
}

/// All data lies on the first node, and a loop follows it there.
static void firstTouchLoop(void) {
  memset(Data, 1, Blocks * BlockBytes);
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma omp taskloop affinity(data : *block(I)) grainsize(1)
    for (int I = 0; I < Blocks; ++I)
      work(block(I));
  }
}

/// Dependences by tokens of 4 bytes, all on one page.
static void tokens(void) {
  static int Tokens[Blocks];
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task affinity(node : I, strict) depend(inout : Tokens[I])
      work(block(I));
#pragma omp task depend(inout : Tokens[I])
      work(block(I));
    }
}

static void idleNodes(void) {
  for (int I = 0; I < 400; ++I) {
#pragma omp task affinity(node : I % 2, strict)
    spin(100000);
  }
}

static void imbalance(void) {
  for (int I = 0; I < 400; ++I) {
#pragma omp task affinity(node : I % 8 ? 0 : I / 8, strict)
    spin(400000);
  }
}

int main(int Count, char **Arguments) {
  static const struct {
    const char *Name;
    void (*Run)(void);
  } Programs[] = {{"good", good},
                  {"first-touch", firstTouch},
                  {"no-hint", noHint},
                  {"words", words},
                  {"untouched", untouched},
                  {"other-node", otherNode},
                  {"small", small},
                  {"huge-pages", hugePages},
                  {"large", large},
                  {"one-creator", oneCreator},
                  {"strict-queue", strictQueue},
                  {"first-touch-loop", firstTouchLoop},
                  {"tokens", tokens},
                  {"idle-nodes", idleNodes},
                  {"imbalance", imbalance}};
  const char *Name = Count > 1 ? Arguments[1] : "";
  PageBytes = (size_t)getpagesize();
  // What an entry of the kernel's table of pages leads to: 32 MB on Arm with
  // pages of 16 KB.
  const size_t Huge = PageBytes * PageBytes / 8;
  BlockBytes = strcmp(Name, "huge-pages") ? Pages * PageBytes : Huge / 32;
  char *Memory = mmap(NULL, Blocks * BlockBytes + Huge, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(Memory != MAP_FAILED, "mmap");
  Data = (char *)(((uintptr_t)Memory + Huge - 1) & ~(Huge - 1));
  const int Advice =
      strcmp(Name, "huge-pages") ? MADV_NOHUGEPAGE : MADV_HUGEPAGE;
  CHECK_EQUAL(madvise(Data, Blocks * BlockBytes, Advice), 0, "madvise");
  for (size_t I = 0; I < sizeof(Programs) / sizeof(*Programs); ++I) {
    if (strcmp(Name, Programs[I].Name) != 0)
      continue;
    if (Programs[I].Run == noHint)
      spreadByLoop();
#pragma omp parallel
#pragma omp single
    Programs[I].Run();
    return 0;
  }
  fprintf(stderr, "no program %s\n", Name);
  return 2;
}
