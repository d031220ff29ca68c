//===- tool/main.cpp - locus-lab -----------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/tool/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctype.h>
#include <exception>
#include <memory>
#include <stdio.h>

using namespace locus::lab;

namespace {
const char Exit[] = "Exit status: 0 all is well; 1 a run was given up; 2 wrong "
                    "usage, or a file that cannot be read or written.";

/// As Python's argparse lays it out: all tools look the same.
class Layout : public CLI::Formatter {
public:
  std::string make_help(const CLI::App *App, std::string,
                        CLI::AppFormatMode) const override {
    std::string Usage, Places, Words, Options;
    bool HasOthers = false;
    for (const CLI::Option *O : App->get_options()) {
      const std::string Left = left(O);
      if (O->get_positional()) {
        Words += line(Left, O->get_description());
        Places += O->get_required() ? " " + Left : " [" + Left + "]";
        continue;
      }
      Options += line(Left, O->get_description());
      HasOthers |= !O->get_required();
      if (O->get_required())
        Usage += " " + Left;
    }
    const auto Commands = App->get_subcommands({});
    for (const CLI::App *C : Commands)
      Words += line(C->get_name(), C->get_description());
    Usage = App->get_parent() ? "locus-lab " + App->get_name() + Usage
                              : "locus-lab";
    return "usage: " + Usage + (HasOthers ? " [option...]" : "") + Places +
           (Commands.empty() ? "" : " COMMAND ...") + "\n\n" +
           sentence(App->get_description()) +
           (Words.empty() ? "" : "\npositional arguments:\n" + Words) +
           "\noptions:\n" + Options + "\n" + Exit + "\n";
  }

private:
  /// "-h, --help", "--machine M".
  static std::string left(const CLI::Option *O) {
    std::string All = O->get_positional() ? O->get_name() : "";
    for (const std::string &Name : O->get_snames())
      All += "-" + Name + ", ";
    for (const std::string &Name : O->get_lnames())
      All += "--" + Name;
    const std::string Type = O->get_positional() ? "" : O->get_type_name();
    return All + (Type.empty() ? "" : " ") + Type;
  }
  static std::string sentence(std::string Text) {
    Text[0] = char(toupper(Text[0]));
    return Text + ".\n";
  }
  static std::string line(std::string Left, const std::string &Right) {
    Left.resize(std::max<size_t>(Left.size(), 22), ' ');
    return "  " + Left + "  " + Right + "\n";
  }
};

/// Adds options to a command.
class Adder {
public:
  Adder(CLI::App &To, Arguments &A) : To(To), A(A) {}

  template <class T>
  CLI::Option *value(const char *Name, const char *Type, T &Value,
                     const char *What) {
    return To.add_option(Name, Value, What)
        ->type_name(Type)
        ->allow_extra_args(false); // one value; what may be repeated, may be
  }
  template <class T>
  void number(const char *Name, T &Value, int Least, int Most,
              const char *What) {
    value(Name, "N", Value, What)
        ->check(CLI::Range(Least, Most).description(""));
  }
  void flag(const char *Name, bool &Value, const char *What) {
    To.add_flag(Name, Value, What)->disable_flag_override();
  }
  CLI::Option *word(const char *Name, std::string &Value, const char *What) {
    return To.add_option(Name, Value, What);
  }
  void json() { flag("--json", A.Json, "the same for scripts"); }
  /// What `predict` and `run` have. \p Traced is what --trace writes.
  void simulation(const char *Traced) {
    value("--machine", "M", A.Machine,
          "a name that `machines` lists, or a file")
        ->required();
    number("--threads", A.Threads, 1, 1 << 20,
           "the first N processors, one thread on each (all)");
    value("--trace", "FILE", A.Trace, Traced);
    value("--scale", "FIGURE=FACTOR", A.Scale,
          "as if that figure of the machine were another one");
    number("--seed", A.Seed, 0, 1 << 30, "for what a scheduler draws (1)");
    json();
  }

private:
  CLI::App &To;
  Arguments &A;
};

void addPredict(CLI::App &To, Arguments &A) {
  Adder Add(To, A);
  Add.simulation("writes the last run as a trace");
  Add.value("--traced-on", "M", A.TracedOn,
            "the machine of the trace: what is bound by memory there is not "
            "computing");
  Add.word("TRACE", A.What, "a file of KMP_TASK_TRACE")->required();
}

void addRun(CLI::App &To, Arguments &A) {
  Adder Add(To, A);
  Add.simulation("writes the run as a trace");
  Add.value("--contender", "C", A.Contender,
            "ours, stock, libgomp, ompi, ompi-old, kaapi, pool (ours)");
  Add.value("--set", "NAME=VALUE", A.Settings,
            "an environment variable of the scheduler");
  Add.flag("--no-hints", A.NoHints, "hints do not count");
  Add.word("PROGRAM", A.What, "one that `programs` lists")->required();
}

void addMachines(CLI::App &To, Arguments &A) {
  To.add_option("NAME", A.Names, "a machine whose figures are wanted");
  Adder(To, A).json();
}

void addPrograms(CLI::App &To, Arguments &A) { Adder(To, A).json(); }

void addMeasure(CLI::App &To, Arguments &A) {
  Adder(To, A).word("FILE", A.What, "what to write (standard output)");
}

struct Command {
  const char *Name, *What;
  void (*Add)(CLI::App &To, Arguments &A);
  int (*Run)(const Arguments &A);
};
const Command Commands[] = {
    {"predict", "what a traced program would take on another machine",
     addPredict, predict},
    {"run", "one of the papers' programs by one scheduler", addRun, runProgram},
    {"machines", "the machines that there are, or the figures of one",
     addMachines, listMachines},
    {"programs", "the programs that there are", addPrograms, listPrograms},
    {"measure", "measures this machine and writes its file", addMeasure,
     measure},
};

/// Says on one line what is wrong with the command line.
int refuse(const CLI::App &Lab, const std::string &Why) {
  std::string Who = "locus-lab";
  for (const CLI::App *C : Lab.get_subcommands())
    Who += " " + C->get_name();
  fprintf(stderr, "%s: %s\n", Who.c_str(), Why.c_str());
  return 2;
}

/// An unknown word is told before what is missing: it is the cause, often.
std::string usageError(const CLI::App &Lab, const CLI::ParseError &Error) {
  const std::vector<std::string> Unknown = Lab.remaining(true);
  const std::string Why = Unknown.empty()
                              ? Error.what()
                              : "'" + Unknown.front() + "' is not expected";
  const bool HasCommand = !Lab.get_subcommands().empty();
  return Why + "; `locus-lab " +
         (HasCommand ? Lab.get_subcommands()[0]->get_name() + " " : "") +
         "--help` explains";
}

} // namespace

int main(int Count, char **Words) {
  CLI::App Lab("What programs would take on machines that you do not have");
  Lab.formatter(std::make_shared<Layout>());
  Lab.set_help_flag("-h,--help", "this text, or that of a command");
  Lab.set_version_flag("--version", "locus-lab " LOCUS_VERSION_STRING,
                       "the version of Locus");
  Lab.require_subcommand(1);
  Arguments A;
  int (*Run)(const Arguments &) = nullptr;
  for (const Command &C : Commands) {
    CLI::App *To = Lab.add_subcommand(C.Name, C.What);
    To->set_help_flag("-h,--help", "this text");
    To->callback([&Run, &C] { Run = C.Run; });
    C.Add(*To, A);
  }
  try {
    Lab.parse(Count, Words);
    return Run(A);
  } catch (const CLI::Success &Asked) { // --help, --version
    return Lab.exit(Asked);
  } catch (const CLI::ParseError &Error) {
    return refuse(Lab, usageError(Lab, Error));
  } catch (const std::exception &Error) {
    return refuse(Lab, Error.what());
  }
}
