//===-- cpuset.h - What a launcher left this process ----------------------===//

#ifndef KASTORS_CPUSET_H
#define KASTORS_CPUSET_H

#include <string>
#include <vector>

namespace kastors {

/// A set of processors.
class CpuSet {
public:
  /// Those that the calling thread may run on.
  static CpuSet ofThisThread();

  /// "0,1,4": the kernel's numbers of the processors, and of the NUMA nodes
  /// that they are on.
  std::string cpus() const;
  std::string nodes() const;

private:
  std::vector<int> Cpus;
};

} // namespace kastors

#endif // KASTORS_CPUSET_H
