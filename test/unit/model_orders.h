//===- model_orders.h - Memory orders that are weaker -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the copy of the sources that `mutate` writes each order has a number.
// check-orders runs the model with one of them weaker than it is there:
//   LOCUS_ORDER="7 relaxed"   number 7 is relaxed
//   LOCUS_ORDERS_USED=FILE    writes the numbers of those that were used
//   LOCUS_MODEL_RANDOM=N      N random interleavings instead of all
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_MODEL_ORDERS_H
#define LOCUS_TEST_MODEL_ORDERS_H

namespace simulated {

class WeakOrder {
public:
  unsigned Random = 0;

  WeakOrder() {
    if (const char *Number = getenv("LOCUS_MODEL_RANDOM"))
      Random = unsigned(atoi(Number));
    const char *Text = getenv("LOCUS_ORDER");
    char Name[8] = "";
    if (!Text || sscanf(Text, "%d %7s", &Site, Name) != 2)
      return;
    Order = !strcmp(Name, "relaxed")   ? rl::mo_relaxed
            : !strcmp(Name, "acquire") ? rl::mo_acquire
            : !strcmp(Name, "release") ? rl::mo_release
                                       : rl::mo_acq_rel;
  }
  ~WeakOrder() {
    const char *Name = getenv("LOCUS_ORDERS_USED");
    FILE *File = Name ? fopen(Name, "w") : nullptr;
    for (int I = 0; File && I < MostSites; ++I)
      if (Used[I])
        fprintf(File, "%d\n", I);
    if (File)
      fclose(File);
  }

  rl::memory_order at(int Number, rl::memory_order Strong) {
    RL_VERIFY(Number < MostSites);
    Used[Number] = true;
    return Number == Site ? Order : Strong;
  }

private:
  static constexpr int MostSites = 512;
  int Site = -1;
  rl::memory_order Order = rl::mo_seq_cst;
  bool Used[MostSites] = {};
};
inline WeakOrder Weak;

} // namespace simulated

/// What order \p Number of the sources is, which is \p Strong there.
inline rl::memory_order orderAt(int Number, rl::memory_order Strong) {
  return simulated::Weak.at(Number, Strong);
}

#endif // LOCUS_TEST_MODEL_ORDERS_H
