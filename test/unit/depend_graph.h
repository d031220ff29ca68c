//===- depend_graph.h - Graphs of dependences for tests ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depend clauses, made up or random, and what OpenMP says about them: whom each
// task waits for. That is read off the specification's text, pair by pair, so
// it knows nothing of what the core remembers or forgets.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_DEPEND_GRAPH_H
#define LOCUS_TEST_DEPEND_GRAPH_H

#include "locus/depend/domain.h"

#include <ostream>
#include <string>
#include <vector>

namespace locus::test {

/// What a task says, or a taskwait.
struct Clause {
  std::vector<Dependence> Items;
  bool IsAll = false;  ///< omp_all_memory instead of items
  bool IsWait = false; ///< of a taskwait: nobody waits for that
};

/// All clauses of one creator, in their order.
using Clauses = std::vector<Clause>;

/// For each clause, those before it that must have ended before it goes on.
std::vector<std::vector<int>> predecessors(const Clauses &All);
/// The same the other way round.
std::vector<std::vector<int>>
successors(const std::vector<std::vector<int>> &Before);

/// Whether two tasks may not run at the same time, in whatever order.
bool exclude(const Clause &One, const Clause &Other);
bool hasMutex(const Clause &Of);

/// What random clauses are like.
struct GraphShape {
  const char *Name;
  int Tasks = 0;
  int Addresses = 1;
  int MostItems = 3;
  int Out = 1, In = 1, Mutex = 1, Set = 1; ///< shares of the items
  int AllOf1000 = 0;                       ///< tasks with all memory
  int WaitsOf1000 = 0;
  int LargeOf1000 = 0; ///< tasks with LargeItems
  int LargeItems = 0;
};
void PrintTo(const GraphShape &Shape, std::ostream *Out);

Clauses randomClauses(const GraphShape &Shape, unsigned Seed);

/// Shapes that differ in what is frequent.
const std::vector<GraphShape> &graphShapes();

/// "In 3, Out 4".
std::string toString(const Clause &What);

/// Adds \p N to \p D, or has it wait. What the core's users do.
void enter(Domain &D, NodePool &Mine, Node &N, const Clause &What,
           void *Context = nullptr);

} // namespace locus::test

#endif // LOCUS_TEST_DEPEND_GRAPH_H
