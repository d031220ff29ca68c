//===- data_reserve.cpp - Tests of data/reserve ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/reserve.h"
#include "locus/machine/topology.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace locus;

static std::string zone(const std::string &Header, int Low, int Managed,
                        const std::string &Protection) {
  return "Node " + Header + "\n  per-node stats\n      nr_dirty     535\n" +
         "  pages free     3840\n        boost    7\n        min      12\n" +
         "        low      " + std::to_string(Low + 7) +
         "\n        high     106\n" + "        managed  " +
         std::to_string(Managed) + "\n        protection: (" + Protection +
         ")\n  pagesets\n    cpu: 0\n              high:  7\n";
}

static std::vector<int> reserves(std::string Text, int NumNodes) {
  std::vector<int> Pages(size_t(NumNodes), 77);
  FILE *File = fmemopen(Text.data(), Text.size(), "r");
  readReserves(File, Pages.data(), NumNodes);
  fclose(File);
  return Pages;
}

TEST(DataReserveTest, addsUpZones) {
  const std::string Text =
      // The whole zone is kept from those who could have another one.
      zone("0, zone      DMA", 15, 3840, "0, 3019, 20683, 20683, 20683") +
      zone("0, zone    DMA32", 500, 700000, "0, 0, 17664, 17664, 17664") +
      zone("0, zone   Normal", 3000, 4500000, "0, 0, 0, 0, 0") +
      zone("0, zone  Movable", 0, 0, "0, 0, 0, 0, 0") +
      zone("2, zone   Normal", 800, 16000, "0, 0, 0, 0") +
      zone("9, zone   Normal", 800, 16000, "0, 0, 0, 0");
  EXPECT_EQ(reserves(Text, 4),
            (std::vector<int>{3840 + 500 + 17664 + 3000 + 4 * 99, -1,
                              800 + 2 * 99, -1}));
}

TEST(DataReserveTest, nothingIsSaid) {
  EXPECT_EQ(reserves("\n", 2), (std::vector<int>{-1, -1}));
  EXPECT_EQ(reserves("Node 0, zone Normal\n low 5\n", 2),
            (std::vector<int>{-1, -1}));
}

TEST(DataReserveTest, ofThisMachine) {
  FILE *File = fopen("/proc/zoneinfo", "re");
  if (File)
    fclose(File);
  EXPECT_EQ(reserveOf(0) > 0, File != nullptr);
  EXPECT_EQ(reserveOf(-1), -1);
  EXPECT_EQ(reserveOf(MaxOsNodes), -1);
}
