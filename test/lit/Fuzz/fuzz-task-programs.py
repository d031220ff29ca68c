#!/usr/bin/env python3
"""Compiles and runs random programs of task constructs: no crash, and the sequential result.

usage: fuzz-task-programs.py --clang CLANG [--stock CLANG] [--gxx G++] [--seed N] [--count N | --minutes M]
                             [--jobs N] [--keep DIR]

task_programs.py makes the programs; each has some functions with random nests of
tasks, taskloops and what may stand around them, in C and C++. Each is compiled
without OpenMP, which gives the right output, and with it in two ways of many:
optimization, in place or not, OpenMP's version. Functions that the compiler
refuses are left out and counted; g++ is asked whether it takes them. The same
seed and number give the same program. A failing function is kept alone in DIR.

Exit status: 0 no failure, 1 failures, 2 the compiler cannot be run.
"""

import argparse
import concurrent.futures
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from task_programs import Program

SIZE = 8
CPU_LIMIT = 60


def run(arguments, cwd, limit=CPU_LIMIT, environment=None):
    """Exit status and the two outputs of a program whose processor time is limited."""
    result = subprocess.run(
        ["prlimit", f"--cpu={limit}", "--core=0", *arguments], cwd=cwd, stdin=subprocess.DEVNULL,
        capture_output=True, check=False, env={**os.environ, **(environment or {})}, timeout=900)
    return result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")


class Task:
    """One program, on its way through the compilers."""

    def __init__(self, args, number, work):
        self.args, self.number = args, number
        self.rng = random.Random(f"{args.seed}/{number}")
        self.program = Program(self.rng, SIZE)
        self.folder = os.path.join(work, str(number))
        os.makedirs(self.folder)
        self.name = f"p.{'cpp' if self.program.cxx else 'c'}"
        self.base = [*self.program.flags, "-w", "-I", os.path.dirname(os.path.abspath(__file__)), "-ferror-limit=500",
                     "-fno-caret-diagnostics"]
        self.refused, self.failures = [], []

    def ways(self):
        """The options of two compilations."""
        for _ in range(2):
            options = [self.rng.choice(["-O0", "-O0", "-O1", "-O2", "-O2", "-O3"])]
            options += self.rng.choice([[], [], ["-mllvm", "-openmp-task-inline=false"], ["-g"]])
            options += self.rng.choice([[], [], [], ["-fopenmp-version=52"], ["-fopenmp-version=60"]])
            yield options

    def write(self, indices):
        with open(os.path.join(self.folder, self.name), "w", encoding="utf-8") as file:
            file.write(self.program.source(indices))

    def compile(self, compiler, options, output="p"):
        arguments = [compiler, *options, "-fverify-intermediate-code", self.name, "-o", output]
        if self.program.cxx:
            arguments.insert(1, "--driver-mode=g++")
        return run(arguments, self.folder)

    def parse(self):
        """The functions that compile without an error."""
        good = list(range(SIZE))
        while good:
            self.write(good)
            status, _, errors = self.compile(self.args.clang, [*self.base, "-fopenmp", "-fsyntax-only"], os.devnull)
            if status == 0:
                break
            if status != 1 or "Stack dump" in errors:
                if len(good) == 1:
                    self.fail(good, "parsing", errors[:3000])
                    return []
                return [i for i in good if self.parses(i)]
            bad = {int(line) // 10000 - 1 for line in re.findall(r":(\d+):\d+: (?:fatal )?error", errors)}
            texts = dict(re.findall(r":(\d+):\d+: (?:fatal )?error: (.*)", errors))
            for index in bad & set(good):
                message = next(text for line, text in texts.items() if int(line) // 10000 - 1 == index)
                self.refuse(index, message)
            good = [i for i in good if i not in bad] if bad & set(good) else good[:-1]
        return good

    def parses(self, index):
        self.write([index])
        status, _, errors = self.compile(self.args.clang, [*self.base, "-fopenmp", "-fsyntax-only"], os.devnull)
        if status == 0:
            return True
        if status != 1 or "Stack dump" in errors:
            self.fail([index], "parsing", errors[:3000])
        return False

    def refuse(self, index, message):
        taken = ""
        if self.args.gxx:
            self.write([index])
            status, _, _ = run(self.gxx("-fsyntax-only"), self.folder)
            taken = "g++ takes it" if status == 0 else "g++ refuses it, too"
        self.refused.append(f"{message}: {taken}")
        if taken == "g++ takes it":
            self.keep([index], "refused", message)

    def gxx(self, *options):
        compiler = self.args.gxx if self.program.cxx else self.args.gxx.replace("g++", "gcc")
        standard = self.program.flags[2].replace("++23", "++2b")
        coroutines = ["-fcoroutines"] if self.program.cxx and self.program.standard >= 20 else []
        return [compiler, standard, *coroutines, "-w", "-fopenmp", "-I", os.path.dirname(os.path.abspath(__file__)),
                *options, self.name]

    def keep(self, indices, what, text):
        if not self.args.keep:
            return
        self.write(indices)
        name = f"{self.args.seed}-{self.number}-{'-'.join(map(str, indices))}-{what.split()[0]}"
        with open(os.path.join(self.folder, self.name), encoding="utf-8") as file:
            source = file.read()
        extension = self.name[1:]
        with open(os.path.join(self.args.keep, name + extension), "w", encoding="utf-8") as file:
            comment = "".join(f"// {line}\n" for line in f"{' '.join(self.base)}\n{what}\n{text}".splitlines())
            file.write(comment + source)

    def fail(self, indices, what, text):
        self.keep(indices, what.replace(" ", "_"), text)
        self.failures.append(f"program {self.number}, functions {indices}, {what}: {text[-1500:]}")

    def result(self, compiler, options, indices):
        """What a compiled program prints, or a word of how it failed."""
        self.write(indices)
        status, _, errors = self.compile(compiler, [*self.base, *options])
        if status:
            # The frames of Clang, or an error.
            frames = re.findall(r"(?:clang|llvm)::(?:\(anonymous namespace\)::)?(?:CodeGen::)?([\w:~]+)\(", errors)
            kind = re.findall(r"error: (.*)", errors)
            frames = [f for f in frames if "Signal" not in f and "StackTrace" not in f]
            return f"compiler: {' < '.join(frames[:7]) or ' '.join(kind) or errors[-1500:]}"
        return self.execute()

    def execute(self):
        status, output, errors = run(["./p"], self.folder, 20, {"OMP_NUM_THREADS": "4", "KMP_WARNINGS": "0"})
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "hangs"
        return output if status == 0 else f"status {status}: {errors[:500]}"

    def check(self):
        good = self.parse()
        if not good:
            return 0
        right = self.result(self.args.clang, ["-O1"], good)
        if not right.startswith("case"):
            self.fail(good, "sequential", right)
            return len(good)
        for way in self.ways():
            got = self.result(self.args.clang, ["-fopenmp", *way], good)
            if got != right:
                self.narrow(good, way, right, got)
        return len(good)

    def narrow(self, good, way, right, got):
        """Finds the functions that fail alone, and says what others do with them."""
        found = False
        wanted = dict(zip(good, right.splitlines()))
        for index in good:
            got_alone = self.result(self.args.clang, ["-fopenmp", *way], [index])
            if got_alone.strip() == wanted[index]:
                continue
            found = True
            text = f"{' '.join(way)}: {got_alone.strip()}; right: {wanted[index]}"
            if self.args.stock:
                stock = [o for o in way if "task-inline" not in o and o != "-mllvm"]
                prefix = os.path.dirname(os.path.dirname(self.args.clang))
                stock += ["-idirafter", f"{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib"]
                other = self.result(self.args.stock, ["-fopenmp", *stock], [index]).strip()
                text += f"\nstock: {'right' if other == wanted[index] else other[-300:]}"
            if self.args.gxx:
                self.write([index])
                status, _, _ = run(self.gxx("-O1", "-o", "p"), self.folder)
                other = self.execute().strip() if status == 0 else "refuses it"
                text += f"\ng++: {'right' if other == wanted[index] else other}"
            self.fail([index], "crash" if got_alone.startswith("compiler") else "result", text)
        if not found:
            self.fail(good, "together", f"{' '.join(way)}: {got}; right: {right}")


def one(args, number, work):
    task = Task(args, number, work)
    try:
        good = task.check()
    except subprocess.TimeoutExpired as error:
        good = 0
        task.fail(list(range(SIZE)), "timeout", str(error))
    return number, good, task.refused, task.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--stock", help="an unpatched compiler, to say whether it fails, too")
    parser.add_argument("--gxx", help="g++, to say what it does with failures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first program's number")
    parser.add_argument("--count", type=int, default=10, help="programs")
    parser.add_argument("--minutes", type=float, help="instead of a count: for so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="folder for what fails")
    args = parser.parse_args()
    if not os.access(args.clang, os.X_OK):
        print(f"'{args.clang}' is not a program", file=sys.stderr)
        sys.exit(2)
    args.clang = os.path.abspath(args.clang)
    if args.keep:
        args.keep = os.path.abspath(args.keep)
        os.makedirs(args.keep, exist_ok=True)
    end = time.monotonic() + 60 * args.minutes if args.minutes else None
    programs = functions = failed = 0
    refused = {}
    with tempfile.TemporaryDirectory(prefix="fuzz-tasks-") as work, \
         concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        number, pending = args.first, set()
        while True:
            while len(pending) < 2 * args.jobs and (time.monotonic() < end if end else number < args.first + args.count):
                pending.add(pool.submit(one, args, number, work))
                number += 1
            if not pending:
                break
            done, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                at, good, refusals, failures = future.result()
                programs, functions, failed = programs + 1, functions + good, failed + len(failures)
                for text in refusals:
                    refused[text] = refused.get(text, 0) + 1
                for failure in failures:
                    print(f"FAILURE: {failure}\n", flush=True)
                if programs % 10 == 0:
                    print(f"so far: {programs} programs, {functions} functions, {failed} failures", flush=True)
                subprocess.run(["rm", "-rf", os.path.join(work, str(at))], check=False)
    for text, count in sorted(refused.items(), key=lambda item: -item[1]):
        print(f"refused {count} times: {text}")
    print(f"{programs} programs, {functions} functions compiled and run (seed {args.seed}), {sum(refused.values())} "
          f"refused, {failed} failures")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
