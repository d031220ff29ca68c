//===- replay/trace_file.cpp - A trace of KMP_TASK_TRACE, read -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/trace_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string.h>
#include <tuple>

namespace locus::lab {

namespace {

/// The file's bytes, and how far they are read.
class Parser {
public:
  explicit Parser(const std::string &Path) : Path(Path) {
    std::ifstream In(Path, std::ios::binary);
    if (!In)
      fail("cannot be opened");
    if (std::filesystem::is_directory(Path))
      fail("that is a folder");
    Bytes.assign(std::istreambuf_iterator<char>(In), {});
  }

  TraceFile parse() {
    readHeader();
    while (File.Cut.empty() && At < Bytes.size())
      readChunk();
    if (!HasEnd)
      cut("the program has not come to its end");
    return std::move(File);
  }

private:
  [[noreturn]] void fail(const std::string &Text) const {
    throw std::invalid_argument(Path + ": " + Text);
  }
  void cut(const std::string &Why) {
    if (File.Cut.empty())
      File.Cut = Why;
  }

  void readHeader() {
    if (Bytes.empty())
      fail("the file is empty");
    TraceHeader Header;
    const size_t Magic = std::min(Bytes.size(), sizeof Header.Magic);
    if (memcmp(Bytes.data(), TraceHeader().Magic, Magic) != 0)
      fail("this is no trace of KMP_TASK_TRACE");
    if (Bytes.size() < sizeof Header)
      fail("the file ends in its first " + std::to_string(sizeof Header) +
           " bytes");
    memcpy(&Header, Bytes.data(), sizeof Header);
    if (Header.Major != TraceMajor || Header.RecordBytes != sizeof(TraceRecord))
      fail("the trace has format " + std::to_string(Header.Major) + "." +
           std::to_string(Header.Minor) + "; this reads " +
           std::to_string(TraceMajor) + ".x");
    if (Header.Process == 0)
      fail("the traces of several processes, merged: give that of one of them");
    At = Header.HeaderBytes;
  }

  void readChunk() {
    ChunkHeader Header;
    const std::string Where = "byte " + std::to_string(At) + ": ";
    if (Bytes.size() - At < sizeof Header)
      return cut(Where + "the header of a chunk is cut");
    memcpy(&Header, &Bytes[At], sizeof Header);
    if (Header.Magic != ChunkHeader().Magic)
      return cut(Where + "no chunk begins here");
    At += sizeof Header;
    const size_t Length = std::min<size_t>(Header.Bytes, Bytes.size() - At);
    if (Length < Header.Bytes)
      cut(Where + "the chunk is cut");
    readBody(Header, Length);
    At += (size_t(Header.Bytes) + 7) / 8 * 8;
  }

  void readBody(const ChunkHeader &Header, size_t Length) {
    const char *Body = Bytes.data() + At;
    if (Header.Kind == ChunkKind::Events) {
      std::vector<TraceRecord> &To = File.Writers[Header.Writer];
      const size_t First = To.size(), Count = Length / sizeof(TraceRecord);
      if (Count == 0)
        return;
      To.resize(First + Count);
      memcpy(&To[First], Body, Count * sizeof(TraceRecord));
    } else if (Header.Kind == ChunkKind::Name && Length > 4) {
      uint32_t Number;
      memcpy(&Number, Body, 4);
      File.Names[Number] = std::string(Body + 4, Length - 4);
    } else if (Header.Kind == ChunkKind::Machine) {
      readMachine(Body, Length);
    } else if (Header.Kind == ChunkKind::End) {
      HasEnd = true;
    }
  }

  /// Of what it says of the machine, where code is.
  void readMachine(const char *Body, size_t Length) {
    const auto Root = nlohmann::json::parse(Body, Body + Length, nullptr,
                                            /*allow_exceptions=*/false);
    if (!Root.is_object() || !Root.contains("code") || !Root["code"].is_array())
      return;
    for (const auto &Row : Root["code"])
      if (Row.is_array() && Row.size() == 4 && Row[0].is_number_unsigned() &&
          Row[1].is_number_unsigned() && Row[2].is_number_unsigned() &&
          Row[3].is_string())
        File.Code.push_back({Row[0], Row[1], Row[2], Row[3]});
  }

  const std::string &Path;
  std::vector<char> Bytes;
  size_t At = 0;
  bool HasEnd = false;
  TraceFile File;
};

} // namespace

TraceFile readTrace(const std::string &Path) { return Parser(Path).parse(); }

std::string TraceFile::construct(uint32_t Name, uint64_t Code) const {
  const auto Found = Names.find(Name);
  // ;file;function;line;column;;
  std::vector<std::string> Parts;
  std::stringstream Text(Found == Names.end() ? "" : Found->second);
  for (std::string Part; std::getline(Text, Part, ';');)
    Parts.push_back(Part);
  if (Parts.size() > 3 && !Parts[3].empty() && Parts[3] != "0")
    return Parts[1].substr(Parts[1].find_last_of('/') + 1) + ":" + Parts[3];
  std::stringstream Address;
  for (const Module &M : this->Code)
    if (Code >= M.First && Code < M.Behind) {
      Address << M.Path.substr(M.Path.find_last_of('/') + 1) << "+0x"
              << std::hex << Code - M.First + M.Offset;
      return Address.str();
    }
  Address << "code at 0x" << std::hex << Code;
  return Address.str();
}

std::vector<std::pair<uint32_t, const TraceRecord *>>
TraceFile::inOrder() const {
  std::vector<std::pair<uint32_t, const TraceRecord *>> All;
  for (const auto &[Writer, Records] : Writers)
    for (const TraceRecord &R : Records)
      All.push_back({Writer, &R});
  // The records of a writer are in order where they lie.
  std::sort(All.begin(), All.end(), [](const auto &A, const auto &B) {
    return std::make_tuple(A.second->Time, A.first, A.second) <
           std::make_tuple(B.second->Time, B.first, B.second);
  });
  return All;
}

} // namespace locus::lab
