//===- support/array.h - Arrays, and sorting them ---------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_ARRAY_H
#define LOCUS_SUPPORT_ARRAY_H

#include "locus/support/check.h"
#include "locus/support/cpu.h"
#include "locus/support/host.h"

#include <new>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace locus {

/// Cache-line aligned array of \p Count value-initialized T; null if there is
/// no memory. Free with free().
template <class T> T *makeArray(size_t Count) {
  static_assert(alignof(T) <= CacheLine, "it is no more than aligned to lines");
  void *Memory = nullptr;
  if (posix_memalign(&Memory, CacheLine, Count * sizeof(T)) != 0)
    return nullptr;
  T *Array = static_cast<T *>(Memory);
  for (size_t I = 0; I < Count; ++I)
    new (&Array[I]) T();
  return Array;
}

/// An array that owns its memory. Its size changes only by renew().
template <class T> class Array {
public:
  Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { release(); }

  /// Becomes \p NewSize value-initialized T; what it held is gone. False if
  /// there is no memory: the array is empty then.
  bool renew(size_t NewSize) {
    release();
    Items = makeArray<T>(NewSize);
    Size = Items ? NewSize : 0;
    return Items != nullptr;
  }

  void release() {
    for (size_t I = 0; I < Size; ++I)
      Items[I].~T();
    free(Items);
    Items = nullptr;
    Size = 0;
  }

  size_t size() const { return Size; }
  T *data() { return Items; }
  const T *data() const { return Items; }

  template <class Index> T &operator[](Index I) {
    LOCUS_CHECK(size_t(I) < Size);
    return Items[I];
  }
  template <class Index> const T &operator[](Index I) const {
    LOCUS_CHECK(size_t(I) < Size);
    return Items[I];
  }

private:
  T *Items = nullptr;
  size_t Size = 0;
};

/// An array that grows, of T, which are copied like bytes. Where there is no
/// memory the program ends.
template <class T> class Growing {
  static_assert(__is_trivially_copyable(T), "realloc moves them");

public:
  Growing() = default;
  Growing(const Growing &) = delete;
  Growing &operator=(const Growing &) = delete;
  ~Growing() { free(Items); }

  void add(const T &Item) {
    if (Size == Room) {
      Room = Room ? 2 * Room : 16;
      Items = static_cast<T *>(realloc(Items, Room * sizeof(T)));
      if (!Items)
        outOfMemory();
    }
    Items[Size++] = Item;
  }
  /// Forgets those from the one with number \p Count on; keeps their memory.
  void shorten(size_t Count) {
    LOCUS_CHECK(Count <= Size);
    Size = Count;
  }
  size_t size() const { return Size; }
  T *data() { return Items; }
  template <class Index> T &operator[](Index I) const {
    LOCUS_CHECK(size_t(I) < Size);
    return Items[I];
  }

private:
  T *Items = nullptr;
  size_t Size = 0, Room = 0;
};

/// The size for what has room for \p Room items and needs room for \p Wanted,
/// which are more: a quarter more than before, if that is enough. A team may
/// grow by one thread in each of many regions.
inline size_t grownRoom(size_t Room, size_t Wanted) {
  const size_t More = Room + Room / 4;
  return Wanted > More ? Wanted : More;
}

/// Sorts \p Count keys, the smallest first. Shell's method: what comes in is
/// short or nearly in order, each thread of a new team does it, and qsort()
/// asks for memory.
inline void sortKeys(uint64_t *Keys, size_t Count) {
  size_t Gap = 1;
  while (Gap < Count / 3)
    Gap = 3 * Gap + 1;
  for (; Gap > 0; Gap /= 3)
    for (size_t I = Gap; I < Count; ++I) {
      const uint64_t Key = Keys[I];
      size_t Hole = I;
      for (; Hole >= Gap && Keys[Hole - Gap] > Key; Hole -= Gap)
        Keys[Hole] = Keys[Hole - Gap];
      Keys[Hole] = Key;
    }
}

} // namespace locus

#endif // LOCUS_SUPPORT_ARRAY_H
