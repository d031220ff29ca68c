//===- tool/main.cpp - locus-lab -----------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/tool/commands.h"

#include <exception>
#include <stdio.h>
#include <string.h>

using namespace locus::lab;

namespace {
struct Command {
  const char *Name, *Usage, *What;
  int (*Run)(int Count, char **Words);
};
const Command Commands[] = {
    {"predict",
     "--machine M [--threads N] [--traced-on M] [--trace FILE] TRACE",
     "what a traced program would take there, by whom", predict},
    {"run", "--machine M [options] PROGRAM", "one program, one scheduler",
     runProgram},
    {"machines", "[NAME]", "those that there are, or a machine's figures",
     listMachines},
    {"programs", "", "those that there are", listPrograms},
    {"measure", "[FILE]", "writes the file of this machine", measure},
};

int usage() {
  fprintf(stderr, "usage: locus-lab COMMAND ...\n");
  for (const Command &C : Commands)
    fprintf(stderr, "  %-9s %s\n            %s\n", C.Name, C.Usage, C.What);
  return 2;
}
} // namespace

int main(int Count, char **Words) {
  if (Count == 2 && strcmp(Words[1], "--version") == 0) {
    puts("locus-lab " LOCUS_VERSION_STRING);
    return 0;
  }
  for (const Command &C : Commands)
    if (Count > 1 && strcmp(Words[1], C.Name) == 0)
      try {
        return C.Run(Count - 2, Words + 2);
      } catch (const std::exception &Error) {
        fprintf(stderr, "locus-lab %s: %s\n", C.Name, Error.what());
        return 1;
      }
  return usage();
}
