//===-- placement.cpp - Where tasks ran and where their data lies ---------===//

#include "placement.h"

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
#include <vector>

using namespace kastors;

void TaskNotes::note(size_t Slot) {
  unsigned Cpu = 0, Node = 0;
  if (getcpu(&Cpu, &Node) == 0)
    Slots[Slot].Node = static_cast<int16_t>(Node);
  Slots[Slot].Thread = Slots[Slot].Thread == TaskNote::NotRun
                           ? static_cast<uint16_t>(omp_get_thread_num())
                           : TaskNote::RanTwice;
}

int kastors::nodeOfPages(const void *Begin, size_t Bytes,
                         std::string &Trouble) {
  // move_pages with no target nodes only asks. get_mempolicy would not do: on
  // an untouched page it says node 0 and maps the zero page.
  constexpr size_t Batch = 512;
  const size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const char *Address = static_cast<const char *>(Begin);
  const char *End = Address + Bytes;
  std::map<int, size_t> Pages;
  while (Address < End) {
    const void *Asked[Batch];
    int Status[Batch];
    size_t Count = 0;
    for (; Count < Batch && Address < End; ++Count, Address += Page)
      Asked[Count] = Address;
    if (syscall(SYS_move_pages, 0, Count, Asked, nullptr, Status, 0) < 0) {
      Trouble = std::string("move_pages: ") + std::strerror(errno);
      return UnknownNode;
    }
    for (size_t I = 0; I < Count; ++I)
      if (Status[I] >= 0)
        ++Pages[Status[I]];
  }
  auto Most = std::max_element(
      Pages.begin(), Pages.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  return Most == Pages.end() ? UnknownNode : Most->first;
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

void PlacementCount::add(const TaskNote &Note, unsigned Thread, int DataNode) {
  ++Tasks;
  NotRun += Note.Thread == TaskNote::NotRun;
  RanTwice += Note.Thread == TaskNote::RanTwice;
  OnThread += Note.Thread == Thread;
  OnNode += DataNode != UnknownNode && Note.Node == DataNode;
  ++Matrix[{Note.Node, DataNode}];
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
