//===- programs/recursion.cpp - Fourier transform, queens, Strassen ------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of BOTS that recur over their data. Each stops at a size, the leaf
// or cut-off, below which it creates no tasks. Their loops are plain C: a
// floating point operation a cycle.
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <memory>
#include <vector>

namespace locus::lab {

//===----------------------------------------------------------------------===//
// Fast Fourier transform
//===----------------------------------------------------------------------===//

namespace {
struct Fft {
  FftSize Size;
  CoreSpeed Speed;
  uint64_t In, Out; ///< arrays of complex numbers
};
using SharedFft = std::shared_ptr<const Fft>;
constexpr uint64_t Complex = 16;
} // namespace

/// Butterflies that join two transforms of \p Half values, \p N of them from
/// element \p At on.
static void fftJoin(Context &C, const SharedFft &F, uint64_t At, uint64_t Half,
                    uint64_t N) {
  if (N <= F->Size.Leaf) {
    const Range R[] = {{F->Out + At * Complex, N * Complex, true},
                       {F->Out + (At + Half) * Complex, N * Complex, true}};
    C.access(R, 2, F->Speed.cycles(double(N) * 10));
    return;
  }
  for (const uint64_t From : {At, At + N / 2})
    spawn(C, 1, [=](Context &T) { fftJoin(T, F, From, Half, N / 2); });
  C.taskwait();
}

static void fftBody(Context &C, const SharedFft &F, uint64_t At, uint64_t N) {
  if (N <= F->Size.Leaf) {
    const Range R[] = {{F->In + At * Complex, N * Complex, false},
                       {F->Out + At * Complex, N * Complex, true}};
    C.access(R, 2, F->Speed.cycles(5 * double(N) * std::log2(double(N))));
    return;
  }
  const uint64_t Half = N / 2;
  for (const uint64_t From : {At, At + Half})
    spawn(C, 0, [=](Context &T) { fftBody(T, F, From, Half); });
  C.taskwait();
  fftJoin(C, F, At, Half, Half);
}

TimedProgram fft(const FftSize &Size, CoreSpeed Speed) {
  AddressSpace Space;
  const uint64_t N = uint64_t(1) << Size.Log2, Bytes = N * Complex;
  const uint64_t In = Space.allocate(Bytes), Out = Space.allocate(Bytes);
  const SharedFft F = std::make_shared<Fft>(Fft{Size, Speed, In, Out});
  TimedProgram P;
  P.Name = "fft";
  P.Constructs = {"transform", "join"};
  P.ImplicitTask = [F, N, Bytes, From = P.SolveFrom](Context &C) {
    if (C.thread() != 0)
      return;
    const Range R[] = {{F->In, Bytes, true}, {F->Out, Bytes, true}};
    C.access(R, 2, F->Speed.cycles(double(N)));
    *From = C.now();
    fftBody(C, F, 0, N);
  };
  return P;
}

WorkCounts fftCounts(const FftSize &Size) {
  WorkCounts Counts;
  const uint64_t N = uint64_t(1) << Size.Log2;
  // Of each size there are as many as make up the whole; each forks in two and
  // waits, and then so do the joins of its halves, down to the leaf.
  for (uint64_t Part = N; Part > Size.Leaf; Part /= 2) {
    Counts.Waits += N / Part;
    for (uint64_t Join = Part / 2; Join > Size.Leaf; Join /= 2)
      Counts.Waits += N / Part * (Part / 2 / Join);
  }
  Counts.Tasks = 2 * Counts.Waits;
  return Counts;
}

//===----------------------------------------------------------------------===//
// Queens
//===----------------------------------------------------------------------===//

namespace {
/// Squares of the next row that are attacked, by direction.
struct Board {
  uint32_t Columns = 0, Left = 0, Right = 0;
  uint32_t attacked() const { return Columns | Left | Right; }
  Board with(uint32_t Square) const {
    return {Columns | Square, (Left | Square) << 1, (Right | Square) >> 1};
  }
};
} // namespace

/// BOTS compares a square with each queen before it, and copies the board.
static double queensNs(const QueensSize &Size, int Row, CoreSpeed Speed) {
  return Speed.cycles(10 + 3.0 * Size.Queens * Row);
}

template <typename F>
static void eachSafe(const QueensSize &Size, const Board &B, F &&Do) {
  for (int Column = 0; Column < Size.Queens; ++Column)
    if (const uint32_t Square = 1u << Column; !(B.attacked() & Square))
      Do(B.with(Square));
}

/// Time of the rows from \p Row on without tasks.
static double queensAlone(const QueensSize &Size, const Board &B, int Row,
                          CoreSpeed Speed) {
  double Ns = queensNs(Size, Row, Speed);
  if (Row < Size.Queens)
    eachSafe(Size, B, [&](const Board &Next) {
      Ns += queensAlone(Size, Next, Row + 1, Speed);
    });
  return Ns;
}

static void queensBody(Context &C, const QueensSize &Size, const Board &B,
                       int Row, CoreSpeed Speed) {
  if (Size.CutOff && Row >= Size.CutOff) {
    C.compute(queensAlone(Size, B, Row, Speed));
    return;
  }
  C.compute(queensNs(Size, Row, Speed));
  if (Row == Size.Queens)
    return;
  eachSafe(Size, B, [&](const Board &Next) {
    spawn(C, 0, [=](Context &T) { queensBody(T, Size, Next, Row + 1, Speed); });
  });
  C.taskwait();
}

TimedProgram queens(const QueensSize &Size, CoreSpeed Speed) {
  TimedProgram P;
  P.Name = "queens";
  P.Constructs = {"queen"};
  P.ImplicitTask = [Size, Speed](Context &C) {
    if (C.thread() == 0)
      queensBody(C, Size, Board(), 0, Speed);
  };
  return P;
}

static uint64_t queensTasks(const QueensSize &Size, const Board &B, int Row) {
  uint64_t Tasks = 0;
  if (Row < Size.Queens && !(Size.CutOff && Row >= Size.CutOff))
    eachSafe(Size, B, [&](const Board &Next) {
      Tasks += 1 + queensTasks(Size, Next, Row + 1);
    });
  return Tasks;
}
WorkCounts queensCounts(const QueensSize &Size) {
  WorkCounts Counts;
  Counts.Tasks = queensTasks(Size, Board(), 0);
  return Counts;
}

//===----------------------------------------------------------------------===//
// Strassen's product of matrices
//===----------------------------------------------------------------------===//

namespace {
constexpr uint64_t Products = 7;

/// The products of a level are numbered from left to right. Each has room for
/// the two operands and the result of each product below it.
struct Strassen {
  ProductSize Size;
  CoreSpeed Speed;
  uint64_t A, B, C;
  std::vector<uint64_t> Room; ///< by level
};
using SharedProduct = std::shared_ptr<const Strassen>;
} // namespace

/// Multiplies \p A and \p B of order \p N to \p To.
static void productBody(Context &C, const SharedProduct &S, size_t Level,
                        uint64_t Number, uint64_t N, uint64_t A, uint64_t B,
                        uint64_t To) {
  const uint64_t Bytes = N * N * 8, Quarter = Bytes / 4, Half = N / 2;
  if (N <= S->Size.Leaf) {
    const Range R[] = {{A, Bytes, false}, {B, Bytes, false}, {To, Bytes, true}};
    C.access(R, 3, S->Speed.cycles(2 * double(N * N * N)));
    return;
  }
  const uint64_t Room = S->Room[Level] + Number * Products * 3 * Quarter;
  for (uint64_t I = 0; I < Products; ++I)
    spawn(C, 0, [=](Context &T) {
      const uint64_t X = Room + I * 3 * Quarter;
      // Each operand is the sum of two quarters.
      const Range R[] = {{A, Quarter * 2, false},
                         {B, Quarter * 2, false},
                         {X, Quarter * 2, true}};
      T.access(R, 3, S->Speed.cycles(2 * double(Half * Half)));
      productBody(T, S, Level + 1, Number * Products + I, Half, X, X + Quarter,
                  X + 2 * Quarter);
    });
  C.taskwait();
  std::vector<Range> R = {{To, Bytes, true}};
  for (uint64_t I = 0; I < Products; ++I)
    R.push_back({Room + (3 * I + 2) * Quarter, Quarter, false});
  C.access(R.data(), R.size(), S->Speed.cycles(8 * double(Half * Half)));
}

TimedProgram strassen(const ProductSize &Size, CoreSpeed Speed) {
  AddressSpace Space;
  const uint64_t Bytes = Size.Order * Size.Order * 8;
  Strassen S = {Size, Speed, 0, 0, 0, {}};
  for (uint64_t *At : {&S.A, &S.B, &S.C})
    *At = Space.allocate(Bytes);
  uint64_t Number = 1;
  for (uint64_t N = Size.Order; N > Size.Leaf; N /= 2, Number *= Products)
    S.Room.push_back(Space.allocate(Number * Products * 3 * (N * N * 2)));
  TimedProgram P;
  P.Name = "strassen";
  P.Constructs = {"product"};
  P.ImplicitTask = [S = std::make_shared<const Strassen>(S), Bytes,
                    From = P.SolveFrom](Context &C) {
    if (C.thread() != 0)
      return;
    const Range R[] = {{S->A, Bytes, true}, {S->B, Bytes, true}};
    C.access(R, 2, S->Speed.cycles(2 * double(Bytes) / 8));
    *From = C.now();
    productBody(C, S, 0, 0, S->Size.Order, S->A, S->B, S->C);
  };
  return P;
}

WorkCounts strassenCounts(const ProductSize &Size) {
  WorkCounts Counts;
  uint64_t Number = 1;
  for (uint64_t N = Size.Order; N > Size.Leaf; N /= 2, Number *= Products) {
    Counts.Waits += Number;
    Counts.Tasks += Number * Products;
  }
  return Counts;
}

} // namespace locus::lab
