//===- cpu_quota.cpp - Tests of machine/launched --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/launched.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string>

using namespace locus;

namespace {

/// A /proc and mounted control groups, below a folder of their own.
class CpuQuotaTest : public testing::Test {
protected:
  CpuQuotaTest() {
    char Name[] = "/tmp/locus-quota-XXXXXX";
    Root = mkdtemp(Name);
  }
  ~CpuQuotaTest() override { std::filesystem::remove_all(Root); }

  void write(const std::string &Path, const std::string &Text) {
    const std::filesystem::path File = Root + Path;
    std::filesystem::create_directories(File.parent_path());
    std::ofstream(File) << Text;
  }

  /// Version 2 alone, mounted at /sys/fs/cgroup.
  void inVersion2(const std::string &Group, const std::string &Mounted = "/") {
    write("/proc/self/cgroup", "0::" + Group + "\n");
    write("/proc/self/mountinfo",
          "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
          "30 22 0:26 " +
              Mounted +
              " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
  }

  int quota() const { return cpuQuota(Root.c_str()); }

  std::string Root;
};

TEST_F(CpuQuotaTest, nothingIsKnown) { EXPECT_EQ(quota(), 0); }

TEST_F(CpuQuotaTest, roundsUp) {
  inVersion2("/job");
  write("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 0);
  write("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
  write("/sys/fs/cgroup/job/cpu.max", "200001 100000\n");
  EXPECT_EQ(quota(), 3);
  write("/sys/fs/cgroup/job/cpu.max", "1000 1000000\n");
  EXPECT_EQ(quota(), 1);
}

TEST_F(CpuQuotaTest, leastOfTheGroupsAbove) {
  inVersion2("/slurm/job_7/step_0");
  write("/sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/slurm/job_7/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/slurm/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota(), 3);
  write("/sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "50000 10000\n");
  EXPECT_EQ(quota(), 3);
  write("/sys/fs/cgroup/slurm/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuotaTest, ofTheRootOfANamespace) {
  // A container: its own group is what it sees as the root.
  inVersion2("/");
  write("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 4);
  inVersion2("/../../other"); // moved out of it
  EXPECT_EQ(quota(), 4);
}

TEST_F(CpuQuotaTest, ofAMountedPart) {
  inVersion2("/docker/1234/inner", "/docker/1234");
  write("/sys/fs/cgroup/inner/cpu.max", "700000 100000\n");
  EXPECT_EQ(quota(), 7);
  write("/sys/fs/cgroup/cpu.max", "500000 100000\n");
  EXPECT_EQ(quota(), 5);
  inVersion2("/docker/12345", "/docker/1234"); // a group that it does not show
  EXPECT_EQ(quota(), 5);
}

TEST_F(CpuQuotaTest, version1) {
  write("/proc/self/cgroup", "4:cpuset:/set\n"
                             "3:cpu,cpuacct:/a/b\n"
                             "0::/\n");
  write("/proc/self/mountinfo",
        "30 22 0:26 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "31 22 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
        "32 22 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/cpuset/set/cpu.cfs_quota_us", "1000\n");
  write("/sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0);
  write("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "250000\n");
  write("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 3);
  write("/sys/fs/cgroup/unified/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), 1);
}

TEST_F(CpuQuotaTest, brokenFiles) {
  inVersion2("/job");
  for (const char *Text : {"", "\n", "100000", "100000 0\n", "0 100000\n",
                           "-5 100000\n", "many 100000\n"}) {
    write("/sys/fs/cgroup/job/cpu.max", Text);
    EXPECT_EQ(quota(), 0) << Text;
  }
  write("/sys/fs/cgroup/job/cpu.max", "9223372036854775807 1\n");
  EXPECT_EQ(quota(), 2147483647);
  write("/proc/self/cgroup", "0\nnonsense\n:\n0::/job\n");
  EXPECT_EQ(quota(), 2147483647);
  write("/proc/self/mountinfo", "\n - cgroup\n1 2 - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(quota(), 0);
}

} // namespace
