//===- programs/sparse.cpp - Sparse matrices -----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <memory>

namespace locus::lab {

namespace {

constexpr uint64_t Double = 8, Index = 4;

/// One rectangle of the mesh.
struct Part {
  uint64_t Matrix;               ///< where it begins
  std::vector<uint64_t> Vectors; ///< the same
  uint64_t Rows = 0, Nonzeros = 0;
  int Neighbours[4]; ///< -1: the border
  uint64_t Edge[4];  ///< elements of x read from each neighbour
  int Owner = 0;
};

/// What tasks of all parts do between two waits.
struct Sweep {
  uint32_t Construct;
  bool Multiplies; ///< the matrix by the first vector that it reads
  std::vector<size_t> Reads, Writes;
  double CyclesARow; ///< beside the product's
};

struct Spmv {
  SpmvSize Size;
  std::vector<Sweep> Sweeps; ///< of an iteration
  Placing Where;
  FirstTouch Init;
  CoreSpeed Speed;
  std::vector<Part> Parts;
  std::shared_ptr<double> SolveFrom;

  uint64_t matrixBytes(const Part &P) const {
    return P.Nonzeros * (Double + Index) + (P.Rows + 1) * Index;
  }

  Spmv(const SpmvSize &Size, size_t Vectors, std::vector<Sweep> Each,
       Placing Where, FirstTouch Init, int Threads, CoreSpeed Speed)
      : Size(Size), Sweeps(std::move(Each)), Where(Where), Init(Init),
        Speed(Speed) {
    const int Number = Size.Parts ? int(Size.Parts) : Threads;
    const ThreadRectangle Cut(Number, Size.Side);
    const uint64_t R = uint64_t(Cut.rows()), C = uint64_t(Cut.columns());
    AddressSpace Space;
    for (uint64_t Row = 0; Row < R; ++Row)
      for (uint64_t Column = 0; Column < C; ++Column) {
        const uint64_t Height = (Row + 1) * Size.Side / R - Row * Size.Side / R;
        const uint64_t Width =
            (Column + 1) * Size.Side / C - Column * Size.Side / C;
        Part P;
        P.Rows = Height * Width;
        // Five in each row, less those beyond the border.
        P.Nonzeros = 5 * P.Rows - (Row == 0 ? Width : 0) -
                     (Row + 1 == R ? Width : 0) - (Column == 0 ? Height : 0) -
                     (Column + 1 == C ? Height : 0);
        const int Me = int(Row * C + Column);
        const int Next[4] = {
            Row > 0 ? Me - int(C) : -1, Row + 1 < R ? Me + int(C) : -1,
            Column > 0 ? Me - 1 : -1, Column + 1 < C ? Me + 1 : -1};
        for (int D = 0; D < 4; ++D) {
          P.Neighbours[D] = Next[D];
          P.Edge[D] = Next[D] < 0 ? 0 : D < 2 ? Width : Height;
        }
        P.Owner = int(uint64_t(Me) * uint64_t(Threads) / uint64_t(Number));
        P.Matrix = Space.allocate(matrixBytes(P));
        for (size_t V = 0; V < Vectors; ++V)
          P.Vectors.push_back(Space.allocate(P.Rows * Double));
        Parts.push_back(P);
      }
  }

  void touch(Context &C, const Part &P) const {
    std::vector<Range> R = {{P.Matrix, matrixBytes(P), true}};
    for (uint64_t Vector : P.Vectors)
      R.push_back({Vector, P.Rows * Double, true});
    C.access(R.data(), R.size(), Speed.cycles(double(P.Nonzeros) * 4));
  }

  void run(Context &C, const Sweep &Of, const Part &P) const {
    std::vector<Range> R;
    if (Of.Multiplies)
      R.push_back({P.Matrix, matrixBytes(P), false});
    for (size_t V : Of.Reads)
      R.push_back({P.Vectors[V], P.Rows * Double, false});
    for (size_t V : Of.Writes)
      R.push_back({P.Vectors[V], P.Rows * Double, true});
    for (int D = 0; Of.Multiplies && D < 4; ++D)
      if (P.Edge[D])
        R.push_back({Parts[size_t(P.Neighbours[D])].Vectors[Of.Reads[0]],
                     P.Edge[D] * Double, false});
    const double Product = Of.Multiplies ? double(P.Nonzeros) * 1.5 : 0;
    C.access(R.data(), R.size(),
             Speed.cycles(Product + double(P.Rows) * Of.CyclesARow));
  }
};

using Shared = std::shared_ptr<const Spmv>;

/// \p Of: null for the first touch.
void createPart(Context &C, const Shared &S, const Part &P, const Sweep *Of) {
  const bool First = !Of;
  TaskSpec Spec;
  Spec.Construct = First ? 0 : Of->Construct;
  Spec.Body = [S, &P, Of](Context &T) {
    Of ? S->run(T, *Of, P) : S->touch(T, P);
  };
  const bool ByOwner =
      First ? S->Init == FirstTouch::Owners
            : S->Where == Placing::Thread || S->Where == Placing::Strict;
  if (ByOwner)
    Spec.Affinity = {HintKind::Thread, uint64_t(P.Owner), 0,
                     First || S->Where == Placing::Strict};
  else if (!First && S->Where == Placing::Data)
    Spec.Affinity = {HintKind::Data, P.Vectors[Of->Writes[0]], P.Rows * Double,
                     false};
  C.create(Spec);
}

void runSpmv(Context &C, const Shared &S) {
  const bool IsLoop = S->Where == Placing::Loop;
  if (!IsLoop && C.thread() != 0)
    return;
  // Null: the first touch.
  const auto Each = [&](const Sweep *Of) {
    for (const Part &P : S->Parts)
      if (IsLoop) {
        if (P.Owner == C.thread())
          Of ? S->run(C, *Of, P) : S->touch(C, P);
      } else if (!Of && S->Init == FirstTouch::OneThread) {
        S->touch(C, P);
      } else {
        createPart(C, S, P, Of);
      }
    IsLoop ? C.barrier() : C.taskwait();
  };
  Each(nullptr);
  if (C.thread() == 0)
    *S->SolveFrom = C.now();
  for (uint64_t I = 0; I < S->Size.Products; ++I)
    for (const Sweep &Of : S->Sweeps)
      Each(&Of);
}

TimedProgram makeSparse(const char *Name, std::vector<std::string> Constructs,
                        const std::shared_ptr<Spmv> &S) {
  TimedProgram P;
  S->SolveFrom = P.SolveFrom;
  P.Name = Name;
  P.Constructs = std::move(Constructs);
  P.ImplicitTask = [S = Shared(S)](Context &C) { runSpmv(C, S); };
  return P;
}

} // namespace

TimedProgram spmv(const SpmvSize &Size, Placing Where, FirstTouch Init,
                  int Threads, CoreSpeed Speed) {
  const std::vector<Sweep> Sweeps = {{1, true, {0}, {1}, 0}};
  return makeSparse(
      "spmv", {"touch", "product"},
      std::make_shared<Spmv>(Size, 2, Sweeps, Where, Init, Threads, Speed));
}

TimedProgram bicgstab(const SpmvSize &Size, Placing Where, FirstTouch Init,
                      int Threads, CoreSpeed Speed) {
  // The solution; the residual and the first one; p, A p; s, A s.
  enum : size_t { X, R, First, P, V, S, T, NumVectors };
  // Of each sum and each vector that is added, a cycle a row.
  const std::vector<Sweep> Sweeps = {
      {1, true, {P, First}, {V}, 1}, {2, false, {R, V}, {S}, 1},
      {1, true, {S}, {T}, 2},        {2, false, {P, S, T, First}, {R, X}, 5},
      {2, false, {R, V}, {P}, 2},
  };
  return makeSparse("bicgstab", {"touch", "product", "vectors"},
                    std::make_shared<Spmv>(Size, NumVectors, Sweeps, Where,
                                           Init, Threads, Speed));
}

WorkCounts spmvCounts(const SpmvSize &Size, int Threads) {
  const uint64_t Parts = Size.Parts ? Size.Parts : uint64_t(Threads);
  const uint64_t N = Size.Side, Rows = N * N, Nonzeros = 5 * Rows - 4 * N;
  const ThreadRectangle Cut(int(Parts), N);
  // Elements on both sides of each cut.
  const uint64_t Edges = 2 * N * uint64_t(Cut.rows() + Cut.columns() - 2);
  const uint64_t Matrix = Nonzeros * (Double + Index) + (Rows + Parts) * Index;
  WorkCounts Counts;
  Counts.Tasks = Parts * (Size.Products + 1);
  Counts.Waits = Size.Products + 1;
  Counts.Read = Size.Products * (Matrix + (Rows + Edges) * Double);
  Counts.Written = Matrix + (2 + Size.Products) * Rows * Double;
  return Counts;
}

//===----------------------------------------------------------------------===//
// LU of a sparse matrix of blocks
//===----------------------------------------------------------------------===//

namespace {

/// Which blocks the matrix of BOTS has at the start: all on the diagonal and
/// beside it; of the others those in even rows and columns, of which every
/// third column above the diagonal and every third row below it.
bool startsWith(uint64_t Row, uint64_t Column) {
  if (Row == Column || Row + 1 == Column || Column + 1 == Row)
    return true;
  if (Row % 2 || Column % 2)
    return false;
  return Row < Column ? Row % 3 == 0 : Column % 3 == 0;
}

struct SparseLu {
  SparseLuSize Size;
  CoreSpeed Speed;
  std::vector<uint64_t> At; ///< where a block begins
  std::vector<bool> Has;    ///< at the start
  uint64_t Bytes;
  std::shared_ptr<double> SolveFrom;

  SparseLu(const SparseLuSize &Size, CoreSpeed Speed)
      : Size(Size), Speed(Speed), Bytes(Size.Block * Size.Block * 4) {
    AddressSpace Space;
    for (uint64_t Row = 0; Row < Size.Blocks; ++Row)
      for (uint64_t Column = 0; Column < Size.Blocks; ++Column) {
        At.push_back(Space.allocate(Bytes));
        Has.push_back(startsWith(Row, Column));
      }
  }
  size_t at(uint64_t Row, uint64_t Column) const {
    return size_t(Row * Size.Blocks + Column);
  }
  /// BOTS' loops are plain C: a flop a cycle.
  double kernel(double FlopsPerCube) const {
    const double B = double(Size.Block);
    return Speed.cycles(FlopsPerCube * B * B * B);
  }
};

using SharedLu = std::shared_ptr<const SparseLu>;

/// The phases of step \p K; \p Do gets the number of a task in its phase, and
/// its kind and blocks.
struct LuTask {
  uint32_t Construct;
  double FlopsPerCube;
  size_t In[2], Out;
};

template <typename F>
void luPhase(const SparseLu &S, std::vector<bool> &Has, uint64_t K, int Phase,
             F &&Do) {
  const uint64_t N = S.Size.Blocks;
  const size_t Diagonal = S.at(K, K);
  if (Phase == 0) {
    Do(LuTask{0, 2.0 / 3, {Diagonal, Diagonal}, Diagonal});
    return;
  }
  if (Phase == 1) {
    for (uint64_t J = K + 1; J < N; ++J)
      if (Has[S.at(K, J)])
        Do(LuTask{1, 1, {Diagonal, Diagonal}, S.at(K, J)});
    for (uint64_t I = K + 1; I < N; ++I)
      if (Has[S.at(I, K)])
        Do(LuTask{2, 1, {Diagonal, Diagonal}, S.at(I, K)});
    return;
  }
  for (uint64_t I = K + 1; I < N; ++I)
    for (uint64_t J = K + 1; J < N; ++J)
      if (Has[S.at(I, K)] && Has[S.at(K, J)]) {
        Has[S.at(I, J)] = true;
        Do(LuTask{3, 2, {S.at(I, K), S.at(K, J)}, S.at(I, J)});
      }
}

void runLuTask(Context &C, const SparseLu &S, const LuTask &T) {
  Range R[3] = {{S.At[T.Out], S.Bytes, true}};
  size_t N = 1;
  for (size_t In : T.In)
    if (In != T.Out && (N == 1 || S.At[In] != R[N - 1].Address))
      R[N++] = {S.At[In], S.Bytes, false};
  C.access(R, N, S.kernel(T.FlopsPerCube));
}

void runLu(Context &C, const SharedLu &S) {
  std::vector<bool> Has = S->Has;
  const uint64_t Creators = S->Size.ManyCreators ? uint64_t(C.numThreads()) : 1;
  if (uint64_t(C.thread()) >= Creators)
    return;
  if (C.thread() == 0)
    for (size_t B = 0; B < Has.size(); ++B)
      if (Has[B]) {
        const Range R = {S->At[B], S->Bytes, true};
        C.access(&R, 1, 0);
      }
  const auto Join = [&] {
    if (S->Size.ManyCreators)
      C.barrier();
    else
      C.taskwait();
  };
  if (S->Size.ManyCreators)
    C.barrier();
  if (C.thread() == 0)
    *S->SolveFrom = C.now();
  for (uint64_t K = 0; K < S->Size.Blocks; ++K)
    for (int Phase = 0; Phase < 3; ++Phase) {
      uint64_t Number = 0;
      luPhase(*S, Has, K, Phase, [&](const LuTask &T) {
        if (Number++ % Creators != uint64_t(C.thread()))
          return;
        if (Phase == 0)
          runLuTask(C, *S, T);
        else
          spawn(C, T.Construct, [S, T](Context &X) { runLuTask(X, *S, T); });
      });
      Join();
    }
}

} // namespace

TimedProgram sparseLu(const SparseLuSize &Size, CoreSpeed Speed) {
  TimedProgram P;
  const auto S = std::make_shared<SparseLu>(Size, Speed);
  S->SolveFrom = P.SolveFrom;
  P.Name = "sparselu";
  P.Constructs = {"lu0", "fwd", "bdiv", "bmod"};
  P.ImplicitTask = [S = SharedLu(S)](Context &C) { runLu(C, S); };
  return P;
}

WorkCounts sparseLuCounts(const SparseLuSize &Size) {
  const uint64_t N = Size.Blocks;
  std::vector<uint8_t> Has(N * N);
  for (uint64_t I = 0; I < N * N; ++I)
    Has[I] = startsWith(I / N, I % N);
  WorkCounts Counts;
  for (uint64_t K = 0; K < N; ++K) {
    uint64_t Right = 0, Below = 0;
    for (uint64_t I = K + 1; I < N; ++I) {
      Right += Has[K * N + I];
      Below += Has[I * N + K];
    }
    Counts.Tasks += Right + Below + Right * Below;
    for (uint64_t I = K + 1; I < N; ++I)
      for (uint64_t J = K + 1; J < N; ++J)
        Has[I * N + J] |= Has[I * N + K] && Has[K * N + J];
  }
  Counts.Waits = Size.ManyCreators ? 0 : 3 * N;
  return Counts;
}

} // namespace locus::lab
