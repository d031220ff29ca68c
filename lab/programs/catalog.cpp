//===- programs/catalog.cpp - Programs by name ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/catalog.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace locus::lab {

namespace {

/// The keys of a program, with what they are.
class Values {
public:
  Values(const std::string &Spec, const std::string &Defaults);

  const std::string &text(const std::string &Key) const {
    return ByKey.at(Key);
  }
  double number(const std::string &Key, double Least, double Most) const;
  uint64_t count(const std::string &Key, double Least = 1,
                 double Most = 1e9) const {
    return uint64_t(number(Key, Least, Most));
  }
  int small(const std::string &Key, double Least, double Most) const {
    return int(number(Key, Least, Most));
  }
  bool flag(const std::string &Key) const { return count(Key, 0, 1) != 0; }
  template <typename T>
  T choice(const std::string &Key,
           const std::vector<std::pair<const char *, T>> &Among) const;

  [[noreturn]] void fail(const std::string &Text) const {
    throw std::invalid_argument(Name + ": " + Text);
  }

private:
  std::string Name;
  std::map<std::string, std::string> ByKey;
};

std::vector<std::pair<std::string, std::string>>
split(const std::string &Text) {
  std::vector<std::pair<std::string, std::string>> Pairs;
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find(',', At), Text.size());
    const std::string Part = Text.substr(At, End - At);
    const size_t Equal = Part.find('=');
    Pairs.push_back({Part.substr(0, Equal),
                     Equal == std::string::npos ? "" : Part.substr(Equal + 1)});
    At = End + 1;
  }
  return Pairs;
}

Values::Values(const std::string &Spec, const std::string &Defaults) {
  const size_t Colon = Spec.find(':');
  Name = Spec.substr(0, Colon);
  for (const auto &[Key, Value] : split(Defaults))
    ByKey[Key] = Value;
  if (Colon == std::string::npos)
    return;
  for (const auto &[Key, Value] : split(Spec.substr(Colon + 1))) {
    const auto Found = ByKey.find(Key);
    if (Found == ByKey.end())
      fail("'" + Key + "' is not known; there are " +
           (Defaults.empty() ? std::string("no keys") : Defaults));
    Found->second = Value;
  }
}

double Values::number(const std::string &Key, double Least, double Most) const {
  const std::string &Text = ByKey.at(Key);
  char *End = nullptr;
  const double Value = strtod(Text.c_str(), &End);
  if (Text.empty() || *End || !(Value >= Least && Value <= Most)) {
    char Range[80];
    snprintf(Range, sizeof Range, "%g to %g", Least, Most);
    fail(Key + "=" + Text + " is not a number from " + Range);
  }
  return Value;
}

template <typename T>
T Values::choice(const std::string &Key,
                 const std::vector<std::pair<const char *, T>> &Among) const {
  std::string All;
  for (const auto &[Text, Value] : Among) {
    if (ByKey.at(Key) == Text)
      return Value;
    All += (All.empty() ? "" : ", ") + std::string(Text);
  }
  fail(Key + "=" + ByKey.at(Key) + " is none of " + All);
}

Placing placing(const Values &V) {
  return V.choice<Placing>("place", {{"none", Placing::None},
                                     {"loop", Placing::Loop},
                                     {"thread", Placing::Thread},
                                     {"strict", Placing::Strict},
                                     {"data", Placing::Data}});
}
FirstTouch touching(const Values &V) {
  return V.choice<FirstTouch>("touch", {{"one", FirstTouch::OneThread},
                                        {"tasks", FirstTouch::Tasks},
                                        {"owners", FirstTouch::Owners},
                                        {"cyclic", FirstTouch::Cyclic}});
}
/// Where memory is from the beginning, too.
FirstTouch placed(const Values &V) {
  if (V.text("touch") == "dealt")
    return FirstTouch::Dealt;
  if (V.text("touch") == "paged")
    return FirstTouch::Paged;
  return touching(V);
}
void requireDivides(const Values &V, uint64_t Part, uint64_t All,
                    const char *What) {
  if (Part == 0 || All % Part != 0)
    V.fail(std::string(What) + " does not divide order");
}

Repeat again(const Values &V) {
  Repeat Again;
  Again.Rounds = V.count("rounds");
  Again.IsGraph = V.flag("graph");
  return Again;
}

TimedProgram makeJacobi(const Values &V, int Threads, CoreSpeed Speed) {
  JacobiSize Size;
  Size.Order = V.count("order");
  Size.Block = V.count("block");
  Size.Steps = V.count("steps");
  Size.CopiesBack = V.flag("copy");
  Size.Again = again(V);
  requireDivides(V, Size.Block, Size.Order, "block");
  const uint64_t Side = Size.Order / Size.Block;
  if (Side * Side < uint64_t(Threads))
    V.fail("there are fewer blocks than threads");
  if (placing(V) == Placing::Loop &&
      (Size.Again.Rounds > 1 || Size.Again.IsGraph))
    V.fail("place=loop: it has neither rounds nor a graph");
  return jacobi(Size, placing(V), touching(V), Threads, Speed);
}

SpmvSize sparseSize(const Values &V, int Threads) {
  SpmvSize Size;
  Size.Side = V.count("side");
  Size.Parts = V.count("parts", 0, 1e6);
  Size.Products = V.count("products");
  if (std::max(Size.Parts, uint64_t(Threads)) > Size.Side)
    V.fail("there are fewer rows on a side than parts");
  return Size;
}

TimedProgram makeSpmv(const Values &V, int Threads, CoreSpeed Speed) {
  return spmv(sparseSize(V, Threads), placing(V), touching(V), Threads, Speed);
}

TimedProgram makeBicgstab(const Values &V, int Threads, CoreSpeed Speed) {
  return bicgstab(sparseSize(V, Threads), placing(V), touching(V), Threads,
                  Speed);
}

/// Sets order and tile.
template <typename Size> Size tiled(const Values &V) {
  Size Of;
  Of.Order = V.count("order");
  Of.Tile = V.count("tile");
  requireDivides(V, Of.Tile, Of.Order, "tile");
  if (placing(V) == Placing::Loop)
    V.fail("place=loop: it has no loop");
  return Of;
}

TimedProgram makeCholesky(const Values &V, int Threads, CoreSpeed Speed) {
  CholeskySize Size = tiled<CholeskySize>(V);
  Size.Again = again(V);
  return cholesky(Size, placing(V), placed(V), Threads, Speed);
}

TimedProgram makeQr(const Values &V, int Threads, CoreSpeed Speed) {
  QrSize Size = tiled<QrSize>(V);
  Size.Inner = V.count("inner");
  return qr(Size, placing(V), placed(V), Threads, Speed);
}

TimedProgram makeLu(const Values &V, int Threads, CoreSpeed Speed) {
  return lu(tiled<LuSize>(V), placing(V), placed(V), Threads, Speed);
}

TimedProgram makeSparseLuDepend(const Values &V, int Threads, CoreSpeed Speed) {
  return sparseLuDepend(tiled<LuSize>(V), placing(V), placed(V), Threads,
                        Speed);
}

TimedProgram makeStrassenDepend(const Values &V, int Threads, CoreSpeed Speed) {
  StrassenSize Size = tiled<StrassenSize>(V);
  Size.Levels = V.small("levels", 0, 8);
  if (Size.Order / Size.Tile % (uint64_t(1) << Size.Levels) != 0)
    V.fail("the tiles cannot be halved so often: levels");
  return strassenDepend(Size, placing(V), placed(V), Threads, Speed);
}

TimedProgram makeSparseLu(const Values &V, int, CoreSpeed Speed) {
  SparseLuSize Size;
  Size.Blocks = V.count("blocks", 2, 1000);
  Size.Block = V.count("block", 1, 10000);
  Size.ManyCreators = V.flag("many");
  return sparseLu(Size, Speed);
}

TimedProgram makeProducers(const Values &V, int Threads, CoreSpeed Speed) {
  ProducersSize Size;
  Size.Producers = V.small("producers", 1, 1000);
  Size.Tasks = V.count("tasks");
  Size.MaxLoad = V.count("load", 0, 1e9);
  if (Size.Producers > Threads)
    V.fail("there are more producers than threads");
  return producers(Size, Speed);
}

TimedProgram makeFib(const Values &V, int, CoreSpeed Speed) {
  return fib(V.small("n", 0, 45), Speed);
}

TimedProgram makeSteal(const Values &V, int, CoreSpeed) {
  StealTreeSize Size;
  Size.Depth = V.small("depth", 0, 20);
  Size.Rounds = V.count("rounds");
  Size.LeafNs = V.number("leaf", 0, 1e12);
  return stealTree(Size);
}

TimedProgram makeUts(const Values &V, int, CoreSpeed) {
  UtsSize Size;
  Size.RootChildren = V.count("children");
  Size.NodeNs = V.number("ns", 0, 1e12);
  Size.Seed = V.count("seed", 0, 1e9);
  return uts(Size);
}

TimedProgram makeSort(const Values &V, int, CoreSpeed Speed) {
  SortSize Size;
  Size.Elements = V.count("elements", 4, 4e9);
  Size.Leaf = V.count("leaf", 4, 4e9);
  return sortTree(Size, Speed);
}

TimedProgram makeFft(const Values &V, int, CoreSpeed Speed) {
  FftSize Size;
  Size.Log2 = V.small("log2", 1, 32);
  Size.Leaf = V.count("leaf");
  return fft(Size, Speed);
}

TimedProgram makeQueens(const Values &V, int, CoreSpeed Speed) {
  QueensSize Size;
  Size.Queens = V.small("n", 1, 16);
  Size.CutOff = V.small("cutoff", 0, 16);
  return queens(Size, Speed);
}

TimedProgram makeFloorplan(const Values &V, int, CoreSpeed Speed) {
  return floorplan(V.small("n", 1, 20), V.count("seed", 0, 1e9), Speed);
}

TimedProgram makeStrassen(const Values &V, int, CoreSpeed Speed) {
  ProductSize Size;
  Size.Order = V.count("order", 2, 65536);
  Size.Leaf = V.count("leaf", 1, 65536);
  if (Size.Order & (Size.Order - 1))
    V.fail("order is no power of two");
  return strassen(Size, Speed);
}

TimedProgram makeFlat(const Values &V, int, CoreSpeed) {
  FlatSize Size;
  Size.Tasks = V.count("tasks");
  Size.TaskNs = V.number("ns", 0, 1e12);
  Size.ManyCreators = V.flag("many");
  return flat(Size);
}

TimedProgram makeHandover(const Values &V, int, CoreSpeed) {
  HandoverSize Size;
  Size.Rounds = V.count("rounds");
  Size.TaskNs = V.number("ns", 0, 1e12);
  Size.PauseNs = V.number("pause", 0, 1e12);
  return handover(Size);
}

TimedProgram makeStorm(const Values &V, int, CoreSpeed) {
  StormSize Size;
  Size.Rounds = V.count("rounds");
  Size.Readers = V.count("readers");
  Size.ReaderNs = V.number("ns", 0, 1e12);
  return storm(Size);
}
TimedProgram makeStream(const Values &V, int, CoreSpeed) {
  StreamSize Size;
  Size.Tasks = V.count("tasks");
  Size.Width = V.count("width", 1, 1e7);
  Size.TaskNs = V.number("ns", 0, 1e12);
  Size.IsStencil = V.flag("stencil");
  return stream(Size);
}
TimedProgram makeIdleNode(const Values &V, int, CoreSpeed) {
  return idleNode(V.count("tasks"), V.number("ns", 0, 1e12));
}
TimedProgram makeTaskloop(const Values &V, int Threads, CoreSpeed) {
  TaskloopSize Size;
  Size.Loops = V.count("loops");
  Size.Pages = V.count("pages", 1, 1e6);
  Size.ChunkNs = V.number("ns", 0, 1e12);
  Size.SerialNs = V.number("serial", 0, 1e12);
  const FirstTouch Touch = touching(V);
  if (Touch != FirstTouch::Tasks && Touch != FirstTouch::Owners)
    V.fail("touch is none of tasks, owners");
  return taskloop(Size, Touch, Threads);
}
TimedProgram makeBarriers(const Values &V, int, CoreSpeed) {
  return barriers(V.count("rounds"));
}
TimedProgram makeBehind(const Values &V, int, CoreSpeed) {
  return behindLong(V.number("long", 0, 1e12), V.number("short", 0, 1e12));
}

TimedProgram makeStatic(const Values &V, int, CoreSpeed Speed) {
  return staticPool(V.count("tasks"), V.count("times"), Speed);
}
TimedProgram makeDynamic(const Values &V, int, CoreSpeed Speed) {
  return dynamicPool(V.small("k", 1, 40), V.number("factor", 0, 1e9), Speed);
}

TimedProgram makeSierpinski(const Values &V, int, CoreSpeed Speed) {
  SierpinskiSize Size;
  Size.Steps = V.count("steps", 1, 1e6);
  Size.FirstStep = V.count("first", 0, 1e6);
  Size.Set = V.choice<char>("set", {{"A", 'A'}, {"B", 'B'}, {"C", 'C'}});
  return sierpinski(Size, Speed);
}

struct Entry {
  const char *Name, *Defaults, *What;
  TimedProgram (*Make)(const Values &, int Threads, CoreSpeed);
};
const Entry Entries[] = {
    {"jacobi",
     "order=49152,block=1024,steps=10,copy=1,rounds=1,graph=0,place=none,touch="
     "tasks",
     "stencil in blocks with depend", makeJacobi},
    {"spmv", "side=2000,parts=0,products=100,place=none,touch=tasks",
     "sparse matrix times vector", makeSpmv},
    {"bicgstab", "side=2000,parts=0,products=20,place=none,touch=tasks",
     "iterations of BiCGStab on the same matrix", makeBicgstab},
    {"cholesky", "order=8192,tile=256,rounds=1,graph=0,place=none,touch=tasks",
     "factorization by tiles with depend", makeCholesky},
    {"qr", "order=8192,tile=256,inner=128,place=none,touch=tasks",
     "QR factorization by tiles with depend", makeQr},
    {"lu", "order=8192,tile=256,place=none,touch=tasks",
     "LU factorization by tiles with depend, pivots in whole columns", makeLu},
    {"sparselu_depend", "order=8192,tile=128,place=none,touch=tasks",
     "LU of many empty tiles with depend", makeSparseLuDepend},
    {"strassen_depend", "order=8192,tile=512,levels=2,place=none,touch=tasks",
     "product by seven products, by tiles with depend", makeStrassenDepend},
    {"sparselu", "blocks=50,block=100,many=0", "LU of sparse blocks in phases",
     makeSparseLu},
    {"producers", "producers=1,tasks=1000000,load=128",
     "some threads create, the others run", makeProducers},
    {"fib", "n=25", "recursion without cut-off", makeFib},
    {"steal", "depth=3,rounds=100,leaf=20000",
     "balanced trees that have to be stolen", makeSteal},
    {"uts", "children=2000,ns=300,seed=1", "unbalanced tree", makeUts},
    {"sort", "elements=33554432,leaf=2048", "multisort", makeSort},
    {"fft", "log2=18,leaf=16", "fast Fourier transform", makeFft},
    {"queens", "n=10,cutoff=0", "placements of queens", makeQueens},
    {"floorplan", "n=8,seed=1", "branch and bound of a board of cells",
     makeFloorplan},
    {"strassen", "order=1024,leaf=64", "product of matrices by seven products",
     makeStrassen},
    {"flat", "tasks=20000,ns=50000,many=0", "equal tasks without data",
     makeFlat},
    {"handover", "rounds=100,ns=20000,pause=100000",
     "a task for each thread that waits", makeHandover},
    {"storm", "rounds=100,readers=192,ns=10000",
     "one task's end makes many ready", makeStorm},
    {"stream", "tasks=100000,width=1024,ns=10000,stencil=0",
     "dependent tasks of one creator", makeStream},
    {"idlenode", "tasks=20000,ns=50000", "tasks for all nodes but one",
     makeIdleNode},
    {"taskloop", "loops=10,pages=16,ns=5000,serial=0,touch=owners",
     "taskloops without a clause", makeTaskloop},
    {"barriers", "rounds=100", "barriers alone", makeBarriers},
    {"behind", "long=1000000,short=10000", "strict tasks behind long ones",
     makeBehind},
    {"static", "tasks=320,times=800", "equal tasks of one creator", makeStatic},
    {"dynamic", "k=12,factor=1", "tasks that create two smaller ones",
     makeDynamic},
    {"sierpinski", "steps=100,first=0,set=B", "a growing number of tasks",
     makeSierpinski},
};

} // namespace

TimedProgram makeProgram(const std::string &Spec, int Threads,
                         CoreSpeed Speed) {
  const std::string Name = Spec.substr(0, Spec.find(':'));
  std::string All;
  for (const Entry &E : Entries) {
    if (Name == E.Name)
      return E.Make(Values(Spec, E.Defaults), Threads, Speed);
    All += (All.empty() ? "" : ", ") + std::string(E.Name);
  }
  throw std::invalid_argument("there is no program '" + Name + "'; there are " +
                              All);
}

std::vector<std::string> describePrograms() {
  std::vector<std::string> Lines;
  for (const Entry &E : Entries)
    Lines.push_back(std::string(E.Name) + ":" + E.Defaults + "   " + E.What);
  return Lines;
}

} // namespace locus::lab
