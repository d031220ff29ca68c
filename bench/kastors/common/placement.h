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
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace kastors {

/// No node known: the page was never touched, or the kernel would not say.
constexpr int UnknownNode = -1;

/// OS node -> pages.
using NodePages = std::map<int, size_t>;

/// Asks the kernel for the nodes of the pages of [\p Begin, \p Begin + \p
/// Bytes), all of them; untouched ones count as UnknownNode. A kernel that
/// cannot answer (no NUMA support, a sandbox) gives nothing, and \p Trouble
/// says why.
NodePages nodesOfPages(const void *Begin, size_t Bytes, std::string &Trouble);

/// \returns the OS node that holds the most pages (the lowest of equals), or
/// UnknownNode when no page has one.
int nodeOfMost(const NodePages &Nodes);

/// Number of NUMA nodes of this machine; 1 without NUMA support.
unsigned nodesOfMachine();

/// The thread that touched a task's data first, where the program does not say.
constexpr int FirstToucher = -1;

/// One task: what it works on, and what it notes when it runs.
struct TaskNote {
  const void *Data;
  size_t Bytes;
  int Meant;      ///< Thread number, or FirstToucher.
  int Thread = 0; ///< omp_get_thread_num() of the last run.
  int Node = UnknownNode;
  unsigned Runs = 0;
};

/// Counts over the tasks of one phase.
struct PlacementCount {
  size_t Tasks = 0;
  size_t OnThread = 0; ///< Ran on the thread that they were meant for.
  size_t OnNode = 0;   ///< Ran on the OS node that holds most of their data.
  size_t NotRun = 0;   ///< Always 0, or the runtime lost tasks.
  size_t RanTwice = 0; ///< Always 0.
  /// (node that the task ran on, node of a page of its data) -> pages, counted
  /// once a task.
  std::map<std::pair<int, int>, size_t> Matrix;
  std::string Trouble; ///< Why nodes are not known; empty: they are.

  void add(const TaskNote &Note, int Meant, const NodePages &Nodes);
  bool complete() const { return NotRun == 0 && RanTwice == 0; }
  bool nodesKnown() const { return Trouble.empty(); }
};

/// Placement of a run: of the tasks that touch the data first, and of those
/// that compute; and where the data lies.
struct PlacementReport {
  PlacementCount Init;
  PlacementCount Compute;
  NodePages Data; ///< All pages that init tasks touched.
};

/// Takes notes in a repetition that is not timed; at other times its two calls
/// cost a branch each.
class PlacementMeter {
public:
  enum class Phase { Off, Init, Compute };

  /// The tasks that are announced from now on belong to \p Now. Init forgets
  /// all earlier ones. Call it outside of parallel regions.
  void start(Phase Now);

  /// Announces a task where it is created; any thread may call. \p Data: what
  /// it writes, the same address for all tasks that write it. \p Meant: the
  /// thread that it was meant for. \returns the note for ran, or null when no
  /// notes are taken.
  TaskNote *expect(const void *Data, size_t Bytes, int Meant = FirstToucher);

  /// The task that \p Note belongs to calls this when it runs.
  static void ran(TaskNote *Note) {
    if (Note)
      write(*Note);
  }

  /// For work that is no task: announced and run at once.
  void here(const void *Data, size_t Bytes, int Meant = FirstToucher) {
    ran(expect(Data, Bytes, Meant));
  }

  /// Evaluates the notes of Init and Compute.
  PlacementReport report() const;

private:
  static void write(TaskNote &Note);

  Phase Now = Phase::Off;
  std::mutex Lock;                    ///< Of both lists.
  std::deque<TaskNote> Init, Compute; ///< Elements stay where they are.
};

/// 4095 of 4096 -> "99.98 % (4095/4096)". Never rounds up to 100.
std::string shareToText(size_t Part, size_t Whole);

} // namespace kastors

#endif // KASTORS_PLACEMENT_H
