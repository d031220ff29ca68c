// Debian's prebuilt units were compiled against the unpatched headers. They
// reach the expressions of an affinity clause at the end of the class, so its
// size is part of an ABI that the series must not change.

#include "clang/AST/OpenMPClause.h"

static_assert(sizeof(clang::OMPAffinityClause) == 24 &&
                  alignof(clang::OMPAffinityClause) == 8,
              "the layout of OMPAffinityClause differs from Debian's");
