//===-- memory.h - Is there enough? ---------------------------------------===//

#ifndef KASTORS_MEMORY_H
#define KASTORS_MEMORY_H

#include <cstdint>
#include <string>

namespace kastors {

/// 1610612736 -> "1.5 GiB".
std::string bytesToText(uint64_t Bytes);

/// Fails when the kernel has less than \p Bytes available (MemAvailable in
/// /proc/meminfo). mmap alone would not tell: the kernel overcommits, and the
/// program would be killed in the middle of a run.
void requireMemory(uint64_t Bytes, const char *Advice);

} // namespace kastors

#endif // KASTORS_MEMORY_H
