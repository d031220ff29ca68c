//===-- memory.cpp - Is there enough? -------------------------------------===//

#include "memory.h"
#include "program.h"

#include <cinttypes>
#include <cstdio>

using namespace kastors;

std::string kastors::bytesToText(uint64_t Bytes) {
  static const char *const Units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  double Amount = static_cast<double>(Bytes);
  unsigned Unit = 0;
  for (; Amount >= 1024 && Unit < 6; ++Unit)
    Amount /= 1024;
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.1f %s", Amount, Units[Unit]);
  return Text;
}

/// \returns the bytes that can be had without swapping.
static uint64_t availableMemory() {
  std::FILE *File = std::fopen("/proc/meminfo", "r");
  if (!File)
    benchFail(
        "cannot read /proc/meminfo: it says how much memory is available");
  char Line[128];
  uint64_t KiB = 0;
  bool Found = false;
  while (!Found && std::fgets(Line, sizeof(Line), File))
    Found = std::sscanf(Line, "MemAvailable: %" SCNu64, &KiB) == 1;
  std::fclose(File);
  if (!Found)
    benchFail("/proc/meminfo has no MemAvailable line");
  return KiB * 1024;
}

void kastors::requireMemory(uint64_t Bytes, const char *Advice) {
  uint64_t Available = availableMemory();
  if (Bytes > Available)
    benchFail("not enough memory: %s needed, %s available; %s",
              bytesToText(Bytes).c_str(), bytesToText(Available).c_str(),
              Advice);
}
