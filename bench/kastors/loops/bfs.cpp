//===-- bfs.cpp - Breadth-first search of a random graph ------------------===//
//
// Level by level, each a loop over all vertices: those of the level mark their
// neighbours. The edges of a block of vertices lie together, their ends
// anywhere: a case where placement can help with the edges alone, and hardly
// does.
//
//===----------------------------------------------------------------------===//

#include "../common/memory.h"
#include "../common/pages.h"
#include "program.h"
#include "sweeps.h"

#include <algorithm>
#include <memory>

using namespace kastors;

namespace {

constexpr uint32_t Unseen = UINT32_MAX;

/// The neighbour of vertex \p From by its edge \p Edge: always the same, and
/// spread over all \p Vertices.
uint32_t neighbour(uint64_t From, uint64_t Edge, uint64_t Vertices) {
  uint64_t Hash = (From << 8 | Edge) + 0x9e3779b97f4a7c15u;
  Hash = (Hash ^ Hash >> 30) * 0xbf58476d1ce4e5b9u;
  Hash = (Hash ^ Hash >> 27) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>((Hash ^ Hash >> 31) % Vertices);
}

class Bfs : public Benchmark {
public:
  const char *name() const override { return "bfs"; }
  const char *summary() const override {
    return "Breadth-first search of a random graph, level by level.";
  }
  std::vector<BenchOption> options() override {
    return {{'n', "vertices", &Vertices, 1, 1l << 31},
            {'b', "vertices of a block", &Block, 1, 1 << 30},
            {'d', "edges of a vertex", &Degree, 1, 256}};
  }
  const std::vector<VariantInfo> &variants() const override {
    return loopVariantInfos();
  }

  void prepare(size_t, unsigned, bool) override {
    Stride = wholePages(static_cast<uint64_t>(Block) *
                        static_cast<uint64_t>(Degree) * sizeof(uint32_t));
    Blocks = static_cast<size_t>((Vertices + Block - 1) / Block);
    requireMemory(Blocks * Stride +
                      2 * static_cast<uint64_t>(Vertices) * sizeof(uint32_t),
                  "take fewer vertices (-n) or edges (-d)");
    Edges = std::make_unique<Pages>(Blocks * Stride);
    Levels = std::make_unique<Pages>(static_cast<size_t>(Vertices) *
                                     sizeof(uint32_t));
  }

  void computeReference() override {
    Reference.assign(static_cast<size_t>(Vertices), Unseen);
    Reference[0] = 0;
    std::vector<uint32_t> Now = {0}, Next;
    for (uint32_t Level = 1; !Now.empty(); ++Level, Now.swap(Next)) {
      Next.clear();
      for (uint32_t From : Now)
        for (long Edge = 0; Edge < Degree; ++Edge) {
          const uint32_t To = neighbour(From, static_cast<uint64_t>(Edge),
                                        static_cast<uint64_t>(Vertices));
          if (Reference[To] == Unseen) {
            Reference[To] = Level;
            Next.push_back(To);
          }
        }
    }
  }

  void init(size_t Variant) override {
    Edges->drop();
    Levels->drop();
    LoopVariants[Variant].Init(row(), [this](size_t Number) {
      uint32_t *Ends = edges(Number);
      forBlock(Number, [&](size_t From) {
        levels()[From] = Unseen;
        for (long Edge = 0; Edge < Degree; ++Edge)
          *Ends++ = neighbour(From, static_cast<uint64_t>(Edge),
                              static_cast<uint64_t>(Vertices));
      });
    });
  }

  void solve(size_t Variant) override {
    const LoopVariant &V = LoopVariants[Variant];
    for (size_t I = 0; I < static_cast<size_t>(Vertices); ++I)
      levels()[I] = Unseen;
    levels()[0] = 0;
    runSweeps(V, [&] {
      int Found = 1;
      for (uint32_t Level = 0; Found; ++Level) {
        Found = 0;
        V.Solve(row(), [this, Level, &Found](size_t Number) {
          if (expand(Number, Level))
            __atomic_store_n(&Found, 1, __ATOMIC_RELAXED);
        });
        Depth = Level;
      }
    });
  }

  std::string check() override {
    for (size_t I = 0; I < static_cast<size_t>(Vertices); ++I)
      if (levels()[I] != Reference[I])
        return format("vertex %zu is in level %u instead of %u", I, levels()[I],
                      Reference[I]);
    return "";
  }

  std::vector<Field> parameters() const override {
    return {{"n", std::to_string(Vertices)},
            {"block", std::to_string(Block)},
            {"degree", std::to_string(Degree)},
            {"levels", std::to_string(Depth)}};
  }

  std::vector<Field> figures(double Seconds) const override {
    return {{"medges_per_s",
             format("%.3f", static_cast<double>(Vertices) *
                                static_cast<double>(Degree) / Seconds / 1e6)}};
  }

private:
  BlockRow row() { return {Blocks, Edges->begin(), Stride, &Meter}; }
  uint32_t *levels() const {
    return reinterpret_cast<uint32_t *>(Levels->begin());
  }
  uint32_t *edges(size_t Number) const {
    return reinterpret_cast<uint32_t *>(Edges->begin() + Number * Stride);
  }
  template <class Action> void forBlock(size_t Number, Action Do) const {
    const size_t Begin = Number * static_cast<size_t>(Block);
    const size_t End = std::min(Begin + static_cast<size_t>(Block),
                                static_cast<size_t>(Vertices));
    for (size_t From = Begin; From < End; ++From)
      Do(From);
  }

  /// The vertices of block \p Number that are in \p Level put their new
  /// neighbours in the next one. \returns whether there are any.
  bool expand(size_t Number, uint32_t Level) const {
    const uint32_t *Ends = edges(Number);
    bool Any = false;
    forBlock(Number, [&](size_t From) {
      const uint32_t *Mine = Ends;
      Ends += Degree;
      if (__atomic_load_n(&levels()[From], __ATOMIC_RELAXED) != Level)
        return;
      for (long Edge = 0; Edge < Degree; ++Edge) {
        // Who comes second writes the same.
        uint32_t *To = &levels()[Mine[Edge]];
        if (__atomic_load_n(To, __ATOMIC_RELAXED) == Unseen) {
          __atomic_store_n(To, Level + 1, __ATOMIC_RELAXED);
          Any = true;
        }
      }
    });
    return Any;
  }

  long Vertices = 1 << 20;
  long Block = 1024;
  long Degree = 16;
  size_t Stride = 0;
  size_t Blocks = 0;
  uint32_t Depth = 0;
  std::unique_ptr<Pages> Edges, Levels;
  std::vector<uint32_t> Reference;
};

} // namespace

int main(int ArgCount, char **Args) {
  Bfs Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
