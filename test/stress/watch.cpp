// Failures, hangs and crashes: what is shown, and how to run it again.

#include "run.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace stress {

static std::atomic<const Run *> Watched{nullptr};
static char Reproduction[4096];
static std::string Command, Arguments;

const char *reproduction() { return Reproduction; }

void Run::fail(Id Which, const char *Format, ...) const {
  // The first to fail speaks; others wait for the end.
  static std::mutex Once;
  Once.lock();
  char Text[2048];
  va_list Values;
  va_start(Values, Format);
  vsnprintf(Text, sizeof(Text), Format, Values);
  va_end(Values);
  fflush(stdout);
  fprintf(stderr,
          "stress: FAILED: %s: %s\n"
          "  seed %lu, graph %lu: %zu records, %zu regions, places %s, "
          "cancellation %s\n  again: %s\n",
          describe(G, Which).c_str(), Text, O.Seed, G.Number, G.Tasks.size(),
          G.Regions.size(), hasPlaces() ? "checked" : "not checked",
          omp_get_cancellation() ? "on" : "off", reproduction());
  _exit(1);
}

void Run::dump() const {
  int Left = 40;
  for (size_t I = 0; I < G.Tasks.size() && Left > 0; ++I) {
    const TaskState &State = Tasks[I];
    const Task &T = G.Tasks[I];
    const bool Detached = T.How == Form::Detach && !State.Fulfilled;
    if (!(State.Created || State.Runs) || (State.Ended && !Detached))
      continue;
    --Left;
    fprintf(stderr, "  %s: ", describe(G, Id(I)).c_str());
    if (State.Ended)
      fprintf(stderr, "its event is not fulfilled\n");
    else if (State.Runs)
      fprintf(stderr, "in action %d of %zu + %zu, on thread %d\n",
              State.Doing.load(), T.First.size(), T.Second.size(),
              State.Thread);
    else
      fprintf(stderr, "not started%s\n",
              wasCancelled(T.Group) ? ", cancelled" : "");
    for (Id Older : T.Before)
      if (!State.Runs && !Tasks[size_t(Older)].Ended)
        fprintf(stderr, "    waits for %d\n", Older);
  }
  if (Left == 0)
    fprintf(stderr, "  and perhaps more\n");
}

//===----------------------------------------------------------------------===//
// Hangs and crashes
//===----------------------------------------------------------------------===//

static void lookOn(int HangSeconds) {
  // Looks are counted, not seconds: a machine that stands still does not hang.
  constexpr int LooksASecond = 4;
  int Looks = 0;
  Moment Last = 0;
  for (;;) {
    usleep(1000000 / LooksASecond);
    const Run *Now = Watched.load();
    if (!Now || Run::now() != Last) {
      Looks = 0;
      Last = Run::now();
      continue;
    }
    if (++Looks < HangSeconds * LooksASecond)
      continue;
    fflush(stdout);
    fprintf(stderr,
            "stress: HANG: nothing has happened for %d seconds\n  again: %s\n",
            HangSeconds, reproduction());
    Now->dump();
    char Debugger[160];
    snprintf(
        Debugger, sizeof(Debugger),
        "command -v gdb >/dev/null && timeout 60 gdb -nx --batch -p %d -ex "
        "'thread apply all backtrace 30' 2>/dev/null >&2",
        int(getpid()));
    if (system(Debugger) != 0)
      fprintf(stderr, "  (no backtraces: gdb is missing or failed)\n");
    _exit(3);
  }
}

static void onSignal(int Signal) {
  auto Say = [](const char *Text) {
    if (write(STDERR_FILENO, Text, strlen(Text)) < 0)
      _exit(4);
  };
  Say("stress: CRASH: ");
  Say(strsignal(Signal));
  Say("\n  again: ");
  Say(Reproduction);
  Say("\n");
  signal(Signal, SIG_DFL);
  raise(Signal);
}

void startWatchdog(const Options &O, const char *Program) {
  for (char **Entry = environ; *Entry; ++Entry)
    for (const char *Start : {"KMP_", "OMP_", "HWLOC_", "LD_"})
      if (strncmp(*Entry, Start, strlen(Start)) == 0) {
        const char *Equals = strchr(*Entry, '=');
        Command += std::string(*Entry, size_t(Equals + 1 - *Entry)) + "'" +
                   (Equals + 1) + "' ";
      }
  Command += Program;
  Arguments = commandLine(O);
  for (int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    signal(Signal, onSignal);
  std::thread(lookOn, O.HangSeconds).detach();
}

void watch(const Run *Current, uint64_t Graph) {
  // As often as the hang or the race wants.
  snprintf(Reproduction, sizeof(Reproduction),
           "%s %s --graph %lu --graphs 1000", Command.c_str(),
           Arguments.c_str(), Graph);
  Watched = Current;
}

//===----------------------------------------------------------------------===//
// A thread that OpenMP does not know
//===----------------------------------------------------------------------===//

namespace {

class Outsider {
public:
  Outsider() : Thread(&Outsider::work, this) { Thread.detach(); }
  void ask(Run &Of, Id Detached) {
    std::lock_guard<std::mutex> Guard(Lock);
    Asked.push_back({&Of, Detached});
    Wake.notify_one();
  }

private:
  struct Request {
    Run *Of;
    Id Detached;
  };
  void work() {
    std::unique_lock<std::mutex> Guard(Lock);
    for (;;) {
      Wake.wait(Guard, [&] { return !Asked.empty(); });
      Request Next = Asked.front();
      Asked.pop_front();
      Guard.unlock();
      Next.Of->fulfil(Next.Detached);
      Guard.lock();
    }
  }
  std::mutex Lock;
  std::condition_variable Wake;
  std::deque<Request> Asked;
  std::thread Thread;
};

} // namespace

void fulfilOutside(Run &Of, Id Detached) {
  // Never destroyed: its thread waits for ever.
  static Outsider &Other = *new Outsider;
  Other.ask(Of, Detached);
}

} // namespace stress
