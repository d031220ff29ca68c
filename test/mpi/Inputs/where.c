// Where a launcher lets this process run, where its threads are, where strict
// tasks ran, and what the runtime said: one line of JSON. The arguments name
// the run.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MostCpus = 1024, MostThreads = 256 };

static cpu_set_t Masks[MostThreads];
static int TaskCpus[MostThreads], TaskNodes[MostThreads], Nodes[MostThreads];

static void printSet(FILE *Out, const char *Name, const cpu_set_t *Set) {
  const char *Comma = "";
  fprintf(Out, "%s[", Name);
  for (int Cpu = 0; Cpu < MostCpus; ++Cpu)
    if (CPU_ISSET(Cpu, Set)) {
      fprintf(Out, "%s%d", Comma, Cpu);
      Comma = ",";
    }
  fprintf(Out, "]");
}

static void printList(FILE *Out, const char *Name, const int *List, int Count) {
  fprintf(Out, ",\"%s\":[", Name);
  for (int I = 0; I < Count; ++I)
    fprintf(Out, "%s%d", I ? "," : "", List[I]);
  fprintf(Out, "]");
}

/// The lines that went to the standard error output, which is the file \p Log.
static void printSaid(FILE *Out, int Log) {
  char Text[65536];
  const ssize_t Bytes = pread(Log, Text, sizeof(Text) - 1, 0);
  Text[Bytes > 0 ? Bytes : 0] = '\0';
  const char *Comma = "";
  fprintf(Out, ",\"said\":[");
  for (char *Line = strtok(Text, "\n"); Line; Line = strtok(NULL, "\n")) {
    fprintf(Out, "%s\"", Comma);
    for (; *Line; ++Line)
      fprintf(Out, *Line == '"' || *Line == '\\' ? "\\%c" : "%c", *Line);
    fprintf(Out, "\"");
    Comma = ",";
  }
  fprintf(Out, "]");
}

int main(int ArgCount, char **Args) {
  const int Log = memfd_create("said", 0);
  dup2(Log, STDERR_FILENO);
  cpu_set_t Launched;
  sched_getaffinity(0, sizeof(Launched), &Launched);

  int Threads = 0, NumNodes = 0;
#pragma omp parallel
  {
    const int Me = omp_get_thread_num();
    sched_getaffinity(0, sizeof(Masks[Me]), &Masks[Me]);
#pragma omp barrier
#pragma omp single
    {
      Threads = omp_get_num_threads();
      NumNodes = omp_get_num_nodes();
      for (int T = 0; T < Threads; ++T) {
#pragma omp task affinity(thread : T, strict)
        {
          TaskCpus[T] = sched_getcpu();
          TaskNodes[T] = omp_get_node_num();
        }
      }
      for (int N = 0; N < NumNodes; ++N) {
#pragma omp task affinity(node : N, strict)
        {
          unsigned Cpu, Node;
          getcpu(&Cpu, &Node);
          Nodes[N] = (int)Node;
        }
      }
    }
  }

  char *Line;
  size_t Size;
  FILE *Out = open_memstream(&Line, &Size);
  fprintf(Out, "{\"run\":\"");
  for (int I = 1; I < ArgCount; ++I)
    fprintf(Out, "%s%s", I > 1 ? " " : "", Args[I]);
  const char *Rank = getenv("OMPI_COMM_WORLD_RANK");
  Rank = Rank ? Rank : getenv("PMI_RANK");
  fprintf(Out, "\",\"rank\":%s", Rank ? Rank : "0");
  printSet(Out, ",\"launched\":", &Launched);
  for (int T = 0; T < Threads; ++T)
    printSet(Out, T ? "," : ",\"threads\":[", &Masks[T]);
  fprintf(Out, "]");
  printList(Out, "task_cpus", TaskCpus, Threads);
  printList(Out, "task_nodes", TaskNodes, Threads);
  printList(Out, "nodes", Nodes, NumNodes);
  printSaid(Out, Log);
  fprintf(Out, "}\n");
  fclose(Out);
  return write(STDOUT_FILENO, Line, Size) != (ssize_t)Size; // in one piece
}
