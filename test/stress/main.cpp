// Random task graphs, run and checked. README.md; --help.

#include "run.h"

#include <stdio.h>

using namespace stress;

int main(int argc, char **argv) {
  const Options O = parse(argc, argv);
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  startWatchdog(O, argv[0]);
  long Graphs = 0, Tasks = 0, Cancelled = 0;
  while ((!O.Graphs || Graphs < O.Graphs) && (!O.Tasks || Tasks < O.Tasks)) {
    const Graph G = makeGraph(O, uint64_t(O.Only >= 0 ? O.Only : Graphs));
    Run Now(O, G);
    watch(&Now, G.Number);
    Now.run();
    Cancelled += Now.check();
    watch(nullptr, G.Number);
    ++Graphs;
    Tasks += long(G.Tasks.size());
  }
  if (!O.Quiet)
    printf("stress: %ld tasks in %ld graphs, %ld cancelled, places %s, "
           "cancellation %s, %ld in place\n",
           Tasks, Graphs, Cancelled,
           Run::hasPlaces() ? "checked" : "not checked",
           omp_get_cancellation() ? "on" : "off", Run::inPlace());
  return 0;
}
