//===-- runtime.h - The OpenMP runtime that this process runs on ----------===//

#ifndef KASTORS_RUNTIME_H
#define KASTORS_RUNTIME_H

#include <string>

namespace kastors {

/// \returns the file of the OpenMP runtime that was really loaded, symbolic
/// links resolved. LD_LIBRARY_PATH, RUNPATH and RPATH all have a say in it, so
/// the program asks the loader instead of believing any of them.
std::string runtimePath();

/// \returns whether that runtime has the entry that the affinity clause with a
/// kind is compiled to.
bool runtimeHasTaskAffinity();

/// \returns the number of threads that a parallel region really gets.
unsigned teamSize();

} // namespace kastors

#endif // KASTORS_RUNTIME_H
