//===-- tiles.h - Programs of tasks on tiles ------------------------------===//
//
// Cholesky, LU, QR, SparseLU and Strassen are the same kind of program: a list
// of tasks, each of which reads up to two tiles and writes one or two. A
// benchmark says which tasks; variants.cpp says how they are created.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_TILES_H
#define KASTORS_TILES_H

#include "../common/blocks.h"
#include "../common/driver.h"

#include <functional>
#include <memory>

namespace kastors {

class TileBenchmark;

/// One task. A tile is stored column by column.
struct TileTask {
  void (*Kernel)(const TileTask &);
  /// Tiles that are read only; Out[0] where there is none.
  double *In[2];
  /// Tiles that are read and written; the task should be near to the first.
  /// Both are the same where there is only one.
  double *Out[2];
  const TileBenchmark *Program = nullptr; ///< Where a kernel needs it.
  size_t Index = 0;                       ///< Of a tile, for the same kernels.
  size_t Order = 0;                       ///< Rows and columns of a tile.
  size_t Layer = 0;   ///< Elements from a tile to what belongs to it (QR).
  unsigned Owner = 0; ///< The thread that owns Out[0].
  TaskNote *Note = nullptr;

  void run() const {
    PlacementMeter::ran(Note);
    Kernel(*this);
  }
};

/// Creates a task, or runs it at once.
using Spawn = void (*)(TileTask);

/// Goes over all tiles for their first touch.
using Sweep = void (*)(TileBenchmark &, Spawn);

struct TileVariant {
  VariantInfo Info;
  bool Owned; ///< Tasks are meant for the thread that owns what they write.
  Sweep Init;
  Spawn InitTask;
  Spawn SolveTask;
};

extern const std::vector<TileVariant> TileVariants;

/// Which elements of a tile count.
enum class Part { All, Lower, UnitLower, Upper };

/// A benchmark on square matrices in tiles.
class TileBenchmark : public Benchmark {
public:
  TileBenchmark(long Order, long Tile) : N(Order), B(Tile) {}

  std::vector<BenchOption> options() override;
  const std::vector<VariantInfo> &variants() const override { return Infos; }
  void prepare(size_t Variant, unsigned Threads, bool Check) override;
  void init(size_t Variant) override;
  void solve(size_t Variant) override;
  std::string check() override;
  std::vector<Field> parameters() const override;
  std::vector<Field> figures(double Seconds) const override;

  /// Tiles that are needed; those of the matrix come first, row by row.
  virtual size_t tiles() const { return side() * side(); }

  /// The task that touches a tile first.
  TileTask firstTouch(size_t Index);

  /// The thread that owns a tile: they are dealt out to threads that form a
  /// rectangle, as ScaLAPACK does, so that each has a share of every step.
  virtual unsigned owner(size_t Index) const {
    return static_cast<unsigned>(Index / side() % OwnerRows * OwnerColumns +
                                 Index % side() % OwnerColumns);
  }

  /// First values of a tile.
  virtual void fill(size_t Index, double *Tile) const;

protected:
  /// Arrays of a tile: QR has a second one of the same size.
  virtual size_t layers() const { return 1; }

  /// Element of the matrix at the start.
  virtual double element(size_t Row, size_t Column) const = 0;

  /// Hands out all tasks, in the order of a sequential program. Order, Layer,
  /// Owner and Note are set by the receiver.
  virtual void emit(const std::function<void(TileTask)> &Add) const = 0;

  /// What the matrix at the start makes of \p X, and what the result does: the
  /// two should agree.
  virtual std::vector<double> expected(const std::vector<double> &X) const;
  virtual std::vector<double> apply(std::vector<double> X) const = 0;

  /// Floating-point operations, by the usual count; 0 if it has none.
  virtual double operations() const { return 0; }

  size_t order() const { return static_cast<size_t>(N); }
  size_t tileOrder() const { return static_cast<size_t>(B); }
  size_t side() const { return static_cast<size_t>(N / B); }
  size_t layer() const { return Memory->layerBytes() / sizeof(double); }
  double *tile(size_t Index) const { return Memory->block(Index, 0); }
  double *tile(size_t Row, size_t Column) const {
    return tile(Row * side() + Column);
  }

  /// Y += the matrix of \p Part of every tile for which \p Choose gives one,
  /// times X; or its transpose.
  using Choice = std::function<bool(size_t Row, size_t Column, Part &)>;
  std::vector<double> multiply(const Choice &Choose,
                               const std::vector<double> &X,
                               bool Transpose = false) const;

private:
  /// Announces a task and says whose it is.
  void assign(TileTask &Task);

  const std::vector<VariantInfo> Infos = [] {
    std::vector<VariantInfo> Result;
    for (const TileVariant &Variant : TileVariants)
      Result.push_back(Variant.Info);
    return Result;
  }();
  long N;
  long B;
  double Residual = -1; ///< Not computed.
  size_t OwnerRows = 1, OwnerColumns = 1;
  bool Owned = false; ///< Of the variant.
  std::unique_ptr<BlockMatrix> Memory;
};

/// Pseudo-random numbers from -0.5 to 0.5, one for each pair.
double randomElement(size_t Row, size_t Column);

} // namespace kastors

#endif // KASTORS_TILES_H
