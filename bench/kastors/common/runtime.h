//===-- runtime.h - The OpenMP runtime that this process runs on ----------===//

#ifndef KASTORS_RUNTIME_H
#define KASTORS_RUNTIME_H

#include <cstdint>

namespace kastors {

/// \returns whether the runtime that was loaded has task affinity: the entry
/// that the clause with a kind is compiled to, and omp_set_task_affinity.
bool runtimeHasTaskAffinity();

/// Kinds of omp_set_task_affinity, as in our omp.h: other compilers have
/// theirs.
enum AffinityKind { AffinityThread = 1, AffinityNode = 2, AffinityData = 3 };

/// omp_set_task_affinity, taken from the runtime that was loaded; null where it
/// has none.
using SetTaskAffinity = void (*)(int Kind, uintptr_t Value, int Strict);
SetTaskAffinity setTaskAffinity();

} // namespace kastors

#endif // KASTORS_RUNTIME_H
