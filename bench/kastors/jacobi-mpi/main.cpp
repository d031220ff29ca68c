//===-- main.cpp - The Jacobi benchmark on several ranks ------------------===//
//
// Each rank reports by itself what it computed, and where. The result of all is
// compared with that of one thread, bit by bit.
//
//===----------------------------------------------------------------------===//

#include "../common/memory.h"
#include "../jacobi/reference.h"
#include "cpuset.h"
#include "program.h"
#include "random.h"
#include "variants.h"

#include <cstring>

using namespace kastors;

namespace {

class RankBenchmark : public Benchmark {
public:
  /// \p Launched: the processors that the launcher left this rank.
  explicit RankBenchmark(const CpuSet &Launched) : Launched(Launched) {
    for (const RankVariant &Variant : RankVariants)
      Infos.push_back(Variant.Info);
  }

  const char *name() const override { return "jacobi-mpi"; }

  const char *summary() const override {
    return "Blocked Jacobi solver of a Poisson problem on the unit square, on "
           "the ranks of mpirun.";
  }

  std::vector<BenchOption> options() override {
    return {{'n', "points per side", &Order, 1, 1 << 20},
            {'b', "points per side of a block", &Block, 1, 1 << 20},
            {'i', "iterations", &Steps, 1, 1 << 20},
            {'d',
             "most microseconds that a message is held back, at random, before "
             "it is\n                   sent and after it has come",
             &MostLate, 0, 1000000},
            {'s', "seed of these random numbers", &Seed, 0, 1L << 32}};
  }

  const std::vector<VariantInfo> &variants() const override { return Infos; }

  void prepare(size_t Variant, unsigned Threads, bool Check) override;
  void computeReference() override {
    Expected =
        Reference(static_cast<size_t>(Order), static_cast<size_t>(Steps));
  }
  void init(size_t Variant) override;
  void solve(size_t Variant) override;
  std::string check() override { return Expected.difference(*Problem); }
  std::vector<Field> parameters() const override;
  std::vector<Field> figures(double Seconds) const override;

  int rank() const { return Rank; }
  int ranks() const { return Ranks; }

private:
  void startMpi();

  long Order = 2048;
  long Block = 128;
  long Steps = 50;
  long MostLate = 0;
  long Seed = 1;
  std::vector<VariantInfo> Infos;
  const CpuSet Launched;
  int Rank = 0, Ranks = 0;
  std::unique_ptr<Exchange> Messages;
  std::unique_ptr<RankStrip> Problem;
  Reference Expected;
};

} // namespace

void RankBenchmark::startMpi() {
  int Provided;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &Provided);
  if (Provided < MPI_THREAD_SERIALIZED)
    benchFail("this MPI does not let several threads call it in turns "
              "(MPI_THREAD_SERIALIZED)");
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
}

void RankBenchmark::prepare(size_t Variant, unsigned Threads, bool Check) {
  if (Order % Block != 0)
    benchFail(
        "-n %ld is not a multiple of -b %ld: blocks must tile the matrix; the "
        "next size that fits is -n %ld",
        Order, Block, (Order / Block + 1) * Block);
  const RankVariant &V = RankVariants[Variant];
  if (MostLate > 0 && !V.HasTasks)
    benchFail("-d %ld: variant %s has no messages that could be held back; the "
              "others have",
              MostLate, V.Info.Name);
  startMpi();
  const size_t Side = static_cast<size_t>(Order / Block);
  if (Side < static_cast<size_t>(Ranks))
    benchFail("%d ranks but only %zu rows of blocks: every rank needs one; "
              "take smaller blocks (-b), a larger matrix (-n) or fewer ranks",
              Ranks, Side);
  int *MostTag, IsKnown;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &MostTag, &IsKnown);
  if (IsKnown && 4 * Side > static_cast<size_t>(*MostTag))
    benchFail("this MPI has no tags above %d: too few for %zu blocks side by "
              "side; take larger blocks (-b)",
              *MostTag, Side);
  const size_t Rows = RankStrip::stripOf(Side, Rank, Ranks).Rows;
  requireMemory(
      BlockMatrix::bytesFor(Rows, Side, static_cast<uint64_t>(Block), 3) +
          (Check ? Reference::bytesFor(static_cast<uint64_t>(Order)) : 0) +
          sizeof(TaskNote) * Rows * Side * static_cast<uint64_t>(Steps + 1),
      "take a smaller matrix (-n), fewer iterations (-i) or more machines");
  Messages =
      std::make_unique<Exchange>(static_cast<unsigned>(MostLate),
                                 randomMix(static_cast<uint64_t>(Seed) << 32 |
                                           static_cast<unsigned>(Rank)));
  Problem = std::make_unique<RankStrip>(Order, Block, Steps, Threads, V.Map,
                                        Meter, Rank, Ranks, *Messages);
}

void RankBenchmark::init(size_t Variant) {
  Problem->dropPages();
  const RankVariant &V = RankVariants[Variant];
  V.Sweep(*Problem, 0, 1, V.InitTask);
  MPI_Barrier(MPI_COMM_WORLD); // all begin together
}

void RankBenchmark::solve(size_t Variant) {
  const RankVariant &V = RankVariants[Variant];
  V.Sweep(*Problem, 1, static_cast<size_t>(Steps) + 1, V.SolveTask);
  MPI_Barrier(MPI_COMM_WORLD); // the slowest one counts
}

std::vector<Field> RankBenchmark::parameters() const {
  std::vector<Field> Fields = {{"n", std::to_string(Order)},
                               {"block", std::to_string(Block)},
                               {"iterations", std::to_string(Steps)},
                               {"rank", format("%d/%d", Rank, Ranks)},
                               {"cpus", Launched.cpus()},
                               {"nodes", Launched.nodes()}};
  if (Expected.isKnown())
    Fields.push_back({"max_error", format("%.2e", Expected.maxError())});
  return Fields;
}

/// A number that depends on each bit of each point of all ranks, and not on who
/// has computed it.
static uint64_t fingerprint(const RankStrip &Problem) {
  const size_t Order = Problem.order(), B = Problem.blockOrder();
  uint64_t Mine = 0, All = 0;
  for (size_t Row = 0; Row < Problem.rows() * B; ++Row)
    for (size_t Column = 0; Column < Order; ++Column) {
      const double Value = Problem.result(Row, Column);
      uint64_t Bits;
      std::memcpy(&Bits, &Value, sizeof(Bits));
      const size_t Point = (Problem.strip().First * B + Row) * Order + Column;
      Mine ^= randomMix(Bits ^ randomMix(Point));
    }
  MPI_Allreduce(&Mine, &All, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
  return All;
}

std::vector<Field> RankBenchmark::figures(double) const {
  return {{"result", format("%016llx", static_cast<unsigned long long>(
                                           fingerprint(*Problem)))},
          {"messages", std::to_string(Messages->messages())},
          {"late", std::to_string(Messages->late())},
          {"overtaking", std::to_string(Messages->overtaking())}};
}

int main(int ArgCount, char **Args) {
  // Before the first parallel region, which binds this thread.
  RankBenchmark Bench{CpuSet::ofThisThread()};
  // One rank's report after the other.
  std::setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
  const int Status = runBenchmark(Bench, ArgCount, Args);
  for (int Turn = 0; Turn < Bench.ranks(); ++Turn) {
    if (Turn == Bench.rank())
      std::fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return Status;
}
