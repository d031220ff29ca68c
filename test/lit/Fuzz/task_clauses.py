"""Random clauses of task constructs."""


def name_of(clause):
    return clause.replace("CLANG(", "").split("(")[0]


class Clauses:
    """What a random function has of clauses. It brings rng, chance, fresh and assign."""

    def sharing(self, scope, alone, loop=()):
        """Clauses, the statements around the body, and the body's scope."""
        clauses, before, after, inner = [], [], [], []
        default = self.rng.choice(["", "", "shared", "none", "firstprivate", "private"] if scope else [""])
        if default in ("firstprivate", "private") and not self.clang_only:
            default = ""
        if default:
            clauses.append(f"default({default})")
            clauses += [f"firstprivate({name})" for name in [*loop, "n"]]
            clauses.append("shared(Constants)")
        for var, own in scope:
            how = self.rng.choice(["", "shared", "firstprivate", "firstprivate", "private", "private"])
            if "->" in var.name or (how == "shared" and var.field):
                how = ""
            if how.endswith("private") and (not var.copies or (how == "private" and not var.assign)):
                how = ""
            if how:
                clauses.append(f"{how}({var.name})")
            elif default == "none" and not (var.field or "->" in var.name):
                continue
            elif default.endswith("private") and not (var.field or "->" in var.name):
                if not (var.defaults and var.assign and var.copies):
                    continue
                how = default
            if how.endswith("private") and (var.change or var.assign):
                copy = self.fresh("keep")
                wrap = "{}" if self.taskloop else "SERIAL({})"
                before.append(wrap.format(f"KEEP({copy}, {var.name});"))
                after.append(wrap.format(f"GIVE_BACK({copy}, {var.name});"))
                if how == "private":
                    before.append(self.assign(var))
                inner.append((var, True))
            else:
                inner.append((var, own and alone and how == "shared"))
        self.rng.shuffle(clauses)
        return clauses, before, after, inner

    taskloop = clang_only = False

    def extras(self, scope, loop=False):
        """Clauses that change nothing of the result."""
        names = [v for v, _ in scope if "->" not in v.name]
        clauses = [self.rng.choice(["untied", "mergeable", "priority(2)", "final(n > 9)", "final(n == 4)",
                                    "if(n < 9)", "if(n > 9)", "if({}: 1)".format("taskloop" if loop else "task")])
                   for _ in range(self.rng.choice([0, 0, 1, 2]))]
        if not loop and names and self.chance(0.3):
            var = self.rng.choice(names)
            what = var.name
            if var.elements and self.chance(0.6):
                what = f"{var.name}[0:{var.elements}]"
            text = f"affinity({what})"
            if self.chance(0.4) and var.elements:
                text = f"affinity(iterator(int q = 0:2) : {var.name}[q])"
            clauses.append(text)
        if not loop and self.chance(0.15):
            clauses.append(self.rng.choice(["CLANG(affinity(node: n, strict))", "CLANG(affinity(thread: 1))",
                                            "CLANG(threadset(omp_pool))" if self.version60 else "CLANG(affinity(node: 0))"]))
        kinds = {name_of(c) for c in clauses}
        return [next(c for c in clauses if name_of(c) == kind) for kind in sorted(kinds)]

    version60 = False

    def pragma(self, directive, clauses):
        separator = " " if any(c.startswith("CLANG") for c in clauses) else self.rng.choice([" ", ", "])
        return f"#pragma omp {directive} {separator.join(clauses)}".rstrip()

    def allocate(self, clauses):
        """An allocate clause for one of the private copies."""
        names = [c[c.index("(") + 1:-1] for c in clauses if c.startswith(("private(", "firstprivate("))]
        if names and self.chance(0.2):
            return [f"allocate(omp_default_mem_alloc: {self.rng.choice(names).split(',')[0]})"]
        return []
