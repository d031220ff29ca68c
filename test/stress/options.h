// What the stress test is asked to do.

#ifndef LOCUS_STRESS_OPTIONS_H
#define LOCUS_STRESS_OPTIONS_H

#include <stdint.h>
#include <string>
#include <vector>

namespace stress {

/// What graphs may contain; --without leaves some out.
enum class Feature : unsigned {
  AllMemory,
  Cancel,
  Class,
  Clause,
  Depend,
  Detach,
  DetachLater,   ///< fulfilled when its creator has gone on
  DetachOutside, ///< fulfilled by a thread of another team, or of none
  DetachSerial,  ///< the same in a team of one thread
  Final,
  If0,
  InOutSet,
  Mergeable,
  MutexInOutSet,
  MutexUnwaited, ///< mutexinoutset children of a task that may end before them
  Nested,
  Priority,
  PriorityNested, ///< priorities of tasks that explicit tasks create
  Reduction,
  Strict,
  Taskloop,
  TaskloopCancel, ///< taskloop nogroup in a cancelled taskgroup
  Teams,          ///< sizes and places of teams by other means than num_threads
  Untied,
  UntiedCancel, ///< untied tasks in a cancelled taskgroup
  UntiedParent, ///< untied tasks that create tasks
  WaitDepend,
  Yield,
  Count
};

/// What --break does to one task of each graph, to see that the checks notice.
enum class Break : unsigned {
  Nothing,
  Barrier,
  Crash,
  Depend,
  Group,
  Hang,
  Included,
  Lost,
  Mutex,
  Node,
  Payload,
  Reduction,
  Thread,
  Tied,
  Twice,
  Value,
  Wait,
  Count
};

struct Options {
  uint64_t Seed = 1;
  long Graphs = 0;    ///< stop after so many; 0: no limit
  long Tasks = 20000; ///< stop after so many; 0: no limit
  long Only = -1;     ///< this graph alone, again and again
  std::vector<int> Threads = {1, 2, 3, 8};
  int MaxDepth = 6;
  int MaxTasks = 300; ///< in a graph
  int Gang = 256;     ///< tasks that meet, at most; 0: none do
  int HangSeconds = 60;
  unsigned Left = 0; ///< features that are left out, a bit for each
  Break What = Break::Nothing;
  /// The OS node of each processor of a pretended machine, in order. Empty:
  /// this machine, where the runtime is asked.
  std::vector<int> CpuNodes;
  bool Quiet = false;

  bool has(Feature F) const { return !(Left >> unsigned(F) & 1); }
};

/// Reads the command line; ends the program if it says nonsense or asks for
/// help.
Options parse(int argc, char **argv);

/// The options that make the same graph.
std::string commandLine(const Options &O);

} // namespace stress

#endif
