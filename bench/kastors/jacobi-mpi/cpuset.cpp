//===-- cpuset.cpp - What a launcher left this process --------------------===//

#include "cpuset.h"
#include "program.h"

#include <cerrno>
#include <cstring>
#include <sched.h>
#include <set>
#include <unistd.h>

using namespace kastors;

CpuSet CpuSet::ofThisThread() {
  constexpr int Most = 8192;
  cpu_set_t *Mask = CPU_ALLOC(Most);
  const size_t Size = CPU_ALLOC_SIZE(Most);
  if (!Mask || sched_getaffinity(0, Size, Mask) != 0)
    benchFail("sched_getaffinity: %s", std::strerror(errno));
  CpuSet Set;
  for (int Cpu = 0; Cpu < Most; ++Cpu)
    if (CPU_ISSET_S(Cpu, Size, Mask))
      Set.Cpus.push_back(Cpu);
  CPU_FREE(Mask);
  return Set;
}

template <class List> static std::string listed(const List &Numbers) {
  std::string Text;
  for (int Number : Numbers)
    Text += (Text.empty() ? "" : ",") + std::to_string(Number);
  return Text;
}

std::string CpuSet::cpus() const { return listed(Cpus); }

std::string CpuSet::nodes() const {
  constexpr int MostNodes = 1024;
  std::set<int> Nodes;
  for (int Cpu : Cpus)
    for (int Node = 0; Node < MostNodes; ++Node) {
      const std::string Link = "/sys/devices/system/cpu/cpu" +
                               std::to_string(Cpu) + "/node" +
                               std::to_string(Node);
      if (access(Link.c_str(), F_OK) == 0) {
        Nodes.insert(Node);
        break;
      }
    }
  return listed(Nodes);
}
