//===-- shapes.cpp - Forms of dependence, with oneTBB's flow graph --------===//
//
// The tasks of ../shapes.c as nodes of a flow graph. oneTBB knows edges, not
// addresses, and a graph must be complete before it runs: the program finds the
// edges as an OpenMP runtime would, then starts the nodes that have none
// coming in. ns_creation is the time until then.
//
//===----------------------------------------------------------------------===//

#include "../peer/shapes.h"
#include "../../micro/tbb/tbb.h"
#include "driver.h"

#include <deque>

#include <tbb/flow_graph.h>

using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;

/// Who used a cell last.
struct Users {
  Node *Writer = nullptr;
  std::vector<Node *> Readers; ///< Since then.
};

/// Edges from the tasks that \p I has to wait for. \returns whether there are.
static bool connect(Node &To, const Access &A, std::vector<Users> &Of) {
  bool Waits = false;
  auto After = [&](Node *From) {
    if (From && From != &To) {
      tbb::flow::make_edge(*From, To);
      Waits = true;
    }
  };
  for (int J = 0; J < A.InCount; ++J) {
    After(Of[A.In[J]].Writer);
    Of[A.In[J]].Readers.push_back(&To);
  }
  Users &Out = Of[A.Out];
  if (Out.Readers.empty())
    After(Out.Writer);
  for (Node *Reader : Out.Readers)
    After(Reader);
  Out.Readers.clear();
  Out.Writer = &To;
  return Waits;
}

static void runGraph() {
  const double Start = benchSeconds();
  tbb::flow::graph Graph;
  std::deque<Node> Nodes;
  std::vector<Node *> Roots;
  std::vector<Users> Of(Cells.size());
  for (long I = 0; I < Tasks; ++I) {
    Node &To = Nodes.emplace_back(
        Graph, [I](const tbb::flow::continue_msg &) { work(I); });
    if (!connect(To, accessOf(I), Of))
      Roots.push_back(&To);
  }
  noteCreation(benchSeconds() - Start);
  for (Node *Root : Roots)
    Root->try_put(tbb::flow::continue_msg());
  Graph.wait_for_all();
}

static void run() { benchArena().execute(runGraph); }

int main(int ArgCount, char **Args) {
  return shapesMain(ArgCount, Args, "depend-shapes-tbb",
                    "Empty tasks with dependences of one form as nodes of "
                    "oneTBB's flow graph, which\nis made and run.",
                    run);
}
