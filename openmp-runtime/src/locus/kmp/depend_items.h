//===- kmp/depend_items.h - The dependences of a chunk ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_DEPEND_ITEMS_H
#define LOCUS_KMP_DEPEND_ITEMS_H

#include "kmp.h"
#include "locus/support/host.h"

#include <stdlib.h>
#include <string.h>

namespace locus {

/// Items of depend clauses, each address once, in the order in which the
/// addresses came first. So what many iterations name takes no memory for each
/// of them.
class DependItems {
public:
  DependItems() = default;
  ~DependItems() {
    free(Items);
    free(Slots);
  }
  DependItems(const DependItems &) = delete;
  DependItems &operator=(const DependItems &) = delete;

  kmp_int32 count() const { return kmp_int32(Count); }
  kmp_depend_info_t *data() { return Items; }

  /// Adds \p Item. If its address is there in another way, it is inout now:
  /// that orders most. The null pointer is no storage: it is left out.
  void add(const kmp_depend_info_t &Item) {
    if (Item.base_addr == 0 && Item.flag != KMP_DEP_ALL)
      return;
    if (Count == Room)
      grow();
    uint32_t &Slot = slotOf(Item.base_addr);
    if (Slot == 0) {
      Items[Count] = Item;
      Slot = ++Count;
      return;
    }
    kmp_depend_info_t &Old = Items[Slot - 1];
    if (Old.flag != Item.flag)
      Old.flag = KMP_DEP_INOUT;
    if (Old.len < Item.len)
      Old.len = Item.len;
  }

  void clear() {
    if (Count != 0)
      memset(Slots, 0, 2 * size_t(Room) * sizeof(*Slots));
    Count = 0;
  }

private:
  /// Of the address: 0, or the number of its item, counted from 1.
  uint32_t &slotOf(kmp_intptr_t Address) {
    const uint32_t Mask = 2 * Room - 1;
    // Fibonacci hashing; linear probing.
    uint32_t I = uint32_t(uint64_t(Address) * 0x9e3779b97f4a7c15 >> 32) & Mask;
    while (Slots[I] != 0 && Items[Slots[I] - 1].base_addr != Address)
      I = (I + 1) & Mask;
    return Slots[I];
  }

  void grow() {
    // A list of OpenMP's counts in 31 bits.
    if (Room == uint32_t(1) << 30)
      outOfMemory();
    Room = Room == 0 ? 16 : 2 * Room;
    void *More = realloc(Items, size_t(Room) * sizeof(*Items));
    free(Slots);
    Slots = static_cast<uint32_t *>(calloc(2 * size_t(Room), sizeof(*Slots)));
    if (!More || !Slots)
      outOfMemory();
    Items = static_cast<kmp_depend_info_t *>(More);
    for (uint32_t I = 0; I < Count; ++I)
      slotOf(Items[I].base_addr) = I + 1;
  }

  kmp_depend_info_t *Items = nullptr;
  uint32_t *Slots = nullptr; ///< a table of 2 * Room
  uint32_t Room = 0;         ///< of Items: a power of two
  uint32_t Count = 0;
};

} // namespace locus

#endif // LOCUS_KMP_DEPEND_ITEMS_H
