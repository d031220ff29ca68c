//===- validate/here.cpp - This machine, predicted and measured -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// locus-lab-here MACHINE MEASURED: reads what here.c has printed on a machine
// whose file is MACHINE, runs the same programs on the simulated one, and
// prints a table. Of MEASURED only `kernel` lines are used for the prediction.
//
//===----------------------------------------------------------------------===//

#include "lab/machine/file.h"
#include "lab/program.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <stdio.h>

using namespace locus::lab;

namespace {

using Key = std::pair<std::string, int>; ///< name and threads

struct Measured {
  std::map<Key, double> Kernels, Runs, Tasks;

  explicit Measured(const std::string &File) {
    std::ifstream In(File);
    if (!In)
      throw std::invalid_argument("cannot read " + File);
    std::string Line;
    while (std::getline(In, Line)) {
      std::istringstream Words(Line);
      std::string Kind, Name;
      int Threads;
      double Ns;
      if (!(Words >> Kind >> Name >> Threads >> Ns) || Ns <= 0)
        throw std::invalid_argument(File + ": not a line of here.c: " + Line);
      (Kind == "kernel" ? Kernels
       : Kind == "run"  ? Runs
                        : Tasks)[{Name, Threads}] = Ns;
    }
  }
  double kernel(const std::string &Name) const {
    const auto Found = Kernels.find({Name, 1});
    if (Found == Kernels.end())
      throw std::invalid_argument("the time of the kernel " + Name +
                                  " is missing");
    return Found->second;
  }
};

//===----------------------------------------------------------------------===//
// The programs of here.c
//===----------------------------------------------------------------------===//

TaskSpec task(std::function<void(Context &)> Body) {
  TaskSpec Spec;
  Spec.Body = std::move(Body);
  Spec.MayRunInPlace = true;
  return Spec;
}

Program single(std::function<void(Context &)> Body) {
  Program P;
  P.Constructs = {"task"};
  P.ImplicitTask = [Body](Context &C) {
    if (C.thread() == 0)
      Body(C);
  };
  return P;
}

void fib(Context &C, int N, double Ns) {
  C.compute(Ns);
  if (N < 2)
    return;
  for (int I = 1; I <= 2; ++I)
    C.create(task([=](Context &D) { fib(D, N - I, Ns); }));
  C.taskwait();
}

void tree(Context &C, int Depth, double Ns) {
  if (Depth == 0)
    return C.compute(Ns);
  for (int I = 0; I < 2; ++I)
    C.create(task([=](Context &D) { tree(D, Depth - 1, Ns); }));
  C.taskwait();
}

void flat(Context &C, int Tasks, double Ns) {
  for (int I = 0; I < Tasks; ++I)
    C.create(task([=](Context &D) { D.compute(Ns); }));
}

constexpr uint64_t Base = uint64_t(1) << 40;
constexpr int Blocks = 16, Steps = 10, Tiles = 12;

void jacobi(Context &C, double Ns) {
  auto At = [](int Field, int I, int J) {
    return Base + uint64_t((Field * Blocks + I) * Blocks + J) * 131072;
  };
  for (int T = 0; T < Steps; ++T)
    for (int I = 0; I < Blocks; ++I)
      for (int J = 0; J < Blocks; ++J) {
        TaskSpec Spec = task([=](Context &D) { D.compute(Ns); });
        const int U = std::max(I - 1, 0), D = std::min(I + 1, Blocks - 1);
        const int L = std::max(J - 1, 0), R = std::min(J + 1, Blocks - 1);
        const int From = T % 2;
        for (uint64_t Read : {At(From, I, J), At(From, U, J), At(From, D, J),
                              At(From, I, L), At(From, I, R)})
          Spec.Depends.push_back({Read, DepKind::In});
        Spec.Depends.push_back({At(1 - From, I, J), DepKind::Out});
        C.create(Spec);
      }
  C.taskwait();
}

struct Kernels {
  double Potrf, Trsm, Gemm;
};

void cholesky(Context &C, Kernels Ns) {
  auto At = [](int I, int J) {
    return Base + uint64_t(I * Tiles + J) * 131072;
  };
  auto Create = [&](double Time, std::vector<Depend> Depends) {
    TaskSpec Spec = task([=](Context &D) { D.compute(Time); });
    Spec.Depends = std::move(Depends);
    C.create(Spec);
  };
  for (int K = 0; K < Tiles; ++K) {
    Create(Ns.Potrf, {{At(K, K), DepKind::InOut}});
    for (int I = K + 1; I < Tiles; ++I)
      Create(Ns.Trsm, {{At(K, K), DepKind::In}, {At(I, K), DepKind::InOut}});
    for (int I = K + 1; I < Tiles; ++I)
      for (int J = K + 1; J <= I; ++J)
        Create(Ns.Gemm, {{At(I, K), DepKind::In},
                         {At(J, K), DepKind::In},
                         {At(I, J), DepKind::InOut}});
  }
  C.taskwait();
}

/// What 200 tasks take while the other thread looks for none; many times. A
/// task's time goes to \p Ns.
Program aside(bool WithDepend, double &Ns) {
  Program P;
  P.Constructs = {"task"};
  P.ImplicitTask = [WithDepend, &Ns](Context &C) {
    if (C.thread() != 0)
      return C.compute(1e9);
    const double Begin = C.now();
    for (int Many = 0; Many < 100; ++Many) {
      for (int I = 0; I < 200; ++I) {
        TaskSpec Spec = task([](Context &) {});
        if (WithDepend)
          Spec.Depends = {{Base + 64 * uint64_t(I), DepKind::InOut}};
        C.create(Spec);
      }
      C.taskwait();
    }
    Ns = (C.now() - Begin) / 20000;
  };
  return P;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Median and range of some seeds, in ns.
struct Predicted {
  double Middle, Least, Most;
};

Predicted predict(const Machine &M, const Program &P, int Threads) {
  std::vector<double> All;
  for (uint64_t Seed = 1; Seed <= 5; ++Seed) {
    RunOptions Options;
    Options.Threads = Threads;
    Options.Seed = Seed;
    const Result R = run(M, Options, P);
    if (!R.IsComplete)
      throw std::runtime_error(R.Why);
    All.push_back(R.Seconds * 1e9);
  }
  std::sort(All.begin(), All.end());
  return {All[2], All[0], All[4]};
}

int compare(const Machine &M, const Measured &Have) {
  const double Calls = 2692537; // of fib(30)
  const double Restore = Have.kernel("restore");
  const Kernels Tile = {Have.kernel("potrf"), Have.kernel("trsm"),
                        Have.kernel("gemm")};
  struct Case {
    const char *Name;
    Program P;
    double Before; ///< ns that are no part of the region
  };
  const Case Cases[] = {
      {"fib",
       single([&](Context &C) { fib(C, 30, Have.kernel("fib") / Calls); }), 0},
      {"tree1us",
       single([&](Context &C) { tree(C, 12, Have.kernel("leaf1us")); }), 0},
      {"flat20us",
       single([&](Context &C) { flat(C, 2000, Have.kernel("leaf20us")); }), 0},
      {"flat500ns",
       single([&](Context &C) { flat(C, 20000, Have.kernel("leaf500ns")); }),
       0},
      {"jacobi", single([&](Context &C) { jacobi(C, Have.kernel("jacobi")); }),
       0},
      {"cholesky", single([&](Context &C) { cholesky(C, Tile); }), Restore}};
  printf("%-10s %7s %12s %12s %9s   %s\n", "program", "threads", "measured us",
         "predicted", "error", "seeds");
  int Good = 0, All = 0;
  for (int Threads = 1; Threads <= 2; ++Threads)
    for (const Case &C : Cases) {
      const auto Real = Have.Runs.find({C.Name, Threads});
      if (Real == Have.Runs.end())
        continue;
      const Predicted Ours = predict(M, C.P, Threads);
      const double Ns = Ours.Middle + C.Before;
      const double Error = Ns / Real->second - 1;
      printf("%-10s %7d %12.1f %12.1f %+8.1f%%   %.1f to %.1f\n", C.Name,
             Threads, Real->second / 1000, Ns / 1000, 100 * Error,
             (Ours.Least + C.Before) / 1000, (Ours.Most + C.Before) / 1000);
      // What a task in place costs is from fib on one thread.
      if (std::string(C.Name) == "fib" && Threads == 1)
        continue;
      Good += Error < 0.1 && Error > -0.1;
      ++All;
    }
  printf("%d of %d at most 10 %% off (fib on 1 thread, from which "
         "Costs::InPlaceNs is, does not count)\n",
         Good, All);
  return Good;
}

void showTasks(const Machine &M, const Measured &Have) {
  for (const bool WithDepend : {false, true}) {
    RunOptions Options;
    Options.Threads = 2;
    double Ns = 0;
    const Result R = run(M, Options, aside(WithDepend, Ns));
    const ThreadResult &T = R.Threads[0];
    const auto Real = Have.Tasks.find({WithDepend ? "depend" : "short", 2});
    printf("a task %s: measured %.1f ns, simulated %.1f: %.1f to create, "
           "%.1f to end, %llu of 20000 in place\n",
           WithDepend ? "with depend" : "alone",
           Real == Have.Tasks.end() ? 0.0 : Real->second, Ns,
           T.Creating * 1e9 / 20000, T.Ending * 1e9 / 20000,
           (unsigned long long)R.InPlace);
  }
}

} // namespace

int main(int Count, char **Words) {
  if (Count != 3) {
    fprintf(stderr, "usage: locus-lab-here MACHINE MEASURED\n");
    return 2;
  }
  try {
    const MachineFile File = readMachine(Words[1]);
    const Measured Have(Words[2]);
    showTasks(File.M, Have);
    compare(File.M, Have);
  } catch (const std::exception &Error) {
    fprintf(stderr, "locus-lab-here: %s\n", Error.what());
    return 1;
  }
  return 0;
}
