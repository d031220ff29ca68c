//===-- bicgstab.cpp - Solves A x = b by BiCGStab -------------------------===//
//
// The method of van der Vorst (1992), without a preconditioner. Each of the
// five sweeps of an iteration does what can be done between two sums over all
// parts. A sum adds the parts' sums in their order, so the result depends on
// the parts, not on the threads or the variant.
//
//===----------------------------------------------------------------------===//

#include "problem.h"
#include "program.h"

#include <algorithm>
#include <cmath>

using namespace kastors;

namespace {

/// Two sums over all parts; each part writes its own cache line.
class PartSums {
public:
  explicit PartSums(size_t Parts) : Sums(Parts) {}

  void set(size_t Part, double First, double Second) {
    Sums[Part].First = First;
    Sums[Part].Second = Second;
  }
  double first() const { return sum(&Line::First); }
  double second() const { return sum(&Line::Second); }

private:
  struct alignas(64) Line {
    double First = 0;
    double Second = 0;
  };

  double sum(double Line::*Member) const {
    double Sum = 0;
    for (const Line &L : Sums)
      Sum += L.*Member;
    return Sum;
  }

  std::vector<Line> Sums;
};

class BiCGStab : public SparseBenchmark {
public:
  BiCGStab() : SparseBenchmark(500) {}

  const char *name() const override { return "bicgstab"; }
  const char *summary() const override {
    return "Solves A x = b by BiCGStab; b is A times a vector of ones.";
  }
  std::vector<BenchOption> options() override {
    auto Options = SparseBenchmark::options();
    Options.push_back({'i', "iterations at most", &MostIterations, 1, 1 << 30});
    Options.push_back(
        {'d', "digits by which the residual shall fall", &Digits, 1, 15});
    return Options;
  }

  void prepare(size_t Variant, unsigned Threads, bool Check) override {
    SparseBenchmark::prepare(Variant, Threads, Check);
    RightSide = multiply(Matrix, std::vector<double>(Matrix.rows(), 1.0));
    for (double B : RightSide)
      Norm += B * B;
    Norm = std::sqrt(Norm);
    if (Norm == 0)
      benchFail(
          "the rows of the matrix sum up to 0, so the right side is 0: there "
          "is nothing to solve");
  }

  void solve(size_t) override {
    Workers->run([this] { iterate(); });
  }

  /// The residual of the solution, not the one that the method carries along.
  std::string check() override;

  std::vector<Field> parameters() const override {
    auto Fields = SparseBenchmark::parameters();
    Fields.push_back({"digits", std::to_string(Digits)});
    return Fields;
  }

  std::vector<Field> figures(double Seconds) const override {
    return {{"iterations", std::to_string(Iterations)},
            {"ms_per_iteration",
             format("%.4f", 1e3 * Seconds /
                                static_cast<double>(std::max(1l, Iterations)))},
            {"residual", format("%.2e", Residual)}};
  }

private:
  /// x; the residual r and the first one, which stays; p, v = A p; s, t = A s.
  enum { X, R, First, P, V, S, T, Count };
  size_t vectorCount() const override { return Count; }
  double start(size_t Index, size_t Row) const override {
    return Index == R || Index == First || Index == P ? RightSide[Row] : 0.0;
  }

  void iterate();
  double *part(size_t Index, size_t Part) const {
    return Vectors[Index]->part(Part);
  }
  double tolerance() const {
    return std::pow(10.0, -static_cast<double>(Digits));
  }

  long MostIterations = 20000;
  long Digits = 8;
  std::vector<double> RightSide;
  double Norm = 0; ///< Of the right side.
  long Iterations = 0;
  double Residual = 0; ///< |b - A x| / |b|, as iterate sees it.
};

} // namespace

void BiCGStab::iterate() {
  PartSums Sums(Layout->parts());
  double Alpha = 0, Omega = 0, Beta = 0;
  const PartWork ComputeV = [&](size_t Part) {
    Parted->multiply(Part, *Vectors[P], *Vectors[V]);
    double FirstV = 0;
    for (size_t I = 0; I < Layout->rows(Part); ++I)
      FirstV += part(First, Part)[I] * part(V, Part)[I];
    Sums.set(Part, FirstV, 0);
  };
  const PartWork ComputeS = [&](size_t Part) {
    for (size_t I = 0; I < Layout->rows(Part); ++I)
      part(S, Part)[I] = part(R, Part)[I] - Alpha * part(V, Part)[I];
  };
  const PartWork ComputeT = [&](size_t Part) {
    Parted->multiply(Part, *Vectors[S], *Vectors[T]);
    double TS = 0, TT = 0;
    for (size_t I = 0; I < Layout->rows(Part); ++I) {
      const double Value = part(T, Part)[I];
      TS += Value * part(S, Part)[I];
      TT += Value * Value;
    }
    Sums.set(Part, TS, TT);
  };
  const PartWork ComputeXAndR = [&](size_t Part) {
    double FirstR = 0, RR = 0;
    for (size_t I = 0; I < Layout->rows(Part); ++I) {
      const double Value = part(S, Part)[I];
      part(X, Part)[I] += Alpha * part(P, Part)[I] + Omega * Value;
      const double Rest = Value - Omega * part(T, Part)[I];
      part(R, Part)[I] = Rest;
      FirstR += part(First, Part)[I] * Rest;
      RR += Rest * Rest;
    }
    Sums.set(Part, FirstR, RR);
  };
  const PartWork ComputeP = [&](size_t Part) {
    for (size_t I = 0; I < Layout->rows(Part); ++I)
      part(P, Part)[I] = part(R, Part)[I] +
                         Beta * (part(P, Part)[I] - Omega * part(V, Part)[I]);
  };

  double Rho = Norm * Norm;
  Residual = 1;
  for (Iterations = 0; Residual > tolerance() && Iterations < MostIterations;
       ++Iterations) {
    Workers->sweep(ComputeV, *Vectors[V]);
    Alpha = Rho / Sums.first();
    Workers->sweep(ComputeS, *Vectors[S]);
    Workers->sweep(ComputeT, *Vectors[T]);
    // s = 0: x + alpha p is the solution already.
    Omega = Sums.second() > 0 ? Sums.first() / Sums.second() : 0;
    Workers->sweep(ComputeXAndR, *Vectors[R]);
    Residual = std::sqrt(Sums.second()) / Norm;
    Beta = Sums.first() / Rho * (Alpha / Omega);
    Rho = Sums.first();
    // Breakdown: a division by 0 above. Nothing will mend it.
    if (!std::isfinite(Residual) || !std::isfinite(Beta))
      return;
    Workers->sweep(ComputeP, *Vectors[P]);
  }
}

std::string BiCGStab::check() {
  const std::vector<double> Solution = Vectors[X]->gather();
  const std::vector<double> Product = multiply(Matrix, Solution);
  double Squares = 0;
  for (size_t Row = 0; Row < Product.size(); ++Row)
    Squares +=
        (RightSide[Row] - Product[Row]) * (RightSide[Row] - Product[Row]);
  const double True = std::sqrt(Squares) / Norm;
  // The residual of the recurrence drifts away from the true one by rounding.
  if (True <= 10 * tolerance())
    return "";
  return format("no convergence: after %ld iterations the residual is %.2e of "
                "the right side, %.0e was asked (-d); more iterations (-i)?",
                Iterations, True, tolerance());
}

int main(int ArgCount, char **Args) {
  BiCGStab Bench;
  return runBenchmark(Bench, ArgCount, Args);
}
