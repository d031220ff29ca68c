//===- model_subspace.cpp - Threads that intern parts of memory spaces ----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// data/subspace.cpp itself: a list that grows at its front, without a lock.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MUTANTS // there are none here

#include "model.h"

#include "locus/machine/topology.h"

/// Memory whose plain fields are watched; it stays until the test ends.
static void *allocateWatched(size_t Bytes) {
  void *Memory = malloc(Bytes);
  simulated::Watched.watch(Memory, Bytes, 0);
  simulated::Watched.keep(Memory);
  return Memory;
}
static void freeNothing(void *) {}

#define std simulated
#define malloc allocateWatched
#define free freeNothing
#include "locus/data/subspace.cpp"
#undef free
#undef malloc
#undef std

using namespace locus;
using namespace locus::test;

namespace {

constexpr uintptr_t Parent = 5;

NodeSet setOf(int Node) {
  NodeSet Nodes;
  Nodes.add(Node);
  return Nodes;
}

/// The digits of Steps::Of[T] are the nodes of the sets that thread T interns,
/// one after the other. '?' finds what the test's first thread has interned.
template <class Steps, int NumThreads>
struct Interns : rl::test_suite<Interns<Steps, NumThreads>, NumThreads> {
  alignas(Subspaces) char Memory[sizeof(Subspaces)];
  Subspaces *Known;
  rl::atomic<Subspace *> Told; ///< says nothing of what was before
  // Of the checker, not of the program.
  const Subspace *Of[10] = {};

  void before() {
    simulated::Watched.reset();
    Known = new (Memory) Subspaces;
    Told.store(nullptr, rl::mo_relaxed, $);
  }

  void thread(unsigned Self) {
    for (const char *Step = Steps::Of[Self]; *Step; ++Step) {
      if (*Step == '?') {
        const Subspace *Handle = Told.load(rl::mo_relaxed, $);
        const Subspace *Found = Handle ? Known->find(Handle) : nullptr;
        RL_ASSERT(!Found || Found->Parent == Parent);
        continue;
      }
      const int Node = *Step - '0';
      const Subspace *Made = Known->intern(Parent, setOf(Node));
      RL_ASSERT(Made && Made->Parent == Parent);
      RL_ASSERT(!Of[Node] || Of[Node] == Made);
      Of[Node] = Made;
      if (Self == 0)
        Told.store(const_cast<Subspace *>(Made), rl::mo_relaxed, $);
    }
  }

  void after() {
    Known->~Subspaces();
    simulated::Watched.end();
  }
};

struct Same {
  static constexpr const char *Of[] = {"1", "1", "1"};
};
struct Crossed {
  static constexpr const char *Of[] = {"12", "21"};
};
struct Finds {
  static constexpr const char *Of[] = {"12", "?"};
};

} // namespace

TEST(ModelSubspaceTest, same) { checkAll<Interns<Same, 3>>(2); }
TEST(ModelSubspaceTest, crossed) { checkAll<Interns<Crossed, 2>>(3); }
TEST(ModelSubspaceTest, finds) { checkAll<Interns<Finds, 2>>(3); }

#endif
