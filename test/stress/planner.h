// Makes the plan of a graph, step by step.

#ifndef LOCUS_STRESS_PLANNER_H
#define LOCUS_STRESS_PLANNER_H

#include "plan.h"

namespace stress {

/// The same numbers with every C++ library.
class Random {
public:
  Random(uint64_t Seed, uint64_t Number) {
    // Scrambled, or neighbours would have the same numbers, shifted.
    State = Seed;
    State = next() ^ Number;
    State = next();
  }
  /// 0 .. \p Limit - 1
  int below(int Limit) { return int(next() % uint64_t(Limit)); }
  bool percent(int Chance) { return below(100) < Chance; }

private:
  uint64_t next() {
    uint64_t Z = State += 0x9e3779b97f4a7c15u;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
    return (Z ^ (Z >> 31)) >> 8;
  }
  uint64_t State = 0;
};

class Planner {
public:
  Planner(const Options &O, uint64_t Number) : O(O), R(O.Seed, Number) {
    G.Number = Number;
  }
  Graph make();

private:
  /// What the body of one record has created so far.
  struct Frame {
    Id Owner;
    bool MayWait;             ///< at task scheduling points that wait
    bool MustWait = false;    ///< has a child that it must not end before
    bool Ordered = false;     ///< gives its children dependences
    std::vector<Id> Siblings; ///< with dependences
    std::vector<Id> Unwaited; ///< created since the last taskwait
    std::vector<Id> Open;     ///< their events are to be fulfilled later
  };
  /// What surrounds the point where the plan goes on.
  struct Scope {
    Frame *In;
    Id Group; ///< None in a new region
    Id Region;
    Id Barrier; ///< the next deadline of the region
    int Depth;
    int Level; ///< of parallel regions
    bool InCancel;
    bool Included;
  };

  bool has(Feature F) const { return O.has(F); }
  Id deadline(Deadline::Kind What, Id Of) {
    G.Deadlines.push_back({What, Of});
    return Id(G.Deadlines.size()) - 1;
  }
  Id newRecord(const Scope &S, Sort What);
  void planRegion(Id Which, int Level, int Tasks);
  void planGang(const Scope &S, Id Body);
  void planRecord(Id Which, const Scope &S, bool MayWait);
  void planActions(Actions &Out, const Scope &S, int Count);
  void planStep(Actions &Out, const Scope &S);
  void planTask(Actions &Out, const Scope &S, bool Leaf, Id Fulfils = None,
                bool Holds = false);
  void planDetach(Actions &Out, const Scope &S, Id Which);
  void planFulfil(Actions &Out, const Scope &S);
  void planFulfilAll(Actions &Out, const Scope &S);
  void planBelow(Id Which, const Scope &S, Id Fulfils);
  bool mayBeOutside(Id Detached) const;
  bool mayWaitFor(const Frame &F, const std::vector<Dependence> &Depends,
                  Id Detached) const;
  void planGroup(Actions &Out, const Scope &S, Id Fulfils = None);
  void planLoop(Actions &Out, const Scope &S, Id Fulfils = None);
  void planWait(Actions &Out, Frame &F);
  void planWaitDepend(Actions &Out, const Scope &S);
  bool mayNest(const Scope &S) const {
    return S.Level < 2 && !S.InCancel && NestedLeft > 0 && has(Feature::Nested);
  }
  void planNested(Actions &Out, const Scope &S, Id Fulfils = None);
  void chooseForm(Task &T, const Scope &S, bool MayDepend);
  std::vector<Dependence> chooseDependences(const Frame &F, bool Tasks);
  bool mayHaveMutex(const Frame &F) const {
    // A cancelled task leaves without its last taskwait.
    const bool Waits = F.MayWait && G.Tasks[F.Owner].How != Form::Cancel;
    return has(Feature::MutexInOutSet) &&
           (Waits || has(Feature::MutexUnwaited));
  }
  Hint chooseHint();
  void link(Id Which, const std::vector<Id> &Siblings,
            std::vector<Dependence> &Depends, bool Wait, Id Deadline);
  Id reductionGroup(Id Group) const;

  const Options &O;
  Random R;
  Graph G;
  int Budget = 0;
  int NestedLeft = 2;
  Id Handed = None; ///< a region that is planned has to fulfil its event
  int StrictPercent = 0, HintPercent = 0;
};

} // namespace stress

#endif
