//===-- placement.h - Where tasks ran and where their data lies -----------===//
//
// Each task notes the thread and the OS node that it runs on; after the run the
// kernel is asked for the node of every page of its data. Nothing is assumed:
// not that threads stay where they were bound, not that first touch put a page
// where it was meant to be.
//
// "OS node" is the kernel's number of a NUMA node, as in
// /sys/devices/system/node.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_PLACEMENT_H
#define KASTORS_PLACEMENT_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace kastors {

/// No node known: the page was never touched, or the kernel would not say.
constexpr int UnknownNode = -1;

/// What one task noted.
struct TaskNote {
  static constexpr uint16_t NotRun = 0xffff;
  static constexpr uint16_t RanTwice = 0xfffe;
  uint16_t Thread = NotRun; ///< omp_get_thread_num().
  int16_t Node = UnknownNode;
};
static_assert(sizeof(TaskNote) == 4, "16 notes a cache line");

/// One slot a task, written by that task only: no atomics, four bytes and one
/// getcpu (a vDSO call, about 20 ns). Used in a repetition that is not timed.
class TaskNotes {
public:
  explicit TaskNotes(size_t Tasks) : Slots(new TaskNote[Tasks]), Tasks(Tasks) {}

  /// Called by the task that \p Slot belongs to, on the thread that runs it.
  void note(size_t Slot);

  size_t size() const { return Tasks; }
  const TaskNote &operator[](size_t Slot) const { return Slots[Slot]; }

private:
  std::unique_ptr<TaskNote[]> Slots;
  size_t Tasks;
};

/// Asks the kernel for the nodes of the pages of [\p Begin, \p Begin + \p
/// Bytes), all of them. \returns the OS node that holds the most (the lowest of
/// equals), or UnknownNode when no page has one. A kernel that cannot answer
/// (no NUMA support, a sandbox) gives UnknownNode too, and \p Trouble says why.
int nodeOfPages(const void *Begin, size_t Bytes, std::string &Trouble);

/// Number of NUMA nodes of this machine; 1 without NUMA support.
unsigned nodesOfMachine();

/// Counts over the tasks of one repetition.
struct PlacementCount {
  size_t Tasks = 0;
  size_t OnThread = 0; ///< Ran on the thread that they were meant for.
  size_t OnNode = 0;   ///< Ran on the OS node that holds their data.
  size_t NotRun = 0;   ///< Always 0, or the runtime lost tasks.
  size_t RanTwice = 0; ///< Always 0.
  /// (node that the task ran on, node of its data) -> tasks.
  std::map<std::pair<int, int>, size_t> Matrix;
  std::string Trouble; ///< Why nodes are not known; empty: they are.

  void add(const TaskNote &Note, unsigned Thread, int DataNode);
  bool complete() const { return NotRun == 0 && RanTwice == 0; }
  bool nodesKnown() const { return Trouble.empty(); }
};

/// 4095 of 4096 -> "99.98 % (4095/4096)". Never rounds up to 100.
std::string shareToText(size_t Part, size_t Whole);

} // namespace kastors

#endif // KASTORS_PLACEMENT_H
