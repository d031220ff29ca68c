//===-- jacobi_for.cpp - A worksharing loop over the blocks ---------------===//
//
// Both loops have the same bounds, the same static schedule and the same team:
// every thread computes the blocks that it touched first.
//
//===----------------------------------------------------------------------===//

#include "jacobi.h"

using namespace kastors;

void kastors::initFor(Jacobi &J) {
#pragma omp parallel for collapse(2) schedule(static)
  for (size_t Row = 0; Row < J.side(); ++Row)
    for (size_t Column = 0; Column < J.side(); ++Column)
      J.initBlock(Row, Column);
}

void kastors::solveFor(Jacobi &J) {
#pragma omp parallel
  for (size_t Step = 0; Step < J.steps(); ++Step) {
#pragma omp for collapse(2) schedule(static)
    for (size_t Row = 0; Row < J.side(); ++Row)
      for (size_t Column = 0; Column < J.side(); ++Column)
        J.computeBlock(J.stencil(Step, Row, Column), Step, Row, Column);
  }
}
