//===-- jacobi_taskdep_affinity_nonstrict.cpp - Dependences and a hint ----===//
//
// First touch is strict, as in jacobi_taskdep_affinity.cpp. Computing tasks are
// only meant for their owner: an idle thread may take one.
//
//===----------------------------------------------------------------------===//

#include "jacobi.h"

using namespace kastors;

void kastors::solveTaskdepAffinityNonstrict(Jacobi &J) {
#pragma omp parallel
#pragma omp single
  for (size_t Step = 0; Step < J.steps(); ++Step)
    for (size_t Row = 0; Row < J.side(); ++Row)
      for (size_t Column = 0; Column < J.side(); ++Column) {
        Stencil S = J.stencil(Step, Row, Column);
#pragma omp task depend(in : *S.Centre, *S.North, *S.South, *S.West, *S.East)  \
    depend(out : *S.Out) affinity(thread : J.owner(Row, Column))
        J.computeBlock(S, Step, Row, Column);
      }
}
