//===-- placement.cpp - Where tasks ran and where their data lies ---------===//

#include "placement.h"
#include "pages.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kastors;

NodePages kastors::nodesOfPages(const void *Begin, size_t Bytes,
                                std::string &Trouble) {
  // move_pages with no target nodes only asks. get_mempolicy would not do: on
  // an untouched page it says node 0 and maps the zero page.
  constexpr size_t Batch = 512;
  const char *Address = static_cast<const char *>(Begin);
  const char *End = Address + Bytes;
  NodePages Nodes;
  while (Address < End) {
    const void *Asked[Batch];
    int Status[Batch];
    size_t Count = 0;
    for (; Count < Batch && Address < End; ++Count, Address += pageSize())
      Asked[Count] = Address;
    if (syscall(SYS_move_pages, 0, Count, Asked, nullptr, Status, 0) < 0) {
      Trouble = std::string("move_pages: ") + std::strerror(errno);
      return {};
    }
    for (size_t I = 0; I < Count; ++I)
      ++Nodes[Status[I] >= 0 ? Status[I] : UnknownNode];
  }
  return Nodes;
}

int kastors::nodeOfMost(const NodePages &Nodes) {
  int Node = UnknownNode;
  size_t Most = 0;
  for (const auto &[Candidate, Count] : Nodes)
    if (Candidate != UnknownNode && Count > Most) {
      Node = Candidate;
      Most = Count;
    }
  return Node;
}

unsigned kastors::nodesOfMachine() {
  DIR *Folder = opendir("/sys/devices/system/node");
  if (!Folder)
    return 1;
  unsigned Nodes = 0;
  while (const dirent *Entry = readdir(Folder)) {
    unsigned Number;
    char Rest;
    Nodes += std::sscanf(Entry->d_name, "node%u%c", &Number, &Rest) == 1;
  }
  closedir(Folder);
  return std::max(Nodes, 1u);
}

void PlacementMeter::start(Phase Next) {
  Now = Next;
  if (Now == Phase::Init) {
    Init.clear();
    Compute.clear();
  }
}

TaskNote *PlacementMeter::expect(const void *Data, size_t Bytes, int Meant) {
  if (Now == Phase::Off)
    return nullptr;
  std::deque<TaskNote> &Notes = Now == Phase::Init ? Init : Compute;
  std::lock_guard<std::mutex> Guard(Lock);
  TaskNote &Note = Notes.emplace_back();
  Note.Data = Data;
  Note.Bytes = Bytes;
  Note.Meant = Meant;
  return &Note;
}

void PlacementMeter::write(TaskNote &Note) {
  unsigned Cpu = 0, Node = 0;
  if (getcpu(&Cpu, &Node) == 0)
    Note.Node = static_cast<int>(Node);
  Note.Thread = omp_get_thread_num();
  ++Note.Runs;
}

void PlacementCount::add(const TaskNote &Note, int Meant,
                         const NodePages &Nodes) {
  ++Tasks;
  NotRun += Note.Runs == 0;
  RanTwice += Note.Runs > 1;
  if (Note.Runs == 0)
    return;
  OnThread += Note.Thread == Meant;
  OnNode += Note.Node != UnknownNode && Note.Node == nodeOfMost(Nodes);
  for (const auto &[Node, Pages] : Nodes)
    Matrix[{Note.Node, Node}] += Pages;
}

PlacementReport PlacementMeter::report() const {
  PlacementReport Report;
  std::map<const void *, int> Toucher;
  std::map<const void *, NodePages> Known;
  auto AddAll = [&](const std::deque<TaskNote> &Notes, PlacementCount &Count) {
    for (const TaskNote &Note : Notes) {
      auto [At, New] = Known.try_emplace(Note.Data);
      if (New)
        At->second = nodesOfPages(Note.Data, Note.Bytes, Count.Trouble);
      if (New && &Notes == &Init)
        for (const auto &[Node, Pages] : At->second)
          Report.Data[Node] += Pages;
      const int First =
          Toucher.try_emplace(Note.Data, Note.Thread).first->second;
      Count.add(Note, Note.Meant == FirstToucher ? First : Note.Meant,
                At->second);
    }
  };
  AddAll(Init, Report.Init);
  Report.Compute.Trouble = Report.Init.Trouble;
  AddAll(Compute, Report.Compute);
  return Report;
}

std::string kastors::shareToText(size_t Part, size_t Whole) {
  if (Whole == 0)
    return "none";
  double Percent =
      100.0 * static_cast<double>(Part) / static_cast<double>(Whole);
  // Down, so that one task in a million astray is not rounded away.
  Percent = std::floor(Percent * 100) / 100;
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%.2f %% (%zu/%zu)", Percent, Part, Whole);
  return Text;
}
