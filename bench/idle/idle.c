// What a team costs while it has nothing to do, and what it costs others.
//
//   idle pause N    the program is between two regions, half a second
//   idle wait N     one task sleeps half a second, the other threads wait for
//   it idle short N    300 regions of one empty task, and 1 ms between them
//   idle work N     regions of 64 tasks of 0.1 ms, half a second
//
// N neighbours, processes that compute all the time, run beside it. Prints
//   processor seconds a second of the team, neighbours' steps (millions a
//   second, all of them together), and for `short` and `work` the median and
//   the 99th percentile of a region's microseconds.

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MostRegions = 100000, MostNeighbours = 64, TaskSteps = 64 };
static double Took[MostRegions];
static int Regions;
static volatile double Ended; // what a task does

static double processorSeconds(void) {
  struct rusage Used;
  getrusage(RUSAGE_SELF, &Used);
  return (double)(Used.ru_utime.tv_sec + Used.ru_stime.tv_sec) +
         1e-6 * (double)(Used.ru_utime.tv_usec + Used.ru_stime.tv_usec);
}

static void sleepFor(double Seconds) {
  struct timespec Time = {(time_t)Seconds,
                          (long)(1e9 * (Seconds - (time_t)Seconds))};
  nanosleep(&Time, NULL);
}

static double compute(long Steps) {
  double Value = 1;
  for (long I = 0; I < Steps; ++I)
    Value = 1 + 1 / (Value + (double)I);
  return Value;
}

// A neighbour counts its steps where the program sees them.
static pid_t neighbour(volatile long *Steps) {
  const pid_t Process = fork();
  if (Process != 0)
    return Process;
  for (volatile double Value = 0;; *Steps += 1000)
    Value = Value + compute(1000);
}

// One task that takes so long, or 64 short ones.
static void region(double Seconds, long Steps) {
  const double Began = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < (Steps ? TaskSteps : 1); ++I)
#pragma omp task firstprivate(I)
  {
    if (Seconds > 0)
      sleepFor(Seconds);
    Ended = compute(Steps);
  }
  if (Regions < MostRegions)
    Took[Regions++] = 1e6 * (omp_get_wtime() - Began);
}

static long stepsOfTask(void) {
  const long Probe = 1000000;
  double Best = 1;
  for (int I = 0; I < 5; ++I) {
    const double Began = omp_get_wtime();
    Ended = compute(Probe);
    const double Seconds = omp_get_wtime() - Began;
    Best = Seconds < Best ? Seconds : Best;
  }
  return (long)(1e-4 * (double)Probe / Best);
}

static void run(const char *Kind, long Steps) {
  const double Began = omp_get_wtime();
  Regions = 0;
  if (!strcmp(Kind, "pause"))
    sleepFor(0.5);
  else if (!strcmp(Kind, "wait"))
    region(0.5, 0);
  else if (!strcmp(Kind, "short"))
    for (int I = 0; I < 300; ++I) {
      sleepFor(1e-3);
      region(0, 0);
    }
  else
    while (omp_get_wtime() - Began < 0.5)
      region(0, Steps);
}

static int byValue(const void *A, const void *B) {
  const double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

int main(int Count, char **Words) {
  const char *Kind = Count == 3 ? Words[1] : "";
  const int Neighbours = Count == 3 ? atoi(Words[2]) : -1;
  if ((strcmp(Kind, "pause") && strcmp(Kind, "wait") && strcmp(Kind, "short") &&
       strcmp(Kind, "work")) ||
      Neighbours < 0 || Neighbours > MostNeighbours) {
    fprintf(stderr, "usage: idle pause|wait|short|work NEIGHBOURS\n");
    return 2;
  }
  volatile long *Steps = mmap(NULL, MostNeighbours * 64, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const long OfTask = stepsOfTask();
  pid_t Processes[MostNeighbours];
  for (int I = 0; I < Neighbours; ++I)
    Processes[I] = neighbour(Steps + 8 * I);
  region(0, 0); // the team is there
  long Before = 0, After = 0;
  for (int I = 0; I < Neighbours; ++I)
    Before += Steps[8 * I];
  const double Used = processorSeconds(), Began = omp_get_wtime();
  run(Kind, OfTask);
  const double Seconds = omp_get_wtime() - Began;
  for (int I = 0; I < Neighbours; ++I)
    After += Steps[8 * I];
  printf("%.3f,%.1f", (processorSeconds() - Used) / Seconds,
         1e-6 * (double)(After - Before) / Seconds);
  qsort(Took, Regions, sizeof *Took, byValue);
  if (!strcmp(Kind, "short") || !strcmp(Kind, "work"))
    printf(",%.1f,%.1f\n", Took[Regions / 2], Took[Regions * 99 / 100]);
  else
    printf(",,\n");
  for (int I = 0; I < Neighbours; ++I) {
    kill(Processes[I], SIGKILL);
    waitpid(Processes[I], NULL, 0);
  }
  return 0;
}
