// What a record or a deadline is, in words.

#include "plan.h"

namespace stress {

std::string describe(const Graph &G, Id Which) {
  static const char *const Accesses[] = {"in", "out", "inout", "mutexinoutset",
                                         "inoutset"};
  static const char *const Forms[] = {"plain",
                                      "depend(iterator)",
                                      "depend(in)",
                                      "depend(out)",
                                      "depend(inout)",
                                      "depend(mutexinoutset)",
                                      "depend(inoutset)",
                                      "depend(omp_all_memory)",
                                      "priority",
                                      "mergeable",
                                      "untied",
                                      "untied in two parts",
                                      "firstprivate class",
                                      "detach",
                                      "cancellation point",
                                      "in_reduction"};
  static const char *const Kinds[] = {"", "thread", "node", "data", "list"};
  static const char *const Fulfillers[] = {
      "its body",      "its creator",           "task",
      "task",          "a thread for the body", "a thread for its creator",
      "a later record"};
  static const char *const Teams[] = {"", " by omp_set_num_threads", ", close",
                                      ", spread", ", primary"};
  const Task &T = G.Tasks[size_t(Which)];
  const Region &R = G.Regions[size_t(T.Region)];
  std::string Text = T.What == Sort::Explicit    ? "task "
                     : T.What == Sort::Iteration ? "iteration "
                                                 : "part ";
  Text += std::to_string(Which);
  if (T.Parent != None)
    Text += " of " + std::to_string(T.Parent);
  Text += " (region " + std::to_string(T.Region) + " of " +
          std::to_string(R.Threads) + " threads" + Teams[int(R.How)];
  if (T.Group != None)
    Text += ", taskgroup " + std::to_string(T.Group);
  if (T.What == Sort::Explicit)
    Text += std::string(", ") + Forms[int(T.How)];
  if (T.Undeferred)
    Text += ", if(0)";
  if (T.Final)
    Text += ", final";
  if (T.Included)
    Text += ", included";
  if (T.How == Form::Detach) {
    Text += std::string(", fulfilled by ") + Fulfillers[int(T.By)];
    if (T.FulfilledBy != None)
      Text += " " + std::to_string(T.FulfilledBy);
  }
  if (T.Fulfils != None)
    Text += ", fulfils the event of " + std::to_string(T.Fulfils);
  if (T.Cancels)
    Text += ", cancels its taskgroup";
  if (T.Meets)
    Text += ", one of " + std::to_string(T.Meets) + " that meet";
  if (T.Where.Kind != HintKind::None)
    Text += std::string(", ") + (T.Where.Strict ? "strict " : "") +
            Kinds[int(T.Where.Kind)] + " " + std::to_string(T.Where.Value) +
            (T.Where.ByClause ? " by clause" : "");
  for (const Dependence &D : T.Depends)
    Text +=
        std::string(", ") + Accesses[int(D.How)] + " " + std::to_string(D.Cell);
  if (!T.Before.empty()) {
    Text += ", behind";
    for (Id Older : T.Before)
      Text += " " + std::to_string(Older);
  }
  return Text + ")";
}

std::string describeDeadline(const Graph &G, Id Which) {
  static const char *const Names[] = {"taskwait of record",
                                      "taskwait with depend of record",
                                      "end of a taskgroup of record",
                                      "end of a taskloop of record",
                                      "construct behind undeferred task",
                                      "barrier of region",
                                      "end of region"};
  const Deadline &D = G.Deadlines[size_t(Which)];
  return Names[D.What] + (" " + std::to_string(D.Of));
}

} // namespace stress
