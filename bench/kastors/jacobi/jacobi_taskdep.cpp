//===-- jacobi_taskdep.cpp - Tasks with dependences, no placement ---------===//
//
// The runtime decides where tasks run, in the first touch too.
//
//===----------------------------------------------------------------------===//

#include "jacobi.h"

using namespace kastors;

void kastors::initTaskdep(Jacobi &J) {
#pragma omp parallel
#pragma omp single
  for (size_t Row = 0; Row < J.side(); ++Row)
    for (size_t Column = 0; Column < J.side(); ++Column) {
#pragma omp task depend(out : *J.first(0, Row, Column))
      J.initBlock(Row, Column);
    }
}

void kastors::solveTaskdep(Jacobi &J) {
#pragma omp parallel
#pragma omp single
  for (size_t Step = 0; Step < J.steps(); ++Step)
    for (size_t Row = 0; Row < J.side(); ++Row)
      for (size_t Column = 0; Column < J.side(); ++Column) {
        Stencil S = J.stencil(Step, Row, Column);
#pragma omp task depend(in : *S.Centre, *S.North, *S.South, *S.West, *S.East)  \
    depend(out : *S.Out)
        J.computeBlock(S, Step, Row, Column);
      }
}
