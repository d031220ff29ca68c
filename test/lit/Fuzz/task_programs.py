"""Random programs of task constructs, whose output does not depend on who runs what.

A program has cases. Each declares variables, and constructs use them: alone (a
task that is waited for at once may change what it shares) or beside others
(which only read what they share). Without OpenMP the same source, with SERIAL
copies for the private ones, gives the right output.
"""

import dataclasses

from task_clauses import Clauses
from task_variables import Var, classes, plain

OPERATORS = {"+": "{0} += {1};", "^": "{0} ^= {1};", "max": "{0} = {0} > (long)({1}) ? {0} : (long)({1});",
             "|": "{0} |= {1};"}


class Case(Clauses):
    """The text of one function, and what main says of it."""

    def __init__(self, rng, cxx, standard, number):
        self.rng, self.cxx, self.standard, self.number = rng, cxx, standard, number
        self.counter = 0
        self.coroutine = self.template = False
        shell = rng.choice(SHELLS if cxx else C_SHELLS)
        self.coroutine = shell == "coroutine"
        if self.coroutine and standard < 20:
            shell, self.coroutine = "plain", False
        self.text = getattr(self, f"_shell_{shell}")()

    # Small things.

    def fresh(self, prefix="v"):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def ident(self):
        self.counter += 1
        return self.counter

    def chance(self, probability):
        return self.rng.random() < probability

    def value(self):
        return self.rng.randint(1, 7)

    def change(self, var, value=None):
        return var.change.replace("K", str(value or self.value()))

    def assign(self, var, value=None):
        return var.assign.replace("K", str(value or self.value()))

    def variable(self, wide=True):
        name, init = self.fresh(), self.value()
        kinds = list(plain(name, init))
        if self.cxx:
            kinds += list(classes(name, init)) * 2
        if self.coroutine:
            kinds = [v for v in kinds if "[n" not in v.declare]
        return self.rng.choice(kinds)

    # Shells: what the constructs stand in.

    def body(self, scope=()):
        scope = list(scope)
        lines = ["int Live0 = Live;"] if self.cxx else []
        lines.append("{")
        for _ in range(self.rng.randint(2, 5)):
            var = self.variable()
            scope.append((var, True))
            lines.append(var.declare)
        for _ in range(self.rng.randint(1, 3)):
            lines += self.construct(scope, 0)
            if self.coroutine and self.chance(0.7):
                lines.append(self.rng.choice(["co_yield 3;", "co_await std::suspend_always{};"]))
        lines += [self.report(var) for var, _ in scope]
        lines.append("}")
        if self.cxx:
            lines.append("put(1, Live - Live0);")
        return "\n".join(lines)

    def _shell_plain(self):
        self.call = f"case{self.number}(4);"
        return f"static void case{self.number}(int n) {{\n{self.body()}\n}}\n"

    def _shell_parameters(self):
        scope = [(Var("p", "", "p", "p += K;", "p = K;", reduces=True), True),
                 (Var("a", "", "a[2]", "a[2] += K;", "", copies=False, defaults=False, by_value=False), True)]
        array = "int a[n]" if not self.cxx else "int *a"
        extra, given = "", ""
        if self.cxx:
            scope.append((Var("o", "", "o.get()", "o += K;", "o = Object(K);"), True))
            scope.append((Var("r", "", "r.get()", "r += K;", "r = Object(K);"), True))
            extra, given = ", Object o, Object &r", ", Object(3), r"
        first = "Object r(2); " if self.cxx else ""
        self.call = f"{{ int a[4] = {{1, 2, 3, 4}}; {first}case{self.number}(4, 5, a{given}); }}"
        return f"static void case{self.number}(int n, long p, {array}{extra}) {{\n{self.body(scope)}\n}}\n"

    def _shell_template(self):
        self.call = f"case{self.number}<int, 3>(4, 5); case{self.number}<double, 2>(4, 6);"
        scope = [(Var("p", "", "(long)p", "p += K;", "p = T(K);", reduces=True), True),
                 (Var("t", "", "(long)t[N - 1]", "t[0] += K; t[N - 1] += 1;", "for (T &e : t) e = K;", elements=2),
                  True)]
        return (f"template <typename T, int N> static void case{self.number}(int n, T p) {{\n"
                f"T t[N] = {{1, 2}};\n{self.body(scope)}\n}}\n")

    def _shell_member(self, name="run", extra="", base=""):
        scope = [(Var("F", "", "F", "F += K;", "F = K;", defaults=False, by_value=False, field=True), True),
                 (Var("G", "", "G.get()", "G += K;", "G = Object(K);", defaults=False, by_value=False, field=True), True),
                 (Var("this->H[1]", "", "this->H[1]", "this->H[1] += K;", "", False, False, by_value=False), True)]
        self.call = self.call if extra else f"Case{self.number}().run(4);"
        return (f"struct Case{self.number} {{\nlong F = 3; Object G{{4}}; int H[2] = {{5, 6}};\n{extra}"
                f"void {name}(int n) {{\n{self.body(scope)}\n}}\n}};\n")

    def _shell_constructor(self):
        self.call = f"Case{self.number} object(4);"
        return self._shell_member("run", f"explicit Case{self.number}(int n) {{ run(n); }}\n")

    def _shell_lambda(self):
        self.call = f"case{self.number}(4);"
        outer = [(self.variable(), True) for _ in range(2)]
        declared = "\n".join(var.declare for var, _ in outer)
        parameter = self.rng.choice(["int", "auto"])
        return (f"static void case{self.number}(int n) {{\n{declared}\n"
                f"auto run = [&]({parameter} k) {{\n{self.body(outer)}\n}};\nrun(4);\n}}\n")

    def _shell_coroutine(self):
        self.call = f"case{self.number}(4).run();"
        return f"static Coroutine case{self.number}(int n) {{\n{self.body()}\nco_return;\n}}\n"

    # Statements.

    def report(self, var):
        return f"put({self.ident()}, {var.read});"

    def work(self, scope, depth):
        """Statements of a task: they read all, change what is its own, have locals, and constructs."""
        lines = []
        scope = list(scope)
        for _ in range(self.rng.randint(0, 2)):
            var = self.variable()
            lines.append(var.declare.replace("static ", ""))
            scope.append((dataclasses.replace(var, defaults=True), True))
        for _ in range(self.rng.randint(1, 4)):
            var, own = self.rng.choice(scope) if scope else (None, False)
            what = self.rng.random()
            if what < 0.3 and var and own and var.change:
                lines.append(self.change(var))
            elif what < 0.5 and depth < 2:
                lines += self.construct(scope, depth + 1)
            elif what < 0.7:
                lines.append(self.rng.choice(["#pragma omp taskyield", "#pragma omp taskwait", "stir(3);"]))
            elif var:
                lines.append(self.report(var))
        lines += ["stir(5);"] + [self.report(var) for var, _ in scope]
        return lines

    def construct(self, scope, depth):
        names = list(CONSTRUCTS) if depth < 4 else ["task"]
        if self.cxx and depth < 4:
            names += CXX_CONSTRUCTS
        if depth == 0 and not self.coroutine:
            names += ["region"] * 2
        return getattr(self, f"_{self.rng.choice(names)}")(scope, depth)

    # Constructs.

    def _task(self, scope, depth, alone=True, loop=()):
        self.clang_only = self.chance(0.3)
        self.taskloop = False
        clauses, before, after, inner = self.sharing(scope, alone, loop)
        extra = self.extras(inner) + self.allocate(clauses)
        body = before + self.work(inner, depth) + after
        wait = ["#pragma omp taskwait"] if alone else []
        if alone and self.chance(0.3):
            return ["#pragma omp taskgroup", "{", self.pragma("task", clauses + extra), "{", *body, "}", "}"]
        return [self.pragma("task", clauses + extra), "{", *body, "}", *wait]

    def _tasks(self, scope, depth):
        i = self.fresh("i")
        var = Var(i, "", i, f"{i} += K;", "", copies=False, defaults=False)
        if self.cxx and self.chance(0.3):
            head = f"for (long {i} : Range(1, 5))"
        else:
            head = f"for (int {i} = 0; {i} < n + 1; ++{i})"
        body = self._task(scope, depth, False, [i])
        # Tell the tasks apart.
        at = body.index("{") + 1
        body.insert(at, f"put({self.ident()}, {var.read});")
        return [head, "{", *body, "}", "#pragma omp taskwait"]

    def _chain(self, scope, depth):
        owned = [v for v, own in scope if own and v.change and v.copies]
        if not owned:
            return self._task(scope, depth)
        var = self.rng.choice(owned)
        lines = []
        for _ in range(self.rng.randint(2, 4)):
            kind = self.rng.choice(["inout", "out", "inout", "mutexinoutset"])
            what = var.name if self.chance(0.7) or not var.elements else \
                f"iterator(int q = 0:{var.elements}), {kind}: {var.name}[q]"
            depend = f"depend({what})" if what.startswith("iter") else f"depend({kind}: {what})"
            if kind == "mutexinoutset":
                lines.append("#pragma omp taskwait")
            clauses = [depend] if var.field else [f"shared({var.name})", depend]
            if self.chance(0.3):
                clauses.append("untied")
            if self.chance(0.2):
                clauses.append("if(0)")
            i = self.fresh("local")
            lines += [self.pragma("task", clauses), "{", f"Four {i} = {{1, 2, {self.value()}, 4}};"]
            lines += ["#pragma omp taskyield"] if self.chance(0.4) else []
            lines += [self.change(var), "stir(1);", f"put({self.ident()}, {var.read} + {i}[2]);", "}"]
            if kind == "mutexinoutset" or what.startswith("iter"):
                lines.append("#pragma omp taskwait")
        return [*lines, "#pragma omp taskwait"]

    def _detach(self, scope, depth):
        event = self.fresh("event")
        lines = self._task(scope, depth)
        at = next(i for i, line in enumerate(lines) if line.startswith("#pragma omp task ") or line == "#pragma omp task")
        if "mergeable" in lines[at] or "default(" in lines[at]:
            return lines
        lines[at] += f" detach({event})"
        end = len(lines) - 1 - lines[::-1].index("}")
        if lines[0] == "#pragma omp taskgroup":
            end = len(lines) - 2
        lines.insert(end, f"omp_fulfill_event({event});")
        return [f"omp_event_handle_t {event};", *lines]

    def _loop(self, scope, depth):
        """A taskloop."""
        self.taskloop, self.clang_only = True, self.chance(0.3)
        i, j = self.fresh("i"), self.fresh("j")
        reduced = None
        numbers = [v for v, own in scope if own and v.reduces]
        clauses, before, after, inner = [], [], [], []
        rest = list(scope)
        if numbers and self.chance(0.5):
            reduced = self.rng.choice(numbers)
            rest = [(v, o) for v, o in rest if v is not reduced]
            operator = self.rng.choice(list(OPERATORS))
            if "double" in reduced.declare or reduced.name == "p":
                operator = self.rng.choice(["+", "max"])
            kind = self.rng.choice(["", "", "default, "])
            clauses.append(f"reduction({kind}{operator}: {reduced.name})")
        last = None
        lasts = [v for v, own in rest if own and v.assign and v.copies and v.defaults]
        if lasts and self.chance(0.4):
            last = self.rng.choice(lasts)
            rest = [(v, o) for v, o in rest if v is not last]
            clauses.append(f"lastprivate({last.name})")
            if self.chance(0.4):
                clauses.append(f"firstprivate({last.name})")
        more, before, after, inner = self.sharing(rest, False)
        clauses += more
        if last and self.chance(0.5):
            inner.append((dataclasses.replace(last, change=""), False))
        extra = self.extras(inner, True) + self.allocate(clauses)
        if self.chance(0.5):
            extra.append(self.rng.choice(["grainsize(2)", "num_tasks(3)", "grainsize(strict: 3)", "num_tasks(strict: 2)"]))
        collapse = self.chance(0.3)
        if collapse:
            extra.append("collapse(2)")
        head = self.header(i, j, collapse)
        nogroup = not reduced and self.chance(0.3)
        directive = self.rng.choice(["taskloop", "taskloop", "taskloop simd"]) if not self.cxx else "taskloop"
        body = [*before]
        number = f"(long){i}" + (f" * 10 + (long){j}" if collapse else "")
        if head.startswith("for (const int *"):
            number = f"({i} - Constants)"
        index = self.fresh("at")
        body.append(f"const long {index} = {number};")
        if last:
            body.append(last.assign.replace("K", f"(int)({index} + 64)"))
        if reduced:
            body.append(OPERATORS[operator].format(reduced.name, index))
        inner.append((Var(index, "", index, copies=False, defaults=False, by_value=True), False))
        if "simd" in directive or any("simd" in c for c in clauses):
            body.append(f"put({self.ident()}, {index});")
        else:
            body += self.work(inner, depth + 1)
        body += after
        lines = [self.pragma(directive, clauses + extra + (["nogroup"] if nogroup else [])), head, "{", *body, "}"]
        return [*lines, "#pragma omp taskwait"] if nogroup else lines

    def header(self, i, j, collapse):
        forms = [f"for (int {i} = 0; {i} < n + 2; ++{i})", f"for (unsigned {i} = 9; {i} > 2; {i} -= 3)",
                 f"for (long {i} = -3; {i} <= n; {i} += 2)", f"for (short {i} = 5; {i} >= 0; --{i})",
                 f"for (unsigned char {i} = 0; {i} < 7; {i}++)", f"for (unsigned long {i} = 1; {i} != 6; {i} += 1)",
                 f"for (const int *{i} = Constants; {i} < Constants + 7; {i} += 2)",
                 f"for (long long {i} = n; n - 6 < {i}; {i} = {i} - 1)"]
        head = self.rng.choice(forms if not collapse else forms[:6] + forms[7:])
        if not collapse:
            return head
        inside = [f"for (int {j} = 0; {j} < n; ++{j})", f"for (long {j} = 3; {j} > 0; --{j})"]
        if "int " + i in head and self.chance(0.5):
            head = forms[0]
            inside = [f"for (int {j} = 0; {j} < {i}; ++{j})", f"for (int {j} = {i} + 2; {j} > {i} - 1; {j} -= 2)",
                      f"for (int {j} = n; {j} >= 2 * {i} - 3; {j}--)"]
        return f"{head}\n{self.rng.choice(inside)}"

    def _reduction(self, scope, depth):
        numbers = [v for v, own in scope if own and (v.reduces or v.declare.startswith("Object v"))]
        numbers = [v for v in numbers if "[" not in v.declare]
        if not numbers:
            return self._loop(scope, depth)
        var = self.rng.choice(numbers)
        rest = [(v, o) for v, o in scope if v is not var]
        lines = [self.pragma("taskgroup", [f"task_reduction(+: {var.name})"]), "{"]
        for _ in range(self.rng.randint(1, 3)):
            self.taskloop = False
            clauses, before, after, inner = self.sharing(rest, False)
            clauses.append(f"in_reduction(+: {var.name})")
            extra = self.extras(inner)
            lines += [self.pragma("task", clauses + extra), "{", *before, f"{var.name} += {self.value()};",
                      *self.work(inner, depth + 1), *after, "}"]
        return [*lines, "}"]

    def _region(self, scope, depth):
        region = self.rng.choice(["parallel num_threads(2)|single", "parallel num_threads(3)|master",
                                  "parallel|single nowait", "parallel sections", "taskgroup", "critical(name)",
                                  "single", "parallel num_threads(3) default(shared)|masked"])
        if any(line.startswith("single") for line in region.split("|")) and "parallel" not in region:
            region = "taskgroup"
        lines = [f"#pragma omp {part}" for part in region.split("|")]
        body = self.construct(scope, depth + 1)
        if "sections" in region:
            body = ["#pragma omp section", "{", *body, "}"]
        return [*lines, "{", *body, "}"]

    def _lambda(self, scope, depth):
        copy = self.chance(0.3)
        name = self.fresh("l")
        inside = [(v, own and not copy) for v, own in scope if not copy or (v.by_value and v.change)]
        body = self.construct([(dataclasses.replace(v, change="", assign="", copies=False, defaults=False), False)
                               for v, _ in inside] if copy else inside, depth + 1)
        parameter = self.rng.choice(["int", "auto", "long"])
        init = self.chance(0.3)
        capture = ("=" if copy else "&") + (f", c{name} = Object(3)" if init else "")
        report = [f"put({self.ident()}, c{name}.get() + p{name});"] if init else [f"put({self.ident()}, p{name});"]
        if init:
            report = ["#pragma omp task", *report, "#pragma omp taskwait"]
        return [f"auto {name} = [{capture}]({parameter} p{name}) {{", *body, *report, "};", f"{name}({self.value()});"]

    def _expression(self, scope, depth):
        if self.coroutine:
            return self._task(scope, depth)
        result = self.fresh("e")
        return [f"int {result} = stir(2) + ({{", *self.construct(scope, depth + 1), f"stir({self.value()});", "});",
                f"put({self.ident()}, {result});"]

    def _branch(self, scope, depth):
        condition = self.rng.choice(["if (n == 4)", "for (int once = 0; once < 2; ++once)", "switch (n) case 4:",
                                     "do"])
        tail = ["while (0);"] if condition == "do" else []
        return [condition, "{", *self.construct(scope, depth + 1), "}", *tail]

    def _transformed(self, scope, depth):
        """A loop that a directive changes."""
        i = self.fresh("i")
        pragma = self.rng.choice(["tile sizes(3)", "tile sizes(2)", "unroll partial(2)", "unroll full", "reverse",
                                  "simd", "parallel for"])
        bound = "5" if "unroll" in pragma or pragma == "simd" else "n + 2"
        body = [f"put({self.ident()}, {i});", "stir(4);"]
        shared = [v for v, _ in scope]
        if shared:
            body.append(f"put({self.ident()}, {self.rng.choice(shared).read} + {i});")
        if pragma not in ("simd", "parallel for") and self.chance(0.5):
            body.append(self.rng.choice(["#pragma omp taskyield", "#pragma omp task firstprivate(n)\nput(5, n);"]))
        inner = ["#ifdef __clang__" if pragma not in ("simd", "parallel for") else "#if 1", f"#pragma omp {pragma}",
                 "#endif", f"for (int {i} = 0; {i} < {bound}; ++{i})", "{", *body, "}", "#pragma omp taskwait"]
        clauses = ["untied"] if self.chance(0.3) else []
        if self.chance(0.6):
            return [self.pragma("task", clauses), "{", *inner, "}", "#pragma omp taskwait"]
        return inner

    def _meta(self, scope, depth):
        """A metadirective, within a task or not."""
        when = self.rng.choice(["user={condition(1)}: task", "user={condition(0)}: parallel) default(task",
                                "implementation={vendor(llvm)}: task untied", "user={condition(1)}: taskgroup",
                                "user={condition(0)}: taskwait", "user={condition(1)}: nothing",
                                "user={condition(sizeof(int) == 4)}: task if(n)"])
        if "0)}: taskwait" in when or "nothing" in when:
            meta = [f"#pragma omp metadirective when({when})", "{", *self.construct(scope, depth + 1), "}"]
        else:
            alone = [(v, False) for v, _ in scope]
            meta = [f"#pragma omp metadirective when({when})", "{", *self.work(alone, depth + 1), "}"]
        meta.append("#pragma omp taskwait")
        if self.chance(0.5):
            return meta
        return ["#pragma omp task", "{", *[m for m in meta], "}", "#pragma omp taskwait"] if depth < 3 and \
            "0)}: taskwait" not in when and "nothing" not in when else meta

    def _try(self, scope, depth):
        lines = self.construct(scope, depth + 1)
        caught = self.fresh("c")
        return ["#pragma omp task untied" if self.chance(0.5) else "#pragma omp task", "{", "try {",
                f"Object {caught}({self.value()});", f"throw Object({caught});", f"}} catch (Object &{caught}) {{",
                *(["#pragma omp taskyield"] if self.chance(0.5) else []), "stir(2);",
                f"put({self.ident()}, {caught}.get());", "}", "}", "#pragma omp taskwait", *lines]

    def _local_class(self, scope, depth):
        name = self.fresh("Local")
        return [f"struct {name} {{ Object M; int run(int n) {{", *self.construct(
            [(Var("M", "", "M.get()", "M += K;", "M = Object(K);", defaults=False, by_value=False, field=True), True)], depth + 1),
            "return n; } };", f"put({self.ident()}, {name}{{Object(2)}}.run(4));"]

    def _combined(self, scope, depth):
        """Taskloops combined with parallel: all threads of a team, one taskloop."""
        lines = self._loop(scope, depth)
        if depth > 0 or self.coroutine or not lines[0].startswith("#pragma omp taskloop") or "nogroup" in lines[0] \
           or "in_reduction" in lines[0]:
            return lines
        name = self.rng.choice(["parallel master", "parallel masked", "master", "masked"])
        text = lines[0].replace("#pragma omp taskloop", f"#pragma omp {name} taskloop", 1)
        if "parallel" in name:
            text += " num_threads(2)"
            text = text.replace(" if(n", " if(taskloop: n")
            return [text, *lines[1:]]
        return ["#pragma omp parallel num_threads(2)", text, *lines[1:]]


SHELLS = ["plain", "plain", "parameters", "template", "member", "constructor", "lambda", "coroutine"]
C_SHELLS = ["plain", "plain", "parameters"]
CONSTRUCTS = ["task", "task", "task", "tasks", "tasks", "chain", "loop", "loop", "combined", "reduction", "detach", "expression",
              "branch", "transformed", "meta"]
CXX_CONSTRUCTS = ["lambda", "lambda", "try", "local_class"]


class Program:
    def __init__(self, rng, size):
        self.rng = rng
        self.cxx = rng.random() < 0.7
        self.standard = rng.choice([17, 20, 23]) if self.cxx else rng.choice([11, 17])
        self.flags = ["-x", "c++" if self.cxx else "c", f"-std={'gnu++' if self.cxx else 'gnu'}{self.standard}"]
        self.cases, self.parallel = [], []
        for number in range(size):
            self.cases.append(Case(rng, self.cxx, self.standard, number))
            self.parallel.append(rng.random() < 0.5)

    def source(self, indices):
        text = '#include "task_programs.h"\n'
        for index in indices:
            text += f"#line {10000 * (index + 1)}\n{self.cases[index].text}"
        text += "#line 1\nint main(void) {\n"
        for index in indices:
            if self.parallel[index]:
                text += "#pragma omp parallel num_threads(3)\n#pragma omp single\n"
            text += f"{{ {self.cases[index].call} }}\nprintf(\"case %d: %lx\\n\", {index}, Sum);\nSum = 0;\n"
        return text + "return 0;\n}\n"
