// A random graph of tasks: what each one does, and what must be true of it.
// A plan is made before the graph runs and only read then.
//
// Everything is a record with a number: explicit tasks; the parts of an
// implicit task (what a thread does in a phase of its region); iterations of
// taskloop and for.

#ifndef LOCUS_STRESS_PLAN_H
#define LOCUS_STRESS_PLAN_H

#include "options.h"

namespace stress {

using Id = int;
constexpr Id None = -1;

/// How a task uses a cell, as in its depend clause.
enum class Access : uint8_t { In, Out, InOut, Mutex, Set };
constexpr int NumAccesses = 5;

struct Dependence {
  Id Cell;
  Access How;
  /// The sibling that wrote the cell last before this one; it must be visible.
  Id Writer;
};

enum class Step : uint8_t {
  Create,     ///< task Which
  Wait,       ///< taskwait; deadline Which
  WaitDepend, ///< taskwait with the dependences of Waits[Which]
  Yield,
  Group,        ///< taskgroup Groups[Which]
  Loop,         ///< taskloop Loops[Which]
  Parallel,     ///< Regions[Which]
  Fulfil,       ///< the event of task Which
  FulfilOutside ///< the same, by a thread unknown to OpenMP
};

struct Action {
  Step What;
  Id Which;
};
using Actions = std::vector<Action>;

enum class HintKind : uint8_t { None, Thread, Node, Data, List };

struct Hint {
  HintKind Kind = HintKind::None;
  intptr_t Value = 0; ///< Data, List: an index for Run::address()
  bool Strict = false;
  bool ByClause = false;
};

/// The construct that creates a task: what cannot be chosen at run time.
enum class Form : uint8_t {
  Plain,
  Depend, ///< iterators over any number of cells of any kind
  FixedIn,
  FixedOut,
  FixedInOut,
  FixedMutex,
  FixedSet,
  AllMemory,
  Priority,
  Mergeable,
  Untied,
  Split, ///< untied, with a taskyield between its two parts
  Class, ///< firstprivate object with constructor and destructor
  Detach,
  Cancel, ///< with a cancellation point between its parts, maybe cancels
  Reduce  ///< in_reduction
};

/// Who fulfils the event of a detached task.
enum class Fulfiller : uint8_t {
  Body,
  Creator,
  Sibling,        ///< a task that the creator creates behind it
  Child,          ///< a task that its body creates
  ThreadOfBody,   ///< a thread unknown to OpenMP, asked by the body
  ThreadOfParent, ///< the same, asked by the creator
  Later           ///< when the task may have successors, see planFulfil()
};

enum class Sort : uint8_t { Explicit, Part, Iteration };

struct Task {
  Sort What = Sort::Explicit;
  Form How = Form::Plain;
  Id Parent = None; ///< the record that creates it
  Id Region = None;
  Id Group = None; ///< the innermost taskgroup that waits for it
  bool Undeferred = false;
  bool Final = false;
  bool Included = false; ///< created by a final task
  bool Cancels = false;
  int Meets = 0; ///< of the gang that its taskgroup is; else 0
  int Priority = 0;
  Hint Where;
  Fulfiller By = Fulfiller::Body;
  Id Fulfils = None; ///< the task whose event it fulfils
  Id FulfilledBy = None;
  bool Holds = false; ///< a child of it fulfils one
  Id After = None;    ///< undeferred: what its creator does next
  std::vector<Dependence> Depends;
  std::vector<Id> Before;    ///< must have finished when it starts
  std::vector<Id> Exclusive; ///< must not overlap with it
  std::vector<Id> Deadlines; ///< must not be reached before it has finished
  Actions First, Second;
};

/// A moment before which some tasks must have finished.
struct Deadline {
  enum Kind : uint8_t {
    Wait,
    WaitDepend,
    Group,
    Loop,
    Undeferred, ///< what stands behind an undeferred task
    Barrier,
    End ///< of a region
  };
  Kind What;
  Id Of; ///< the record that reaches it, or the region
};

struct Group {
  Id Outer = None;
  Id Deadline = None;
  bool Cancellable = false;
  bool Reduction = false;
  Actions Body;
};

struct WaitDepend {
  std::vector<Dependence> Depends;
  Id Deadline = None;
};

enum class LoopForm : uint8_t { Grainsize, NumTasks, NoGroup, Reduction };

struct Loop {
  LoopForm How = LoopForm::Grainsize;
  bool Deferred = true;
  int Size = 1; ///< grain size or number of tasks
  Hint Where;
  Id Group = None; ///< its implicit taskgroup
  std::vector<Id> Iterations;
};

enum class PhaseForm : uint8_t {
  Parts, ///< each thread has its own
  Single,
  SingleNoWait,
  Masked,
  For,
  ForNoWait,
  ForStatic,
  Gang ///< single, behind a barrier; begins with tasks that meet
};

struct Phase {
  PhaseForm How = PhaseForm::Parts;
  std::vector<Id> Bodies;
  bool Barrier = false; ///< an explicit one behind it
  Id Deadline = None;   ///< of the barrier at its end, if it has one

  bool waits() const {
    return Barrier || How == PhaseForm::Single || How == PhaseForm::For ||
           How == PhaseForm::ForStatic || How == PhaseForm::Gang;
  }
};

/// How a region gets its team: with which size, and on which places.
enum class TeamForm : uint8_t {
  Clause,  ///< num_threads
  Setting, ///< omp_set_num_threads
  Close,   ///< num_threads, and proc_bind
  Spread,
  Primary
};
constexpr int NumTeamForms = 5;

struct Region {
  int Threads = 1;
  TeamForm How = TeamForm::Clause;
  Id Deadline = None; ///< its end
  std::vector<Phase> Phases;
};

/// Each record has so many cells for the dependences among its children.
constexpr int CellsOfRecord = 4;

struct Graph {
  uint64_t Number = 0;
  std::vector<Task> Tasks;
  std::vector<Deadline> Deadlines;
  std::vector<Group> Groups;
  std::vector<WaitDepend> Waits;
  std::vector<Loop> Loops;
  std::vector<Region> Regions;
  std::vector<Id> Top; ///< regions to run one after the other
};

/// The plan of graph \p Number; the same whenever the options are the same.
Graph makeGraph(const Options &O, uint64_t Number);

/// What record or deadline \p Which of \p G is, in words.
std::string describe(const Graph &G, Id Which);
std::string describeDeadline(const Graph &G, Id Which);

} // namespace stress

#endif
