//===-- blas.h - An OpenBLAS that stays on the caller's thread ------------===//

#ifndef KASTORS_BLAS_H
#define KASTORS_BLAS_H

namespace kastors {

/// Makes sure that OpenBLAS can be called from several threads and has none of
/// its own. It starts those when it is loaded, before main, unless the
/// environment forbids it: so this starts the program anew with
/// OPENBLAS_NUM_THREADS=1 where that is not set. Call it first in main.
void requireOneThreadBlas(char **Args);

} // namespace kastors

#endif // KASTORS_BLAS_H
