//===- kmp/trace_machine.cpp - Where a traced program runs ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/kmp/trace.h"
#include "locus/machine/topology.h"
#include "locus/support/cpu.h"

#include "kmp_str.h"

#include <initializer_list>
#include <unistd.h>

namespace locus {

/// Appends \p Text as JSON has it.
static void addString(kmp_str_buf_t &Out, const char *Text) {
  __kmp_str_buf_cat(&Out, "\"", 1);
  for (const char *C = Text; *C; ++C) {
    if (static_cast<unsigned char>(*C) < ' ')
      __kmp_str_buf_print(&Out, "\\u%04x", *C);
    else if (*C == '"' || *C == '\\')
      __kmp_str_buf_print(&Out, "\\%c", *C);
    else
      __kmp_str_buf_cat(&Out, C, 1);
  }
  __kmp_str_buf_cat(&Out, "\"", 1);
}

/// The processors, each with what hwloc's objects it belongs to; the nodes'
/// distances.
static void addTopology(kmp_str_buf_t &Out) {
  const Topology &Machine = Topology::get();
  __kmp_str_buf_print(&Out, ",\n\"synthetic\": %s,\n\"cpus\": [",
                      Machine.isThisSystem() ? "false" : "true");
  NodeSet Nodes;
  for (int I = 0; I < Machine.numCpus(); ++I) {
    const int Cpu = Machine.cpuAt(I);
    Nodes.add(Machine.nodeOfCpu(Cpu));
    __kmp_str_buf_print(&Out, "%s[%d, %d, %d, %d, %d]", I ? ", " : "", Cpu,
                        Machine.nodeOfCpu(Cpu),
                        Machine.objectOfCpu(Level::Package, Cpu),
                        Machine.objectOfCpu(Level::L3, Cpu),
                        Machine.objectOfCpu(Level::Core, Cpu));
  }
  __kmp_str_buf_print(&Out, "],\n\"nodes\": [");
  for (int From = 0; From < Nodes.size(); ++From) {
    __kmp_str_buf_print(&Out, "%s[%d", From ? ", " : "", Nodes.at(From));
    for (int To = 0; To < Nodes.size(); ++To)
      __kmp_str_buf_print(&Out, ", %u",
                          Machine.distance(Nodes.at(From), Nodes.at(To)));
    __kmp_str_buf_print(&Out, "]");
  }
  __kmp_str_buf_print(&Out, "]");
}

/// Appends what the kernel says in the file \p Path, as it is.
static void addFile(kmp_str_buf_t &Out, const char *Name, const char *Path) {
  char Text[256] = "";
  if (FILE *File = fopen(Path, "re")) {
    if (!fgets(Text, sizeof(Text), File))
      Text[0] = '\0';
    fclose(File);
  }
  Text[strcspn(Text, "\n")] = '\0';
  __kmp_str_buf_print(&Out, ",\n\"%s\": ", Name);
  addString(Out, Text);
}

/// The processors that the process may use, and what the kernel does to pages.
static void addSystem(kmp_str_buf_t &Out) {
  __kmp_str_buf_print(&Out, ",\n\"allowed\": [");
  int Cpu;
  const char *Comma = "";
  if (KMP_AFFINITY_CAPABLE())
    KMP_CPU_SET_ITERATE(Cpu, __kmp_affin_fullMask) {
      if (!KMP_CPU_ISSET(Cpu, __kmp_affin_fullMask))
        continue;
      __kmp_str_buf_print(&Out, "%s%d", Comma, Cpu);
      Comma = ", ";
    }
  __kmp_str_buf_print(&Out, "]");
  __kmp_str_buf_print(&Out, ",\n\"page_bytes\": %zu", pageSize());
  addFile(Out, "numa_balancing", "/proc/sys/kernel/numa_balancing");
  addFile(Out, "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
}

/// Where the program and its libraries have their code: tasks without a
/// location are known by their addresses.
static void addCode(kmp_str_buf_t &Out) {
  __kmp_str_buf_print(&Out, ",\n\"code\": [");
  FILE *Maps = fopen("/proc/self/maps", "re");
  char Line[4096 + 128];
  for (const char *Comma = ""; Maps && fgets(Line, sizeof(Line), Maps);) {
    unsigned long long First, Behind, Offset;
    char Rights[8];
    int PathAt = 0;
    if (sscanf(Line, "%llx-%llx %7s %llx %*s %*s %n", &First, &Behind, Rights,
               &Offset, &PathAt) < 4 ||
        Rights[2] != 'x' || Line[PathAt] != '/')
      continue;
    Line[strcspn(Line, "\n")] = '\0';
    __kmp_str_buf_print(&Out, "%s[%llu, %llu, %llu, ", Comma, First, Behind,
                        Offset);
    addString(Out, Line + PathAt);
    __kmp_str_buf_print(&Out, "]");
    Comma = ", ";
  }
  if (Maps)
    fclose(Maps);
  __kmp_str_buf_print(&Out, "]");
}

void describeMachine() {
  static std::atomic<pid_t> Described{0};
  const pid_t Process = getpid();
  if (__builtin_expect(Described.load(std::memory_order_relaxed) == Process,
                       1) ||
      Described.exchange(Process, std::memory_order_relaxed) == Process)
    return;
  kmp_str_buf_t Out;
  __kmp_str_buf_init(&Out);
  char Text[4096] = "";
  const ssize_t Length = readlink("/proc/self/exe", Text, sizeof(Text) - 1);
  Text[Length > 0 ? Length : 0] = '\0';
  __kmp_str_buf_print(&Out, "{\"program\": ");
  addString(Out, Text);
  gethostname(Text, sizeof(Text) - 1);
  __kmp_str_buf_print(&Out, ",\n\"host\": ");
  addString(Out, Text);
  __kmp_str_buf_print(&Out, ",\n\"settings\": {");
  const char *Comma = "";
  for (const char *Name :
       {"KMP_TASK_SCHEDULER", "KMP_TASK_QUEUES", "KMP_TASK_STEAL",
        "KMP_TASK_SYNC", "KMP_TASK_QUEUE_SIZE", "KMP_TASK_DEPENDENT_LIMIT",
        "KMP_TASK_DEPEND_AFFINITY", "KMP_TASK_LOOP_AFFINITY",
        "KMP_TASK_UNKNOWN_NODE"}) {
    __kmp_str_buf_print(&Out, "%s\"%s\": ", Comma, Name);
    addString(Out, settingValue(Name));
    Comma = ", ";
  }
  __kmp_str_buf_print(&Out, "}");
  addTopology(Out);
  addSystem(Out);
  addCode(Out);
  __kmp_str_buf_print(&Out, "}\n");
  Trace::writeText(ChunkKind::Machine, 0, Out.str, size_t(Out.used));
  __kmp_str_buf_free(&Out);
}

} // namespace locus
