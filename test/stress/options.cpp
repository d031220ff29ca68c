#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace stress {

static const char *const Features[] = {"all_memory",
                                       "cancel",
                                       "class",
                                       "clause",
                                       "depend",
                                       "detach",
                                       "detach_later",
                                       "detach_outside",
                                       "detach_serial",
                                       "final",
                                       "if0",
                                       "inoutset",
                                       "mergeable",
                                       "mutexinoutset",
                                       "mutex_unwaited",
                                       "nested",
                                       "priority",
                                       "priority_nested",
                                       "reduction",
                                       "strict",
                                       "taskloop",
                                       "taskloop_cancel",
                                       "teams",
                                       "untied",
                                       "untied_cancel",
                                       "untied_parent",
                                       "wait_depend",
                                       "yield"};
static_assert(sizeof(Features) / sizeof(*Features) == size_t(Feature::Count),
              "a name for each feature");

static const char *const Breaks[] = {
    "nothing",  "barrier", "crash", "depend", "group",   "hang",
    "included", "lost",    "mutex", "node",   "payload", "reduction",
    "thread",   "tied",    "twice", "value",  "wait"};
static_assert(sizeof(Breaks) / sizeof(*Breaks) == size_t(Break::Count),
              "a name for each break");

static const char Usage[] = R"(usage: stress [OPTION...]

Runs random graphs of OpenMP tasks and checks that each task ran once, in a legal order, on a legal thread.
Exit status: 0 all is well, 1 a check failed, 2 bad option, 3 hang.

  --seed N         which graphs (1)
  --graphs N       stop after N graphs (0: no limit)
  --tasks N        stop after N tasks (20000; 0: no limit)
  --graph N        only graph N, again and again until --graphs or --tasks is reached
  --threads LIST   team sizes, in turn (1,2,3,8)
  --max-depth N    how deep tasks nest (6)
  --max-tasks N    tasks of a graph, roughly (300)
  --gang N         tasks that meet, at most, and no more than threads (256; 0: none do)
  --without LIST   leave out of the graphs:
                   )";

static const char UsageEnd[] = R"(
  --hang-timeout N seconds without any progress that count as a hang (60)
  --cpu-nodes LIST the OS node of each processor of the machine that HWLOC_SYNTHETIC describes, in order
  --quiet          no summary
  --break KIND     break one task of each graph, to see that it is noticed:
                   )";

static void printList(const char *const *Names, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    printf("%s%s", I ? (I % 9 ? ", " : ",\n                   ") : "",
           Names[I]);
}

__attribute__((noreturn)) static void help() {
  fputs(Usage, stdout);
  printList(Features, size_t(Feature::Count));
  fputs(UsageEnd, stdout);
  printList(Breaks + 1, size_t(Break::Count) - 1);
  puts("");
  exit(0);
}

__attribute__((noreturn)) static void bad(const char *Option, const char *Value,
                                          const std::string &Want) {
  fprintf(stderr, "stress: --%s: '%s' is not %s\n", Option, Value,
          Want.c_str());
  exit(2);
}

static long number(const char *Option, const char *Text, long Least,
                   long Most) {
  char *End;
  errno = 0;
  long Value = strtol(Text, &End, 10);
  if (End == Text || *End || errno || Value < Least || Value > Most)
    bad(Option, Text,
        "a number from " + std::to_string(Least) + " to " +
            std::to_string(Most));
  return Value;
}

static std::vector<std::string> split(const char *Text) {
  std::vector<std::string> Parts(1);
  for (; *Text; ++Text)
    if (*Text == ',')
      Parts.emplace_back();
    else
      Parts.back() += *Text;
  return Parts;
}

static std::vector<int> numbers(const char *Option, const char *Text, int Least,
                                int Most) {
  std::vector<int> Values;
  for (const std::string &Part : split(Text))
    Values.push_back(int(number(Option, Part.c_str(), Least, Most)));
  return Values;
}

static unsigned choose(const char *Option, const std::string &Text,
                       const char *const *Names, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    if (Text == Names[I])
      return I;
  std::string Want = "one of";
  for (unsigned I = 0; I < Count; ++I)
    Want += std::string(I ? ", " : " ") + Names[I];
  bad(Option, Text.c_str(), Want);
}

Options parse(int argc, char **argv) {
  static const option Known[] = {{"seed", 1, nullptr, 's'},
                                 {"graphs", 1, nullptr, 'g'},
                                 {"tasks", 1, nullptr, 't'},
                                 {"graph", 1, nullptr, 'o'},
                                 {"threads", 1, nullptr, 'n'},
                                 {"max-depth", 1, nullptr, 'd'},
                                 {"max-tasks", 1, nullptr, 'm'},
                                 {"without", 1, nullptr, 'w'},
                                 {"break", 1, nullptr, 'b'},
                                 {"hang-timeout", 1, nullptr, 'x'},
                                 {"cpu-nodes", 1, nullptr, 'c'},
                                 {"quiet", 0, nullptr, 'q'},
                                 {"gang", 1, nullptr, 'a'},
                                 {"help", 0, nullptr, 'h'},
                                 {}};
  Options O;
  bool Limited = false;
  int Which, Index = 0;
  // No abbreviations that a later option could make ambiguous.
  while ((Which = getopt_long(argc, argv, "", Known, &Index)) != -1) {
    const char *Name = Which == '?' ? "" : Known[Index].name;
    switch (Which) {
    case 's':
      O.Seed = uint64_t(number(Name, optarg, 0, LONG_MAX));
      break;
    case 'g':
      O.Graphs = number(Name, optarg, 0, LONG_MAX);
      // The number of graphs alone is to decide.
      if (!Limited)
        O.Tasks = 0;
      break;
    case 't':
      O.Tasks = number(Name, optarg, 0, LONG_MAX);
      Limited = true;
      break;
    case 'o':
      O.Only = number(Name, optarg, 0, LONG_MAX);
      break;
    case 'n':
      O.Threads = numbers(Name, optarg, 1, 512);
      break;
    case 'd':
      O.MaxDepth = int(number(Name, optarg, 1, 64));
      break;
    case 'm':
      O.MaxTasks = int(number(Name, optarg, 1, 100000));
      break;
    case 'a':
      O.Gang = int(number(Name, optarg, 0, 100000));
      break;
    case 'w':
      for (const std::string &Part : split(optarg))
        O.Left |= 1u << choose(Name, Part, Features, unsigned(Feature::Count));
      break;
    case 'b':
      O.What = Break(choose(Name, optarg, Breaks, unsigned(Break::Count)));
      break;
    case 'x':
      O.HangSeconds = int(number(Name, optarg, 1, 100000));
      break;
    case 'c':
      O.CpuNodes = numbers(Name, optarg, 0, 1023);
      break;
    case 'q':
      O.Quiet = true;
      break;
    case 'h':
      help();
    default:
      fprintf(stderr, "stress: --help lists the options\n");
      exit(2);
    }
  }
  if (optind < argc) {
    fprintf(stderr, "stress: '%s' is not an option; --help lists them\n",
            argv[optind]);
    exit(2);
  }
  if (!O.Graphs && !O.Tasks) {
    fprintf(stderr, "stress: without a limit it would never end: give --tasks "
                    "or --graphs a number above 0\n");
    exit(2);
  }
  return O;
}

static std::string join(const std::vector<int> &Values) {
  std::string Text;
  for (int Value : Values)
    Text += (Text.empty() ? "" : ",") + std::to_string(Value);
  return Text;
}

std::string commandLine(const Options &O) {
  const Options Default;
  std::string Text = "--seed " + std::to_string(O.Seed);
  if (O.Threads != Default.Threads)
    Text += " --threads " + join(O.Threads);
  if (O.MaxDepth != Default.MaxDepth)
    Text += " --max-depth " + std::to_string(O.MaxDepth);
  if (O.MaxTasks != Default.MaxTasks)
    Text += " --max-tasks " + std::to_string(O.MaxTasks);
  if (O.Gang != Default.Gang)
    Text += " --gang " + std::to_string(O.Gang);
  if (!O.CpuNodes.empty())
    Text += " --cpu-nodes " + join(O.CpuNodes);
  if (O.Left) {
    Text += " --without ";
    bool Any = false;
    for (unsigned I = 0; I < unsigned(Feature::Count); ++I)
      if (O.Left >> I & 1) {
        Text += (Any ? "," : "") + std::string(Features[I]);
        Any = true;
      }
  }
  if (O.What != Break::Nothing)
    Text += std::string(" --break ") + Breaks[unsigned(O.What)];
  return Text;
}

} // namespace stress
