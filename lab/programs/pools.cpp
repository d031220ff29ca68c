//===- programs/pools.cpp - Producers, consumers and task pools ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <algorithm>
#include <memory>

namespace locus::lab {

//===----------------------------------------------------------------------===//
// Producers and consumers
//===----------------------------------------------------------------------===//

/// An iteration of a loop over a volatile variable: it is stored and loaded.
static constexpr double LoopCycles = 5;
/// The producer draws a number between two tasks.
static constexpr double DrawCycles = 4;

static uint64_t share(uint64_t All, uint64_t Members, uint64_t Number) {
  return All / Members + (Number < All % Members);
}

TimedProgram producers(const ProducersSize &Size, CoreSpeed Speed) {
  TimedProgram P;
  P.Name = "producers";
  P.Constructs = {"task"};
  P.ImplicitTask = [Size, Speed](Context &C) {
    const uint64_t Number = uint64_t(Size.Producers);
    const uint64_t Me = uint64_t(C.thread());
    if (Me >= Number)
      return;
    Random Draw(Me + 1);
    for (uint64_t I = 0; I < share(Size.Tasks, Number, Me); ++I) {
      const double Ns =
          Speed.cycles(LoopCycles * double(Draw.below(Size.MaxLoad + 1)));
      C.compute(Speed.cycles(DrawCycles));
      spawn(C, 0, [Ns](Context &T) { T.compute(Ns); });
    }
  };
  return P;
}

WorkCounts producersCounts(const ProducersSize &Size, int Threads) {
  WorkCounts Counts;
  Counts.Tasks = Size.Producers <= Threads ? Size.Tasks : 0;
  return Counts;
}

TimedProgram flat(const FlatSize &Size) {
  TimedProgram P;
  P.Name = "flat";
  P.Constructs = {"task"};
  P.ImplicitTask = [Size](Context &C) {
    const uint64_t Creators = Size.ManyCreators ? uint64_t(C.numThreads()) : 1;
    const uint64_t Me = uint64_t(C.thread());
    if (Me >= Creators)
      return;
    const double Ns = Size.TaskNs;
    for (uint64_t I = 0; I < share(Size.Tasks, Creators, Me); ++I)
      spawn(C, 0, [Ns](Context &T) { T.compute(Ns); });
  };
  return P;
}

/// How often the creator asks, outside of the runtime, whether all have
/// started, and how long. A runtime may keep a task until it comes back.
static constexpr double AskNs = 50, PatienceNs = 1e6;

TimedProgram handover(const HandoverSize &Size) {
  TimedProgram P;
  P.Name = "handover";
  P.Constructs = {"task"};
  auto Started = std::make_shared<uint64_t>(0);
  P.ImplicitTask = [=](Context &C) {
    if (C.thread() != 0)
      return;
    *Started = 0;
    const uint64_t Others = uint64_t(C.numThreads() - 1);
    for (uint64_t Round = 1; Round <= Size.Rounds; ++Round) {
      for (uint64_t I = 0; I < Others; ++I)
        spawn(C, 0, [=](Context &T) {
          ++*Started;
          T.compute(Size.TaskNs);
        });
      const double Since = C.now();
      while (*Started < Round * Others && C.now() < Since + PatienceNs)
        C.access(nullptr, 0, AskNs);
      if (*Started < Round * Others)
        C.taskwait();
      C.access(nullptr, 0, Size.TaskNs + Size.PauseNs);
    }
  };
  return P;
}

//===----------------------------------------------------------------------===//
// Where trouble is expected
//===----------------------------------------------------------------------===//

TimedProgram storm(const StormSize &Size) {
  AddressSpace Space;
  const uint64_t At = Space.allocate(AddressSpace::PageBytes);
  TimedProgram P;
  P.Name = "storm";
  P.Constructs = {"write", "read"};
  P.ImplicitTask = [Size, At](Context &C) {
    if (C.thread() != 0)
      return;
    for (uint64_t Round = 0; Round < Size.Rounds; ++Round)
      for (uint64_t I = 0; I <= Size.Readers; ++I) {
        TaskSpec Spec;
        Spec.Construct = I != 0;
        Spec.Depends = {{At, I ? DepKind::In : DepKind::Out}};
        const double Ns = I ? Size.ReaderNs : 0;
        Spec.Body = [Ns](Context &T) { T.compute(Ns); };
        C.create(Spec);
      }
  };
  return P;
}

TimedProgram stream(const StreamSize &Size) {
  AddressSpace Space;
  const uint64_t At = Space.allocate(64 * (Size.Width + 2)) + 64;
  TimedProgram P;
  P.Name = "stream";
  P.Constructs = {"task"};
  P.ImplicitTask = [Size, At](Context &C) {
    if (C.thread() != 0)
      return;
    const double Ns = Size.TaskNs;
    TaskSpec Spec;
    Spec.Body = [Ns](Context &T) { T.compute(Ns); };
    for (uint64_t I = 0; I < Size.Tasks; ++I) {
      const uint64_t Here = At + 64 * (I % Size.Width);
      Spec.Depends = {{Here, DepKind::InOut}};
      if (Size.IsStencil) {
        Spec.Depends.push_back({Here - 64, DepKind::In});
        Spec.Depends.push_back({Here + 64, DepKind::In});
      }
      C.create(Spec);
    }
  };
  return P;
}

TimedProgram idleNode(uint64_t Tasks, double TaskNs) {
  TimedProgram P;
  P.Name = "idlenode";
  P.Constructs = {"task"};
  P.ImplicitTask = [=](Context &C) {
    if (C.thread() != 0)
      return;
    const uint64_t Nodes = uint64_t(std::max(1, C.numNodes() - 1));
    TaskSpec Spec;
    Spec.Body = [TaskNs](Context &T) { T.compute(TaskNs); };
    for (uint64_t I = 0; I < Tasks; ++I) {
      Spec.Affinity = {HintKind::Node, I % Nodes, 0, false};
      C.create(Spec);
    }
  };
  return P;
}

TimedProgram barriers(uint64_t Rounds) {
  TimedProgram P;
  P.Name = "barriers";
  P.ImplicitTask = [Rounds](Context &C) {
    for (uint64_t I = 0; I < Rounds; ++I)
      C.barrier();
  };
  return P;
}

TimedProgram behindLong(double LongNs, double ShortNs) {
  TimedProgram P;
  P.Name = "behind";
  P.Constructs = {"long", "short"};
  P.ImplicitTask = [=](Context &C) {
    if (C.thread() != 0)
      return;
    for (int Pass = 0; Pass < 2; ++Pass)
      for (int T = 0; T < C.numThreads(); ++T) {
        const bool IsLong = Pass == 0 && T % 2 != 0;
        const double Ns = IsLong ? LongNs : ShortNs;
        TaskSpec Spec;
        Spec.Construct = !IsLong;
        Spec.Affinity = {HintKind::Thread, uint64_t(T), 0, true};
        Spec.Body = [Ns](Context &X) { X.compute(Ns); };
        C.create(Spec);
      }
  };
  return P;
}

//===----------------------------------------------------------------------===//
// Hofmann and Runger's task pools
//===----------------------------------------------------------------------===//

/// One computation of Pi. The paper's Power4+ had speed-up for 800 of them in
/// a task and 32 threads, so that one is well below a microsecond.
static constexpr double PiCycles = 60;
/// How often a thread that has not started asks whether it shall.
static constexpr double StartNs = 100;

/// All tasks are in the pool before the other threads start, and time is taken
/// from there on.
TimedProgram staticPool(uint64_t Tasks, uint64_t Times, CoreSpeed Speed) {
  const double Ns = Speed.cycles(PiCycles * double(Times));
  TimedProgram P;
  P.Name = "static";
  P.Constructs = {"task"};
  auto IsFilled = std::make_shared<bool>(false);
  P.ImplicitTask = [=, From = P.SolveFrom](Context &C) {
    if (C.thread() != 0) {
      // It has not started: it neither looks for tasks nor is it woken.
      while (!*IsFilled)
        C.access(nullptr, 0, StartNs);
      return;
    }
    for (uint64_t I = 0; I < Tasks; ++I)
      spawn(C, 0, [Ns](Context &T) { T.compute(Ns); });
    *From = C.now();
    *IsFilled = true;
  };
  return P;
}

static void dynamicBody(Context &C, int I, double Unit) {
  if (I <= 0) {
    C.compute(100 * Unit);
    return;
  }
  C.compute(10 * Unit);
  spawn(C, 0, [=](Context &T) { dynamicBody(T, I - 2, Unit); });
  C.compute(50 * Unit);
  spawn(C, 0, [=](Context &T) { dynamicBody(T, I - 1, Unit); });
  C.compute(100 * Unit);
}

TimedProgram dynamicPool(int K, double Factor, CoreSpeed Speed) {
  const double Unit = Speed.cycles(PiCycles * Factor);
  TimedProgram P;
  P.Name = "dynamic";
  P.Constructs = {"task"};
  P.ImplicitTask = [K, Unit](Context &C) {
    if (C.thread() == 0)
      for (int I = K - 1; I >= 0; --I)
        spawn(C, 0, [=](Context &T) { dynamicBody(T, I, Unit); });
  };
  return P;
}

WorkCounts dynamicPoolCounts(int K, double Factor, CoreSpeed Speed) {
  // Inner and outer tasks below one of parameter I: two new ones for each.
  uint64_t Inner[2] = {0, 0}, Leaves[2] = {1, 1}; // of I - 1 and I - 2
  WorkCounts Counts;
  double Work = 0;
  for (int I = 0; I < K; ++I) {
    const uint64_t In = I == 0 ? 0 : 1 + Inner[0] + (I == 1 ? 0 : Inner[1]);
    const uint64_t Out = I == 0 ? 1 : Leaves[0] + (I == 1 ? 1 : Leaves[1]);
    Inner[1] = Inner[0], Leaves[1] = Leaves[0];
    Inner[0] = In, Leaves[0] = Out;
    Counts.Tasks += In + Out;
    Work += 160 * double(In) + 100 * double(Out);
  }
  Counts.ComputeNs = Work * Speed.cycles(PiCycles * Factor);
  return Counts;
}

//===----------------------------------------------------------------------===//
// Diffusion on a Sierpinski carpet
//===----------------------------------------------------------------------===//

namespace {
/// An iterator has 125 x 125 tiles: three levels of a pattern of 5 x 5.
constexpr double Tiles = 125;
constexpr uint64_t TileBytes = 16; ///< old and new probability
constexpr double TileCycles = 12;

/// Valid tiles of an iterator: a pattern of set A has 11 of 25, of B 20, and of
/// C 19 to 21, drawn for each iterator.
double validTiles(char Set, uint64_t Iterator) {
  const double Of25 = Set == 'A'   ? 11
                      : Set == 'B' ? 20
                                   : 19 + double(Random(Iterator).below(3));
  return Of25 * Of25 * Of25;
}

/// How far the walker has come by \p Step: no tile with less than a chance of
/// 1e-20 counts, of a normal distribution with a variance of half a tile a step
/// in each direction.
double reach(uint64_t Step) {
  return std::min(double(Step), std::sqrt(46 * double(Step)));
}

/// The iterators that exist at \p Step: their nearest corner is in reach.
uint64_t numIterators(uint64_t Step) {
  const double Far = reach(Step) / Tiles;
  const int64_t Most = int64_t(Far) + 1;
  uint64_t Count = 0;
  for (int64_t X = -Most; X <= Most; ++X)
    for (int64_t Y = -Most; Y <= Most; ++Y) {
      const double Dx = X == 0 ? 0 : std::abs(double(X)) - 0.5;
      const double Dy = Y == 0 ? 0 : std::abs(double(Y)) - 0.5;
      Count += Dx * Dx + Dy * Dy <= Far * Far;
    }
  return Count;
}
} // namespace

TimedProgram sierpinski(const SierpinskiSize &Size, CoreSpeed Speed) {
  AddressSpace Space;
  const uint64_t Bytes = uint64_t(Tiles * Tiles) * TileBytes;
  const uint64_t Base =
      Space.allocate(Bytes * numIterators(Size.FirstStep + Size.Steps));
  TimedProgram P;
  P.Name = "sierpinski";
  P.Constructs = {"iterator"};
  P.ImplicitTask = [=](Context &C) {
    if (C.thread() != 0)
      return;
    for (uint64_t Step = 1; Step <= Size.Steps; ++Step) {
      const uint64_t Count = numIterators(Size.FirstStep + Step);
      for (uint64_t I = 0; I < Count; ++I) {
        const double Valid = validTiles(Size.Set, I);
        const Range R = {Base + I * Bytes, uint64_t(Valid) * TileBytes, true};
        const double Ns = Speed.cycles(TileCycles * Valid);
        spawn(C, 0, [R, Ns](Context &T) { T.access(&R, 1, Ns); });
      }
      C.taskwait();
    }
  };
  return P;
}

WorkCounts sierpinskiCounts(const SierpinskiSize &Size) {
  WorkCounts Counts;
  for (uint64_t Step = 1; Step <= Size.Steps; ++Step)
    Counts.Tasks += numIterators(Size.FirstStep + Step);
  Counts.Waits = Size.Steps;
  return Counts;
}

} // namespace locus::lab
