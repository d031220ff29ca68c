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
#include <vector>

using namespace locus::lab;

namespace {
struct Option {
  const char *Name, *What;
};
struct Command {
  const char *Name, *Usage, *What;
  std::vector<Option> Options;
  int (*Run)(int Count, char **Words);
};

const Option Machine = {"--machine M",
                        "a name that `machines` lists, or a file"};
const Option Threads = {"--threads N",
                        "the first N processors, one thread on each (all)"};
const Option Seed = {"--seed N", "for what a scheduler draws (1)"};
const Option Scale = {"--scale FIGURE=FACTOR",
                      "as if that figure of the machine were another one"};
const Option Json = {"--json", "the same for scripts"};

const Command Commands[] = {
    {"predict",
     "--machine M [option...] TRACE",
     "what a traced program would take there, by whom",
     {Machine,
      Threads,
      {"--traced-on M", "the machine of the trace: what is bound by memory "
                        "there is not computing"},
      {"--trace FILE", "writes the last run as a trace"},
      Scale,
      Seed,
      Json},
     predict},
    {"run",
     "--machine M [option...] PROGRAM",
     "one program, one scheduler",
     {Machine,
      Threads,
      {"--contender C",
       "ours, stock, libgomp, ompi, ompi-old, kaapi, pool (ours)"},
      {"--set NAME=VALUE", "an environment variable of the scheduler"},
      {"--no-hints", "hints do not count"},
      {"--trace FILE", "writes the run as a trace"},
      Scale,
      Seed,
      Json},
     runProgram},
    {"machines",
     "[--json] [NAME...]",
     "those that there are, or a machine's figures",
     {Json},
     listMachines},
    {"programs", "[--json]", "those that there are", {Json}, listPrograms},
    {"measure",
     "[FILE]",
     "writes the file of this machine; without FILE to standard output",
     {},
     measure},
};
const char Exit[] = "Exit status: 0 all is well; 1 a run was given up; 2 wrong "
                    "usage, or a file that cannot be read or written.";

void print(FILE *Out, const Option &O) {
  fprintf(Out, "  %-22s  %s\n", O.Name, O.What);
}

int usage(FILE *Out) {
  fprintf(Out, "usage: locus-lab [-h] [--version] COMMAND ...\n\n"
               "This runtime on machines that you do not have.\n\n"
               "positional arguments:\n");
  for (const Command &C : Commands)
    print(Out, {C.Name, C.What});
  fprintf(Out, "\noptions:\n");
  print(Out, {"-h, --help", "this text; COMMAND --help: that of a command"});
  print(Out, {"--version", "the version of Locus"});
  fprintf(Out, "\n%s\n", Exit);
  return Out == stdout ? 0 : 2;
}

int help(const Command &C) {
  printf("usage: locus-lab %s %s\n\n%s.\n\noptions:\n", C.Name, C.Usage,
         C.What);
  print(stdout, {"-h, --help", "this text"});
  for (const Option &O : C.Options)
    print(stdout, O);
  printf("\n%s\n", Exit);
  return 0;
}

bool isHelp(const char *Word) {
  return strcmp(Word, "--help") == 0 || strcmp(Word, "-h") == 0;
}

int runCommand(const Command &C, int Count, char **Words) {
  for (int I = 0; I < Count; ++I)
    if (isHelp(Words[I]))
      return help(C);
  try {
    return C.Run(Count, Words);
  } catch (const std::exception &Error) {
    fprintf(stderr, "locus-lab %s: %s\n", C.Name, Error.what());
    return 2;
  }
}
} // namespace

int main(int Count, char **Words) {
  if (Count == 2 && strcmp(Words[1], "--version") == 0) {
    puts("locus-lab " LOCUS_VERSION_STRING);
    return 0;
  }
  if (Count > 1 && isHelp(Words[1]))
    return usage(stdout);
  for (const Command &C : Commands)
    if (Count > 1 && strcmp(Words[1], C.Name) == 0)
      return runCommand(C, Count - 2, Words + 2);
  return usage(stderr);
}
