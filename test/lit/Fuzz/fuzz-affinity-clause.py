#!/usr/bin/env python3
"""Feeds random affinity and depend clauses of tasks and loops to the compiler: no crash, no hang.

usage: fuzz-affinity-clause.py --clang CLANG [--stock CLANG] [--seed N] [--count N] [--jobs N]

Clauses come from a grammar that knows the clause's forms and the expressions
that matter to it, and from mutations of those: bytes and tokens changed, added,
dropped and swapped. They stand on task, on taskloop in several forms, and on
task_iteration, in functions, templates, lambdas and methods, in C and C++.

Each batch of clauses is parsed. Those without a diagnostic are compiled to LLVM
IR, without optimization, with it (so that tasks may run in place), and through a
precompiled header; their AST is dumped and printed. The same seed gives the same
inputs. A failing clause is printed alone.

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

BATCH = 40
# Seconds of CPU time for a run that takes a fifth of one; a hang never ends.
CPU_LIMIT = 2

PREAMBLE = """\
void body(void);
int f(int); int *g(void); double *h(double);
struct S { int i; int *p; int a[4]; int bits : 3; double m[3][5]; };
struct Unknown; extern struct Unknown unknown; extern int unbounded[];
enum E { E0, E1 = -3, E2 = 7 };
int node_, thread_, data_, global, l, k; int *pointer; int array[10]; double matrix[4][6];
#define EMPTY
#define KIND node
#define ARG(x) x
#define STRICT strict
"""
CXX_PREAMBLE = """\
struct Conv { operator int() const; ~Conv(); };
struct Two { operator int() const; operator long() const; };
namespace ns { int data; int *node; template <typename T> T value(T); }
"""

ATOMS = """0 1 -1 7 4294967296 0x7fffffffffffffff 1.5 'c' "text" n d p q s sp v e u b a m
    array matrix pointer global node_ thread_ data_ unknown unbounded strict node
    thread data iterator EMPTY KIND STRICT s.i s.p s.a s.m sp->a sp->bits s.bits E0 E1
    undeclared l k a[l] p[k] body f g sizeof(n) (n) (void*)0 f(n) g() h(d) n++ --n *p &n p[0] m[1] m[1][2]
    (int[]){1,2} (struct S){0}""".split()
CXX_ATOMS = """nullptr true this Conv() Two() ns::data ns::node ns::value(3) [&]{return n;}()
    static_cast<int&&>(n) new(int) decltype(n)() int() t ts N T() x::y ::global typeid(n)
    throw(1) co_await(n)""".split()
BINARY = "+ - * / % == < << & | && , = ? . -> ##".split()
TOKENS = """( ) [ ] { } : :: , ; . -> ... < > = + - * / & | ! ~ ? # ## \\ node thread data strict
    iterator affinity n p l 0 1 sizeof int ( ) ( ) : : , ,""".split()


class Generator:
    """Random clauses of one language."""

    def __init__(self, rng, cxx):
        self.rng = rng
        self.atoms = ATOMS + (CXX_ATOMS if cxx else [])

    def expression(self, depth=0):
        r = self.rng.random()
        if depth > 2 or r < 0.5:
            return self.rng.choice(self.atoms)

        def sub():
            return self.expression(depth + 1)

        return self.rng.choice(
            [
                lambda: f"({sub()})",
                lambda: f"{sub()} {self.rng.choice(BINARY)} {sub()}",
                lambda: f"{sub()}[{sub()}]",
                lambda: f"{sub()}[{sub()}:{sub()}]",
                lambda: f"{sub()}[:{sub()}]",
                lambda: f"{sub()}[{sub()}:]",
                lambda: f"{sub()}[:]",
                lambda: f"{sub()}[{sub()}:{sub()}:{sub()}]",
                lambda: f"([{sub()}]){sub()}",
                lambda: f"([{sub()}][{sub()}]){sub()}",
                lambda: f"{self.rng.choice('&*-!~')}{sub()}",
                lambda: f"{sub()} ? {sub()} : {sub()}",
                lambda: f"f({sub()})",
                lambda: f"(struct S*){sub()}",
                lambda: f"({{ int y = {sub()}; y; }})",
                lambda: f"_Generic({sub()}, int: {sub()}, default: {sub()})",
            ]
        )()

    def clause(self):
        r = self.rng.random()
        if r < 0.7:
            kind = self.rng.choice(["node", "thread", "data"])
            if self.rng.random() < 0.05:
                kind = self.rng.choice(["nod", "Data", "threads", "in", "KIND", "ns::data"])
            text = f"{kind}: {self.expression()}"
            tail = self.rng.random()
            if tail < 0.3:
                text += ", strict"
            elif tail < 0.5:
                text += f", {self.expression()}"
            elif tail < 0.55:
                text += self.rng.choice([",", ", strict, 1", ", strict strict", " strict"])
        elif r < 0.9:
            text = ", ".join(self.expression() for _ in range(self.rng.randint(1, 3)))
        else:
            text = f"iterator(i = {self.expression()}:{self.expression()}) : {self.expression()}"
        return f"affinity({text})"

    def depend(self):
        kind = self.rng.choice(
            ["in", "out", "inout", "mutexinoutset", "inoutset", "depobj", "source", "in"]
        )
        text = ", ".join(
            self.rng.choice(["a[l]", "p[l:2]", "omp_all_memory", self.expression()])
            for _ in range(self.rng.randint(1, 3))
        )
        text = f"depend({self.rng.choice(['', '', 'iterator(i = 0:l), '])}{kind}: {text})"
        if self.rng.random() < 0.5:
            name = self.rng.choice(["", "", "task_iteration: "])
            text += f"{self.rng.choice([' ', ', '])}if({name}{self.expression()})"
        return text

    def mutate(self, text):
        for _ in range(self.rng.randint(1, 4)):
            if not text:
                break
            at = self.rng.randrange(len(text))
            kind = self.rng.randrange(6)
            if kind == 0:
                text = text[:at] + text[at + self.rng.randint(1, 5) :]
            elif kind == 1:
                text = text[:at] + self.rng.choice(TOKENS) + " " + text[at:]
            elif kind == 2:
                text = text[:at] + chr(self.rng.randint(32, 126)) + text[at + 1 :]
            elif kind == 3:
                other = self.rng.randrange(len(text))
                text = text[:at] + text[other : other + 8] + text[at:]
            elif kind == 4:
                text = text[:at]
            else:
                # Bytes that are no characters of the basic set.
                text = text[:at] + self.rng.choice("\x00\x01\x7f\u00e9\u4e2d\ufeff") + text[at:]
        return text.replace("\n", " ").replace("\r", " ").rstrip("\\")

    def clauses(self):
        text = self.clause() if self.rng.random() < 0.7 else self.depend()
        if self.rng.random() < 0.15:
            text += " " + self.rng.choice(
                [self.clause(), self.depend(), "if(0)", "depend(in: n)", "default(none)", "private(n)",
                 "firstprivate(p)", "final(n)", "untied", "priority(n)"]
            )
        if self.rng.random() < 0.4:
            text = self.mutate(text)
        return text


PARAMETERS = ("int n, double d, int *p, int **q, struct S s, struct S *sp, void *v, "
              "enum E e, unsigned u, char b, int *a, double (*m)[5]")


# What has the clauses. The loop variables hide the global ones of that name.
FORMS = (
    "\n#pragma omp task {}\nbody();\n",
    "\n#pragma omp taskloop {}\nfor (int l = 0; l < n; ++l)\nbody();\n",
    (
        "\n#pragma omp parallel masked taskloop simd collapse(2) {}\n"
        "for (unsigned l = 9; l > 2; l -= 3)\nfor (long k = 0; k < 9; ++k) {{\nbody();\n}}\n"
    ),
    (
        "\n#pragma omp taskloop collapse(2) grainsize(strict: 3)\n"
        "for (int l = 0; l < n; ++l)\nfor (int k = 0; k < l; ++k) {{\n"
        "#pragma omp task_iteration {}\nbody();\n}}\n"
    ),
)


def function(index, clauses, cxx, context, form):
    """A function with a task or loop that has the clauses, each on one line."""
    task = FORMS[form].format(clauses)
    if not cxx or context == 0:
        return f"void fn{index}({PARAMETERS}) {{{task}}}\n"
    if context == 1:
        return (
            f"template <typename T, int N, typename... Ts> void fn{index}(T t, {PARAMETERS}, "
            f"Ts... ts) {{{task}}}\n"
            f"template void fn{index}<int, 3>(int, {PARAMETERS});\n"
            f"template void fn{index}<int *, -1, int>(int *, {PARAMETERS}, int);\n"
        )
    if context == 2:
        return f"void fn{index}({PARAMETERS}) {{ auto l = [&](auto t) {{{task}}}; l(n); l(p); }}\n"
    if context == 3:
        return f"struct C{index} {{ int field; void fn({PARAMETERS}) {{{task}}} }};\n"
    return (
        f"void fn{index}({PARAMETERS}) {{\n#pragma omp parallel default(shared)\n"
        f"#pragma omp task untied\n{{{task}}}\n}}\n"
    )


class Batch:
    def __init__(self, seed, number, size):
        rng = random.Random(f"{seed}/{number}")
        self.number = number
        self.cxx = rng.random() < 0.65
        if self.cxx:
            self.flags = ["-x", "c++", f"-std={rng.choice(['c++11', 'c++17', 'c++20', 'c++23'])}"]
        else:
            self.flags = ["-x", "c", f"-std={rng.choice(['c99', 'c11', 'gnu17', 'c23'])}"]
        self.openmp = ["-fopenmp"] if rng.random() < 0.9 else ["-fopenmp-simd"]
        if rng.random() < 0.2:
            self.openmp.append(f"-fopenmp-version={rng.choice([45, 50, 51, 52, 60])}")
        generator = Generator(rng, self.cxx)
        self.clauses = [
            (generator.clauses(), rng.randrange(5), rng.choice((0, 0, 0, 1, 2, 3)))
            for _ in range(size)
        ]

    def source(self, indices):
        text = PREAMBLE + (CXX_PREAMBLE if self.cxx else "")
        for index in indices:
            clauses, context, form = self.clauses[index]
            # Each function counts its lines anew, from 1000 * (index + 1).
            text += f"#line {1000 * (index + 1)}\n"
            text += function(index, clauses, self.cxx, context, form)
        return text


class Failure(Exception):
    def __init__(self, stage, what):
        super().__init__(f"{stage}: {what}")
        self.stage = stage


def compile_(clang, arguments, stage):
    """Runs the compiler; its diagnostics, or a Failure if it did not end well."""
    result = subprocess.run(
        # CPU time, so that a loaded machine makes no hangs.
        ["prlimit", f"--cpu={CPU_LIMIT}", "--core=0", clang, "-cc1", "-w",
         "-triple", "x86_64-unknown-linux-gnu", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Failure(stage, f"no end after {CPU_LIMIT} s of CPU time")
    stderr = result.stderr.decode(errors="replace")
    if result.returncode not in (0, 1) or "Stack dump" in stderr:
        raise Failure(stage, f"exit status {result.returncode}\n{stderr[:1500]}")
    return result.returncode, stderr


def check(clang, batch, indices, work, last_stage=None):
    """Runs the stages on some clauses of a batch. Returns how many were valid."""
    path = os.path.join(work, f"{batch.number}.{'cpp' if batch.cxx else 'c'}")
    base = [*batch.flags, *batch.openmp]

    def write(indices):
        with open(path, "w", encoding="utf-8") as file:
            file.write(batch.source(indices))

    # An error in one function can hide, or cause, errors in the next.
    limits = ["-ferror-limit", "2000", "-fno-caret-diagnostics"]
    good = indices
    while good:
        write(good)
        errors, stderr = compile_(clang, [*base, *limits, "-fsyntax-only", path], "parsing")
        if not errors:
            break
        lines = re.findall(r":(\d+):\d+: (?:fatal )?error", stderr)
        bad = {int(line) // 1000 - 1 for line in lines}
        # Errors that point elsewhere: drop the last one, which may have begun a comment.
        good = [i for i in good if i not in bad] if bad & set(good) else good[:-1]
    if not good or last_stage == "parsing":
        return len(good)
    compile_(clang, [*base, "-emit-llvm", "-o", os.devnull, path], "code generation")
    compile_(clang, [*base, "-O1", "-emit-llvm", "-o", os.devnull, path], "optimization")
    compile_(clang, [*base, "-ast-dump", path], "AST dump")
    compile_(clang, [*base, "-ast-dump=json", path], "AST dump")
    compile_(clang, [*base, "-ast-print", "-o", os.devnull, path], "AST print")
    pch = path + ".pch"
    compile_(clang, [*base, "-emit-pch", "-o", pch, path], "writing a PCH")
    compile_(
        clang, [*base, "-include-pch", pch, "-emit-llvm", "-o", os.devnull, os.devnull],
        "reading a PCH",
    )
    return len(good)


def fails_in_stock(stock, batch, indices, work, stage):
    """Whether the unpatched compiler fails, too, with the expressions of some clauses."""
    if not stock:
        return False
    clauses = batch.clauses
    # It does not know the kinds: leave what stands behind them. Nor loops with the
    # clause: a task takes their place.
    batch.clauses = [
        (re.sub(r"affinity\( *\w+ *:(?!:)", "affinity(", text), context, 0)
        for text, context, _ in clauses
    ]
    try:
        check(stock, batch, indices, work, stage)
    except Failure:
        return True
    finally:
        batch.clauses = clauses
    return False


def run_batch(args, number, size, work):
    """Checks a batch. Returns how many clauses were valid, the failures of the
    patched compiler alone, and those that the stock compiler has as well."""
    batch = Batch(args.seed, number, size)
    everything = list(range(size))
    try:
        return check(args.clang, batch, everything, work), [], []
    except Failure as error:
        failures, known = [], []
        for index in everything:
            try:
                check(args.clang, batch, [index], work, error.stage)
            except Failure as single:
                text = (
                    f"{' '.join(batch.flags + batch.openmp)}\n"
                    f"{batch.source([index])[len(PREAMBLE):]}\n{single}"
                )
                stock = fails_in_stock(args.stock, batch, [index], work, single.stage)
                (known if stock else failures).append(text)
        if not failures and not known:
            stock = fails_in_stock(args.stock, batch, everything, work, error.stage)
            (known if stock else failures).append(f"batch {number}, no clause alone: {error}")
        return 0, failures, known


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clang", required=True)
    parser.add_argument(
        "--stock", help="unpatched compiler: what it fails on as well is listed apart"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    for program in filter(None, (args.clang, args.stock)):
        if not os.access(program, os.X_OK):
            print(f"'{program}' is not a program", file=sys.stderr)
            sys.exit(2)

    sizes = [min(BATCH, args.count - at) for at in range(0, args.count, BATCH)]
    valid = 0
    failures, known = [], []
    with tempfile.TemporaryDirectory(prefix="fuzz-affinity-") as work, \
         concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [
            pool.submit(run_batch, args, number, size, work)
            for number, size in enumerate(sizes)
        ]
        for run in runs:
            good, failed, failed_in_both = run.result()
            valid += good
            failures += failed
            known += failed_in_both
    for failure in known:
        print(f"FAILS WITH THE STOCK COMPILER, TOO: {failure}\n")
    for failure in failures:
        print(f"FAILURE: {failure}\n")
    print(f"{args.count} inputs (seed {args.seed}): {valid} compiled, "
          f"{len(known)} fail in both compilers, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
