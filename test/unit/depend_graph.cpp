//===- depend_graph.cpp - Graphs of dependences for tests -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "depend_graph.h"

#include <random>
#include <unordered_map>

namespace locus::test {

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

/// OpenMP 5.2, 15.9.5, "depend Clause": whether a task that names a location
/// as \p Later is dependent on one before it that names it as \p Earlier.
static bool isOrdered(Access Later, Access Earlier) {
  switch (Later) {
  case Access::In:
    return Earlier == Access::Out || Earlier == Access::Mutex ||
           Earlier == Access::Set;
  case Access::Out:
    return true;
  case Access::Mutex:
    return Earlier == Access::In || Earlier == Access::Out ||
           Earlier == Access::Set;
  case Access::Set:
    return Earlier == Access::In || Earlier == Access::Out ||
           Earlier == Access::Mutex;
  case Access::None:
    break;
  }
  return false;
}

static bool isDependent(const Clause &C) { return C.IsAll || !C.Items.empty(); }

/// Who has used what, in the order of creation.
struct Uses {
  struct Use {
    int Number;
    Access How;
  };
  std::unordered_map<uintptr_t, std::vector<Use>> Of;
  std::vector<int> All;       ///< tasks that name all memory
  std::vector<int> Dependent; ///< tasks that name any

  std::vector<int> findFor(const Clause &Next) const {
    if (Next.IsAll)
      return Dependent;
    if (!isDependent(Next))
      return {};
    std::vector<int> Found = All;
    for (const Dependence &Item : Next.Items)
      if (auto Known = Of.find(Item.Address); Known != Of.end())
        for (const Use &U : Known->second)
          if (isOrdered(Item.How, U.How))
            Found.push_back(U.Number);
    return Found;
  }

  void add(int Number, const Clause &C) {
    if (isDependent(C))
      Dependent.push_back(Number);
    if (C.IsAll)
      All.push_back(Number);
    else
      for (const Dependence &Item : C.Items)
        Of[Item.Address].push_back({Number, Item.How});
  }
};

std::vector<std::vector<int>> predecessors(const Clauses &All) {
  Uses Before;
  std::vector<std::vector<int>> Result;
  std::vector<int> LastFor(All.size(), -1); // to name each only once
  for (int I = 0; I < int(All.size()); ++I) {
    std::vector<int> &Mine = Result.emplace_back();
    for (int Other : Before.findFor(All[I]))
      if (LastFor[Other] != I) {
        LastFor[Other] = I;
        Mine.push_back(Other);
      }
    if (!All[I].IsWait)
      Before.add(I, All[I]);
  }
  return Result;
}

std::vector<std::vector<int>>
successors(const std::vector<std::vector<int>> &Before) {
  std::vector<std::vector<int>> Result(Before.size());
  for (size_t I = 0; I < Before.size(); ++I)
    for (int Other : Before[I])
      Result[Other].push_back(int(I));
  return Result;
}

bool hasMutex(const Clause &Of) {
  for (const Dependence &Item : Of.Items)
    if (Item.How == Access::Mutex)
      return true;
  return false;
}

bool exclude(const Clause &One, const Clause &Other) {
  for (const Dependence &A : One.Items)
    for (const Dependence &B : Other.Items)
      if (A.Address == B.Address && A.How == Access::Mutex &&
          B.How == Access::Mutex)
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Random clauses
//===----------------------------------------------------------------------===//

static Access randomAccess(const GraphShape &Shape, std::mt19937 &Random) {
  int Drawn = int(Random() % (Shape.Out + Shape.In + Shape.Mutex + Shape.Set));
  if ((Drawn -= Shape.Out) < 0)
    return Access::Out;
  if ((Drawn -= Shape.In) < 0)
    return Access::In;
  return Drawn < Shape.Mutex ? Access::Mutex : Access::Set;
}

static Clause randomClause(const GraphShape &Shape, std::mt19937 &Random) {
  Clause Result;
  auto Happens = [&](int Of1000) { return int(Random() % 1000) < Of1000; };
  Result.IsAll = Happens(Shape.AllOf1000);
  Result.IsWait = Happens(Shape.WaitsOf1000);
  if (Result.IsAll)
    return Result;
  const int Count = Happens(Shape.LargeOf1000)
                        ? Shape.LargeItems
                        : int(Random() % (Shape.MostItems + 1));
  // Large ones mostly read, or all would come one after the other.
  const bool Reads = Count > Shape.MostItems && Random() % 2 == 0;
  for (int I = 0; I < Count; ++I)
    Result.Items.push_back({uintptr_t(1 + Random() % Shape.Addresses) * 8,
                            Reads ? Access::In : randomAccess(Shape, Random)});
  return Result;
}

Clauses randomClauses(const GraphShape &Shape, unsigned Seed) {
  std::mt19937 Random(Seed);
  Clauses Result;
  for (int I = 0; I < Shape.Tasks; ++I)
    Result.push_back(randomClause(Shape, Random));
  return Result;
}

const std::vector<GraphShape> &graphShapes() {
  static const auto &Shapes = *new std::vector<GraphShape>{
      // Name, tasks, addresses, items, out, in, mutex, set, all, waits, large
      {"OneAddress", 200, 1, 1, 1, 3, 3, 3, 0, 30},
      {"Mixed", 300, 8, 3, 1, 1, 1, 1, 10, 30},
      {"SameAddressTwice", 200, 3, 4, 1, 1, 1, 1, 0, 20},
      {"Readers", 400, 4, 2, 1, 30, 0, 0, 3, 5},
      {"Mutexes", 300, 4, 2, 0, 1, 20, 0, 0, 10},
      {"Sets", 300, 4, 2, 1, 1, 0, 20, 0, 10},
      {"ManyAddresses", 600, 2000, 8, 1, 1, 1, 1, 3, 10},
      {"AllMemory", 200, 20, 3, 1, 1, 1, 1, 200, 30},
      {"ThousandsOfItems", 120, 3000, 3, 1, 1, 1, 1, 10, 30, 100, 2500},
  };
  return Shapes;
}

void PrintTo(const GraphShape &Shape, std::ostream *Out) { *Out << Shape.Name; }

std::string toString(const Clause &What) {
  static const char *const Names[] = {"None", "In", "Out", "Mutex", "Set"};
  std::string Text = What.IsWait ? "wait:" : "task:";
  if (What.IsAll)
    Text += " all memory";
  for (const Dependence &Item : What.Items)
    Text += std::string(" ") + Names[int(Item.How)] + " " +
            std::to_string(Item.Address);
  return Text;
}

//===----------------------------------------------------------------------===//
// The core
//===----------------------------------------------------------------------===//

void enter(Domain &D, NodePool &Mine, Node &N, const Clause &What,
           void *Context) {
  if (What.IsAll)
    return What.IsWait ? D.awaitAll(Mine, N, Context)
                       : D.addAll(Mine, N, Context);
  for (const Dependence &Item : What.Items)
    if (What.IsWait)
      D.await(Mine, N, Item, Context);
    else
      D.add(Mine, N, Item, Context);
}

} // namespace locus::test
