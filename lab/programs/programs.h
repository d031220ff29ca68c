//===- programs/programs.h - The programs of the papers ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function makes a program for the simulated machine: which tasks it
// creates in which order, on what they depend, how long they compute, and what
// they read and write. The numbers of tasks, items and bytes are what the
// algorithm says; computing times are cycles of the simulated core.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_PROGRAMS_PROGRAMS_H
#define LOCUS_LAB_PROGRAMS_PROGRAMS_H

#include "lab/programs/build.h"

namespace locus::lab {

/// Who touches a block first.
enum class FirstTouch : uint8_t {
  OneThread, ///< thread 0: all of it on its node
  Tasks,     ///< tasks without a hint: wherever they run
  Owners,    ///< each thread its own blocks
  Cyclic,    ///< block after block on the next node, by strict tasks
  Dealt,     ///< the same, whoever schedules: by mbind
  Paged      ///< page after page on the next node: numactl --interleave
};

/// How tasks say where they belong.
enum class Placing : uint8_t {
  None,   ///< no hint: what the runtime does by itself
  Loop,   ///< no tasks: a static worksharing loop
  Thread, ///< affinity(thread: owner)
  Strict, ///< affinity(thread: owner, strict)
  Data    ///< affinity(data: what the task writes)
};

/// Jacobi of KASTORS, as in Virouleau et al., IWOMP 2016, section 4.1.
struct JacobiSize {
  uint64_t Order = 49152; ///< points on a side
  uint64_t Block = 1024;  ///< of the side of a block; divides Order
  uint64_t Steps = 10;
  /// KASTORS copies the new field back in tasks of their own; else the two
  /// fields change places.
  bool CopiesBack = true;
  Repeat Again; ///< all steps
};
/// \p Threads own the blocks as a rectangle.
TimedProgram jacobi(const JacobiSize &, Placing, FirstTouch, int Threads,
                    CoreSpeed);
WorkCounts jacobiCounts(const JacobiSize &, Placing, FirstTouch);

/// y = A x, again and again; section 4.1 of the same. A is the Laplace matrix
/// of a square mesh of Side x Side, cut into \p Parts rectangles.
struct SpmvSize {
  uint64_t Side = 2000;
  uint64_t Parts = 0; ///< 0: one for each thread
  uint64_t Products = 500;
};
TimedProgram spmv(const SpmvSize &, Placing, FirstTouch, int Threads,
                  CoreSpeed);
WorkCounts spmvCounts(const SpmvSize &, int Threads);
/// BiCGStab on the same matrix: \p Products iterations, of five sweeps each.
TimedProgram bicgstab(const SpmvSize &, Placing, FirstTouch, int Threads,
                      CoreSpeed);

/// Cholesky factorization by tiles: Buttari et al., 2009.
struct CholeskySize {
  uint64_t Order = 8192;
  uint64_t Tile = 256; ///< divides Order
  Repeat Again;        ///< the whole factorization, of the same memory
};
TimedProgram cholesky(const CholeskySize &, Placing, FirstTouch, int Threads,
                      CoreSpeed);
WorkCounts choleskyCounts(const CholeskySize &);
/// Floating point operations of the factorization alone.
double choleskyFlops(const CholeskySize &);

/// QR factorization by tiles, of the same paper: KASTORS' dgeqrf_taskdep, with
/// PLASMA's kernels. A tile's triangular factor lies in a block of its own.
struct QrSize {
  uint64_t Order = 8192;
  uint64_t Tile = 256;  ///< divides Order
  uint64_t Inner = 128; ///< columns that a kernel takes at once
};
TimedProgram qr(const QrSize &, Placing, FirstTouch, int Threads, CoreSpeed);
WorkCounts qrCounts(const QrSize &);

/// LU factorization by tiles. lu: with partial pivoting, a whole column of
/// tiles in a task, as KASTORS' dgetrf_taskdep has it. sparseLuDepend: of a
/// matrix with many empty tiles, without pivoting, with depend.
struct LuSize {
  uint64_t Order = 8192;
  uint64_t Tile = 256; ///< divides Order
};
TimedProgram lu(const LuSize &, Placing, FirstTouch, int Threads, CoreSpeed);
TimedProgram sparseLuDepend(const LuSize &, Placing, FirstTouch, int Threads,
                            CoreSpeed);

/// Strassen's product by tiles, with depend.
struct StrassenSize {
  uint64_t Order = 8192;
  uint64_t Tile = 512; ///< divides Order
  int Levels = 2;      ///< of the recursion: so often the tiles can be halved
};
TimedProgram strassenDepend(const StrassenSize &, Placing, FirstTouch,
                            int Threads, CoreSpeed);

/// LU of a sparse matrix of blocks: Duran et al., "Barcelona OpenMP tasks
/// suite", ICPP 2009. Phases with a taskwait between; no dependences.
struct SparseLuSize {
  uint64_t Blocks = 50;      ///< on a side
  uint64_t Block = 100;      ///< order of a block
  bool ManyCreators = false; ///< each thread creates its share, else one all
};
TimedProgram sparseLu(const SparseLuSize &, CoreSpeed);
WorkCounts sparseLuCounts(const SparseLuSize &);

/// Synthetic producers and consumers: Agathos et al., Euro-Par 2012, 4.1.
struct ProducersSize {
  int Producers = 1;
  uint64_t Tasks = 1000000;
  uint64_t MaxLoad = 128; ///< most iterations of a task's loop
};
TimedProgram producers(const ProducersSize &, CoreSpeed);
WorkCounts producersCounts(const ProducersSize &, int Threads);

/// fib without cut-off; Podobas et al., 2010; also of both Euro-Par papers.
TimedProgram fib(int N, CoreSpeed);
WorkCounts fibCounts(int N);

/// A balanced tree of \p Depth with a loop in each leaf, again and again:
/// Podobas et al., 2010, section 3.1.
struct StealTreeSize {
  int Depth = 3;
  uint64_t Rounds = 100;
  double LeafNs = 20000;
};
TimedProgram stealTree(const StealTreeSize &);
WorkCounts stealTreeCounts(const StealTreeSize &);

/// An unbalanced tree: Olivier et al., "UTS", LCPC 2006, binomial.
struct UtsSize {
  uint64_t RootChildren = 2000;
  double NodeNs = 300;
  uint64_t Seed = 1;
};
TimedProgram uts(const UtsSize &);
WorkCounts utsCounts(const UtsSize &);

/// Multisort of BOTS: quarters, then merges in halves.
struct SortSize {
  uint64_t Elements = 1 << 25; ///< of 4 bytes
  uint64_t Leaf = 2048;        ///< sorted, and merged, without tasks
};
TimedProgram sortTree(const SortSize &, CoreSpeed);
WorkCounts sortCounts(const SortSize &);

/// Fast Fourier transform of BOTS: halves, then butterflies in halves. A leaf
/// reads values side by side, as they lie after BOTS has unshuffled them.
struct FftSize {
  int Log2 = 18;      ///< of the number of values
  uint64_t Leaf = 16; ///< values that are transformed, or joined, without tasks
};
TimedProgram fft(const FftSize &, CoreSpeed);
WorkCounts fftCounts(const FftSize &);

/// All placements of queens, a task for each safe square.
struct QueensSize {
  int Queens = 10;
  int CutOff = 0; ///< rows that create tasks; 0: all
};
TimedProgram queens(const QueensSize &, CoreSpeed);
WorkCounts queensCounts(const QueensSize &);

/// The smallest rectangle that holds so many cells, of BOTS: a task for each
/// place of each cell that may lead to a smaller one than is known.
TimedProgram floorplan(int Cells, uint64_t Seed, CoreSpeed);

/// Strassen's product: seven tasks, each of which makes its own operands.
struct ProductSize {
  uint64_t Order = 1024; ///< a power of two
  uint64_t Leaf = 64;    ///< order that is multiplied plainly
};
TimedProgram strassen(const ProductSize &, CoreSpeed);
WorkCounts strassenCounts(const ProductSize &);

/// Equal tasks without data, as BOTS' alignment has them.
struct FlatSize {
  uint64_t Tasks = 20000;
  double TaskNs = 50000;
  bool ManyCreators = false;
};
TimedProgram flat(const FlatSize &);

/// One thread creates a task for each other, waits until all have started, and
/// pauses, again and again: bench/depend/handover.c.
struct HandoverSize {
  uint64_t Rounds = 100;
  double TaskNs = 20000;
  double PauseNs = 100000; ///< between the end of the tasks and the next round
};
TimedProgram handover(const HandoverSize &);

/// A task writes, and so many others wait to read, again and again: each time
/// its end makes all of them ready.
struct StormSize {
  uint64_t Rounds = 100, Readers = 192;
  double ReaderNs = 10000;
};
TimedProgram storm(const StormSize &);

/// A stream of dependent tasks, all created by one thread. \p Width of them are
/// independent of each other: chains, or a stencil, in which a task reads what
/// its neighbours of the last round wrote.
struct StreamSize {
  uint64_t Tasks = 100000, Width = 1024;
  double TaskNs = 10000;
  bool IsStencil = false;
};
TimedProgram stream(const StreamSize &);

/// Tasks that are wished on all nodes but the last, which gets none.
TimedProgram idleNode(uint64_t Tasks, double TaskNs);

/// Taskloops without a clause over the same data, which they touch first
/// (Tasks), or a worksharing loop has (Owners). In between thread 0 computes.
struct TaskloopSize {
  uint64_t Loops = 10;
  uint64_t Pages = 16; ///< of a chunk; each thread has ten
  double ChunkNs = 5000;
  double SerialNs = 0;
};
TimedProgram taskloop(const TaskloopSize &, FirstTouch, int Threads);
WorkCounts taskloopCounts(const TaskloopSize &, FirstTouch, int Threads);

/// Barriers of the whole team, and nothing else.
TimedProgram barriers(uint64_t Rounds);

/// A long task on each odd thread, and behind it one that is strict for that
/// thread; the even ones get only short strict tasks.
TimedProgram behindLong(double LongNs, double ShortNs);

/// Static workload of Hofmann and Runger, IPDPS 2008, section 5.1: equal tasks,
/// all created before the other threads start. \p Times is how often each
/// computes Pi.
TimedProgram staticPool(uint64_t Tasks, uint64_t Times, CoreSpeed);
/// Dynamic workload, section 5.2, after Korch and Rauber.
TimedProgram dynamicPool(int K, double Factor, CoreSpeed);
WorkCounts dynamicPoolCounts(int K, double Factor, CoreSpeed);

/// Diffusion on a growing Sierpinski carpet, section 5.3.
struct SierpinskiSize {
  uint64_t Steps = 500;
  uint64_t FirstStep = 0; ///< the carpet has grown for so long
  char Set = 'B';         ///< of generators: A few tiles, B many, C mixed
};
TimedProgram sierpinski(const SierpinskiSize &, CoreSpeed);
WorkCounts sierpinskiCounts(const SierpinskiSize &);

} // namespace locus::lab

#endif // LOCUS_LAB_PROGRAMS_PROGRAMS_H
