//===-- matrix_market.cpp - Matrices from files ---------------------------===//

#include "matrix.h"
#include "program.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

using namespace kastors;

namespace {

/// Entries as they stand in the file, 0-based.
struct Entry {
  int32_t Row;
  int32_t Column;
  double Value;
};

class Reader {
public:
  explicit Reader(const std::string &Name) : Name(Name), File(Name) {
    if (!File)
      benchFail("%s: %s", Name.c_str(), std::strerror(errno));
  }

  SparseMatrix read();

private:
  [[noreturn]] void wrong(const std::string &What) const {
    benchFail("%s:%zu: %s", Name.c_str(), Number, What.c_str());
  }

  /// The next line that is neither empty nor a comment. At the end of the file
  /// it fails with \p Missing.
  void nextLine(const std::string &Missing);

  void readHeader();
  long readNumber(const char *What, long Min, long Max);
  double readValue();
  void endOfLine();
  SparseMatrix compress() const;

  std::string Name;
  std::ifstream File;
  size_t Number = 0;
  std::istringstream Words;
  bool Pattern = false;
  bool Symmetric = false;
  double Mirror = 1; ///< Factor of the mirrored entry.
  long Rows = 0;
  std::vector<Entry> Entries;
};

} // namespace

void Reader::nextLine(const std::string &Missing) {
  std::string Line;
  while (std::getline(File, Line)) {
    ++Number;
    const size_t Start = Line.find_first_not_of(" \t\r");
    if (Start == std::string::npos || Line[Start] == '%')
      continue;
    Words = std::istringstream(Line);
    return;
  }
  ++Number;
  wrong("the file ends here; " + Missing);
}

void Reader::readHeader() {
  std::string Line;
  std::getline(File, Line);
  Number = 1;
  std::transform(Line.begin(), Line.end(), Line.begin(), [](unsigned char C) {
    return static_cast<char>(std::tolower(C));
  });
  std::istringstream Header(Line);
  std::string Banner, Object, Format, Type, Symmetry;
  Header >> Banner >> Object >> Format >> Type >> Symmetry;
  if (Banner != "%%matrixmarket" || Object != "matrix")
    wrong("a MatrixMarket file begins with '%%MatrixMarket matrix'");
  if (Format != "coordinate")
    wrong("format '" + Format + "' is not read: only 'coordinate'");
  if (Type != "real" && Type != "integer" && Type != "pattern")
    wrong("entries of type '" + Type +
          "' are not read: only real, integer and pattern");
  Pattern = Type == "pattern";
  if (Symmetry != "general" && Symmetry != "symmetric" &&
      Symmetry != "skew-symmetric")
    wrong("symmetry '" + Symmetry +
          "' is not read: only general, symmetric and skew-symmetric");
  Symmetric = Symmetry != "general";
  Mirror = Symmetry == "skew-symmetric" ? -1 : 1;
}

long Reader::readNumber(const char *What, long Min, long Max) {
  std::string Word;
  if (!(Words >> Word))
    wrong(std::string(What) + " is missing");
  char *End;
  errno = 0;
  const long Result = std::strtol(Word.c_str(), &End, 10);
  if (*End || errno || Result < Min || Result > Max)
    wrong(std::string(What) + " '" + Word + "' is not a whole number from " +
          std::to_string(Min) + " to " + std::to_string(Max));
  return Result;
}

double Reader::readValue() {
  std::string Word;
  if (!(Words >> Word))
    wrong("the value is missing");
  char *End;
  const double Result = std::strtod(Word.c_str(), &End);
  if (*End || !std::isfinite(Result))
    wrong("value '" + Word + "' is not a finite number");
  return Result;
}

void Reader::endOfLine() {
  std::string Word;
  if (Words >> Word)
    wrong("'" + Word + "' is too much on this line");
}

/// Counting sort by row; within a row the order of the file stays.
SparseMatrix Reader::compress() const {
  SparseMatrix M;
  M.Begin.assign(static_cast<size_t>(Rows) + 1, 0);
  for (const Entry &E : Entries)
    ++M.Begin[static_cast<size_t>(E.Row) + 1];
  for (size_t Row = 0; Row < M.rows(); ++Row)
    M.Begin[Row + 1] += M.Begin[Row];
  M.Column.resize(Entries.size());
  M.Value.resize(Entries.size());
  std::vector<size_t> Next(M.Begin.begin(), M.Begin.end() - 1);
  for (const Entry &E : Entries) {
    const size_t At = Next[static_cast<size_t>(E.Row)]++;
    M.Column[At] = E.Column;
    M.Value[At] = E.Value;
  }
  return M;
}

SparseMatrix Reader::read() {
  readHeader();
  nextLine("the line with rows, columns and entries is missing");
  constexpr long Most = std::numeric_limits<int32_t>::max();
  Rows = readNumber("number of rows", 1, Most);
  const long Columns = readNumber("number of columns", 1, Most);
  const long Count = readNumber("number of entries", 0, Most);
  endOfLine();
  if (Rows != Columns)
    wrong("the matrix has " + std::to_string(Rows) + " rows and " +
          std::to_string(Columns) + " columns; it must be square");
  for (long I = 0; I < Count; ++I) {
    nextLine(std::to_string(Count - I) + " of " + std::to_string(Count) +
             " entries are missing");
    Entry E;
    E.Row = static_cast<int32_t>(readNumber("row", 1, Rows) - 1);
    E.Column = static_cast<int32_t>(readNumber("column", 1, Rows) - 1);
    E.Value = Pattern ? 1.0 : readValue();
    endOfLine();
    Entries.push_back(E);
    if (!Symmetric)
      continue;
    if (E.Column > E.Row || (Mirror < 0 && E.Column == E.Row))
      wrong("a symmetric matrix has entries below the diagonal only (on it "
            "too, unless it is skew-symmetric)");
    if (E.Column != E.Row)
      Entries.push_back({E.Column, E.Row, Mirror * E.Value});
  }
  std::string Line;
  while (std::getline(File, Line)) {
    ++Number;
    if (Line.find_first_not_of(" \t\r") != std::string::npos)
      wrong("more than the " + std::to_string(Count) +
            " entries that were announced");
  }
  return compress();
}

SparseMatrix kastors::readMatrixMarket(const std::string &Name) {
  return Reader(Name).read();
}
