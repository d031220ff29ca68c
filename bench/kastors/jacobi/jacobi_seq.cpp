//===-- jacobi_seq.cpp - One thread, block by block -----------------------===//

#include "jacobi.h"

using namespace kastors;

void kastors::initSequential(Jacobi &J) {
  for (size_t Row = 0; Row < J.side(); ++Row)
    for (size_t Column = 0; Column < J.side(); ++Column)
      J.initBlock(Row, Column);
}

void kastors::solveSequential(Jacobi &J) {
  for (size_t Step = 0; Step < J.steps(); ++Step)
    for (size_t Row = 0; Row < J.side(); ++Row)
      for (size_t Column = 0; Column < J.side(); ++Column)
        J.computeBlock(J.stencil(Step, Row, Column), Step, Row, Column);
}
