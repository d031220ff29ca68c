//===-- jacobi_taskdep_affinity.cpp - Dependences, strict placement -------===//
//
// Every block is touched first and computed by the thread that owns it, and by
// no other.
//
//===----------------------------------------------------------------------===//

#include "jacobi.h"

using namespace kastors;

void kastors::initTaskdepAffinity(Jacobi &J) {
#pragma omp parallel
#pragma omp single
  for (size_t Row = 0; Row < J.side(); ++Row)
    for (size_t Column = 0; Column < J.side(); ++Column) {
#pragma omp task depend(out : *J.first(0, Row, Column))                        \
    affinity(thread : J.owner(Row, Column), strict)
      J.initBlock(Row, Column);
    }
}

void kastors::solveTaskdepAffinity(Jacobi &J) {
#pragma omp parallel
#pragma omp single
  for (size_t Step = 0; Step < J.steps(); ++Step)
    for (size_t Row = 0; Row < J.side(); ++Row)
      for (size_t Column = 0; Column < J.side(); ++Column) {
        Stencil S = J.stencil(Step, Row, Column);
#pragma omp task depend(in : *S.Centre, *S.North, *S.South, *S.West, *S.East)  \
    depend(out : *S.Out) affinity(thread : J.owner(Row, Column), strict)
        J.computeBlock(S, Step, Row, Column);
      }
}
