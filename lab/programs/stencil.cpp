//===- programs/stencil.cpp - Jacobi -------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <memory>

namespace locus::lab {

namespace {

enum Construct : uint32_t { Touch, Copy, Compute };
constexpr uint64_t Double = 8, Line = 64;

struct Jacobi {
  JacobiSize Size;
  Placing Where;
  FirstTouch Init;
  ThreadRectangle Owners;
  CoreSpeed Speed;
  uint64_t Side, Elements;
  std::vector<uint64_t> Field[2], Rhs; ///< where each block begins
  int Threads;
  std::shared_ptr<double> SolveFrom;

  Jacobi(const JacobiSize &Size, Placing Where, FirstTouch Init, int Threads,
         CoreSpeed Speed)
      : Size(Size), Where(Where), Init(Init),
        Owners(Threads, Size.Order / Size.Block), Speed(Speed),
        Side(Size.Order / Size.Block), Elements(Size.Block * Size.Block),
        Threads(Threads) {
    AddressSpace Space;
    for (std::vector<uint64_t> *Layer : {&Field[0], &Field[1], &Rhs})
      for (uint64_t B = 0; B < Side * Side; ++B)
        Layer->push_back(Space.allocate(Elements * Double));
  }

  uint64_t at(uint64_t Row, uint64_t Column) const {
    return Row * Side + Column;
  }
  int owner(uint64_t Block) const {
    return Where == Placing::Loop ? loopOwner(Block)
                                  : Owners.owner(Block / Side, Block % Side);
  }
  /// schedule(static) over all blocks: the first threads have one more.
  int loopOwner(uint64_t Block) const {
    const uint64_t T = uint64_t(Threads), All = Side * Side;
    const uint64_t Short = All / T, More = All % T;
    return int(Block < More * (Short + 1)
                   ? Block / (Short + 1)
                   : More + (Block - More * (Short + 1)) / Short);
  }

  void touch(Context &C, uint64_t B) const {
    const Range R[] = {{Field[0][B], Elements * Double, true},
                       {Field[1][B], Elements * Double, true},
                       {Rhs[B], Elements * Double, true}};
    C.access(R, 3, Speed.cycles(double(Elements) * 3));
  }

  void copy(Context &C, uint64_t B) const {
    const Range R[] = {{Field[1][B], Elements * Double, false},
                       {Field[0][B], Elements * Double, true}};
    C.access(R, 2, Speed.cycles(double(Elements) / 2));
  }

  /// The neighbours' edges: a row is in lines of its own, a column in a line of
  /// each row.
  void compute(Context &C, uint64_t Step, uint64_t B) const {
    const std::vector<uint64_t> &From = Field[Size.CopiesBack ? 0 : Step % 2];
    const std::vector<uint64_t> &To = Field[Size.CopiesBack ? 1 : 1 - Step % 2];
    Range R[7] = {{From[B], Elements * Double, false},
                  {Rhs[B], Elements * Double, false},
                  {To[B], Elements * Double, true}};
    size_t N = 3;
    const uint64_t Row = B / Side, Column = B % Side;
    const uint64_t RowBytes = Size.Block * Double;
    if (Row > 0)
      R[N++] = {From[B - Side] + (Size.Block - 1) * RowBytes, RowBytes, false};
    if (Row + 1 < Side)
      R[N++] = {From[B + Side], RowBytes, false};
    if (Column > 0)
      R[N++] = {From[B - 1], Size.Block * Line, false};
    if (Column + 1 < Side)
      R[N++] = {From[B + 1], Size.Block * Line, false};
    C.access(R, N, Speed.cycles(double(Elements)));
  }
};

using Shared = std::shared_ptr<const Jacobi>;

void place(const Jacobi &J, TaskSpec &Spec, uint64_t Block, uint64_t Written) {
  const uint64_t Owner = uint64_t(J.owner(Block));
  switch (J.Where) {
  case Placing::Thread:
  case Placing::Strict:
    Spec.Affinity = {HintKind::Thread, Owner, 0, J.Where == Placing::Strict};
    break;
  case Placing::Data:
    Spec.Affinity = {HintKind::Data, Written, J.Elements * Double, false};
    break;
  case Placing::None:
  case Placing::Loop:
    break;
  }
}

void createTouch(Context &C, const Shared &J, uint64_t B) {
  TaskSpec Spec;
  Spec.Construct = Touch;
  Spec.Body = [J, B](Context &T) { J->touch(T, B); };
  Spec.Depends = {{J->Field[0][B], DepKind::Out},
                  {J->Field[1][B], DepKind::Out}};
  if (J->Init == FirstTouch::Owners)
    Spec.Affinity = {HintKind::Thread, uint64_t(J->owner(B)), 0, true};
  else if (J->Init == FirstTouch::Cyclic)
    Spec.Affinity = {HintKind::Node, B, 0, true};
  C.create(Spec);
}

void createCopy(Context &C, const Shared &J, uint64_t B) {
  TaskSpec Spec;
  Spec.Construct = Copy;
  Spec.Body = [J, B](Context &T) { J->copy(T, B); };
  Spec.Depends = {{J->Field[1][B], DepKind::In},
                  {J->Field[0][B], DepKind::Out}};
  place(*J, Spec, B, J->Field[0][B]);
  C.create(Spec);
}

void createCompute(Context &C, const Shared &J, uint64_t Step, uint64_t B) {
  const std::vector<uint64_t> &From =
      J->Field[J->Size.CopiesBack ? 0 : Step % 2];
  const uint64_t To = J->Field[J->Size.CopiesBack ? 1 : 1 - Step % 2][B];
  const uint64_t Row = B / J->Side, Column = B % J->Side;
  TaskSpec Spec;
  Spec.Construct = Compute;
  Spec.Body = [J, Step, B](Context &T) { J->compute(T, Step, B); };
  // A neighbour outside of the square is the block itself.
  Spec.Depends = {{From[B], DepKind::In},
                  {From[Row > 0 ? B - J->Side : B], DepKind::In},
                  {From[Row + 1 < J->Side ? B + J->Side : B], DepKind::In},
                  {From[Column > 0 ? B - 1 : B], DepKind::In},
                  {From[Column + 1 < J->Side ? B + 1 : B], DepKind::In},
                  {To, DepKind::Out}};
  place(*J, Spec, B, To);
  C.create(Spec);
}

void createAll(Context &C, const Shared &J) {
  const uint64_t All = J->Side * J->Side;
  for (uint64_t B = 0; B < All; ++B)
    if (J->Init == FirstTouch::OneThread)
      J->touch(C, B);
    else
      createTouch(C, J, B);
  C.taskwait();
  *J->SolveFrom = C.now();
  repeat(C, J->Size.Again, *J->SolveFrom, [&](Context &T) {
    for (uint64_t Step = 0; Step < J->Size.Steps; ++Step) {
      if (J->Size.CopiesBack)
        for (uint64_t B = 0; B < All; ++B)
          createCopy(T, J, B);
      for (uint64_t B = 0; B < All; ++B)
        createCompute(T, J, Step, B);
    }
  });
}

/// The same by worksharing loops.
void loopAll(Context &C, const Shared &J) {
  const uint64_t All = J->Side * J->Side;
  const auto EachOwn = [&](auto &&Do) {
    for (uint64_t B = 0; B < All; ++B)
      if (J->loopOwner(B) == C.thread())
        Do(B);
    C.barrier();
  };
  if (J->Init == FirstTouch::OneThread && C.thread() == 0)
    for (uint64_t B = 0; B < All; ++B)
      J->touch(C, B);
  EachOwn([&](uint64_t B) {
    if (J->Init != FirstTouch::OneThread)
      J->touch(C, B);
  });
  if (C.thread() == 0)
    *J->SolveFrom = C.now();
  for (uint64_t Step = 0; Step < J->Size.Steps; ++Step) {
    if (J->Size.CopiesBack)
      EachOwn([&](uint64_t B) { J->copy(C, B); });
    EachOwn([&](uint64_t B) { J->compute(C, Step, B); });
  }
}

} // namespace

TimedProgram jacobi(const JacobiSize &Size, Placing Where, FirstTouch Init,
                    int Threads, CoreSpeed Speed) {
  TimedProgram P;
  const auto J = std::make_shared<Jacobi>(Size, Where, Init, Threads, Speed);
  J->SolveFrom = P.SolveFrom;
  P.Name = "jacobi";
  P.Constructs = {"touch", "copy", "compute"};
  P.ImplicitTask = [J = Shared(J)](Context &C) {
    if (J->Where == Placing::Loop)
      loopAll(C, J);
    else if (C.thread() == 0)
      createAll(C, J);
  };
  return P;
}

WorkCounts jacobiCounts(const JacobiSize &Size, Placing Where,
                        FirstTouch Init) {
  const uint64_t Side = Size.Order / Size.Block, All = Side * Side;
  const uint64_t Bytes = Size.Block * Size.Block * Double;
  // Of the 4 * All edges, 4 * Side lie on the border; half are rows.
  const uint64_t Edges = 2 * All - 2 * Side;
  const uint64_t PerStep = Size.CopiesBack ? 2 : 1;
  const uint64_t Rounds = Size.Again.Rounds, Steps = Size.Steps * Rounds;
  WorkCounts Counts;
  if (Where != Placing::Loop) {
    Counts.Waits = 1 + (Rounds > 1 || Size.Again.IsGraph ? Rounds : 0);
    const uint64_t Touches = Init == FirstTouch::OneThread ? 0 : All;
    Counts.Tasks = Touches + All * PerStep * Steps;
    Counts.Depends =
        2 * Touches + All * (6 + (Size.CopiesBack ? 2 : 0)) * Steps;
  }
  Counts.Read = Steps * (All * Bytes * (Size.CopiesBack ? 3 : 2) +
                         Edges * Size.Block * (Double + Line));
  Counts.Written = All * Bytes * (3 + PerStep * Steps);
  return Counts;
}

} // namespace locus::lab
