"""The variables of random programs of tasks."""

import dataclasses


@dataclasses.dataclass
class Var:
    name: str
    declare: str  # its declaration
    read: str  # an integer
    change: str = ""  # a statement, of the value K
    assign: str = ""  # a statement that gives it a value from nothing, of the value K
    copies: bool = True  # may be firstprivate
    defaults: bool = True  # a default clause can speak of it
    reduces: bool = False  # an arithmetic type
    elements: int = 0  # of an array
    by_value: bool = True  # lambdas may copy it
    field: bool = False  # a member, named without "this"


def _scalars(name, init):
    for kind in ("int", "short", "unsigned char", "long long", "double", "float", "__int128", "unsigned"):
        yield Var(name, f"{kind} {name} = {init};", f"(long){name}", f"{name} += K;", f"{name} = K;",
                  reduces=kind in ("int", "long long", "double", "unsigned"))


def plain(name, init):
    """Variables of C and C++."""
    yield from _scalars(name, init)
    fill = f"for (int z = 0; z < {{0}}; ++z) {name}[z] = {init} + z;"
    for kind, size in (("int", 5), ("char", 33), ("double", 7), ("long", 16), ("short", 3)):
        yield Var(name, f"{kind} {name}[{size}]; {fill.format(size)}", f"(long)({name}[1] + {name}[{size - 1}] * 3)",
                  f"{name}[K % {size}] += 1;", f"for (int z = 0; z < {size}; ++z) {name}[z] = K + z;",
                  elements=size)
    yield Var(name, f"double {name}[2][3] = {{{{1, 2, {init}}}}};", f"(long)({name}[0][2] + {name}[1][1])",
              f"{name}[1][1] += K;", f"for (int z = 0; z < 6; ++z) {name}[z / 3][z % 3] = K;")
    yield Var(name, f"struct Plain {name} = {{{init}, {{1, 2, 3}}, 4, 5}};",
              f"({name}.A + {name}.B[1] + {name}.C + {name}.Bits)", f"{name}.B[1] += K; {name}.Bits += 1;",
              f"{name}.A = {name}.B[1] = {name}.C = K; {name}.Bits = K & 7;")
    yield Var(name, f"struct Wide {name} = {{{{{init}, 2}}}};", f"(long)({name}.D[0] + {name}.D[7])",
              f"{name}.D[7] += K;", f"for (int z = 0; z < 8; ++z) {name}.D[z] = K;")
    yield Var(name, f"Four {name} = {{{init}, 2, 3, 4}};", f"{name}[0] + {name}[3]", f"{name} += {name};",
              f"{name} = (Four){{K, K, 3, K}};")
    yield Var(name, f"_Complex double {name} = {init};", f"(long)__real__ {name} + (long)__imag__ {name}",
              f"__imag__ {name} += K;", f"{name} = K;")
    yield Var(name, f"enum Color {name} = Green;", f"(int){name}", f"{name} = Blue;", f"{name} = Red;")
    yield Var(name, f"const int *{name} = Constants + {init};", f"*{name}", f"{name} = Constants + K % 9;",
              f"{name} = Constants + K % 8;")
    yield Var(name, f"long (*{name})(long) = twice;", f"{name}({init})", f"{name} = thrice;", f"{name} = twice;")
    yield Var(name, f"static long {name}; {name} = {init};", name, f"{name} += K;", f"{name} = K;",
              defaults=False)
    yield Var(name, f"int {name}[n + 1]; {fill.format('n + 1')}", f"({name}[n] + {name}[0])", f"{name}[n] += K;",
              "", copies=False, by_value=False)
    yield Var(name, f"short {name}[n][3]; for (int z = 0; z < n; ++z) {name}[z][2] = {init};",
              f"({name}[n - 1][2] + (long)sizeof({name}))", f"{name}[0][2] += K; {name}[n - 1][2] += 1;",
              "", copies=False, by_value=False)
    yield Var(name, f"const long {name} = {init};", name, copies=True, defaults=False)


def classes(name, init):
    """Variables of C++ alone."""
    read = f"{name}.get()"
    yield Var(name, f"Object {name}({init});", read, f"{name}.Value += K;", f"{name} = Object(K);")
    yield Var(name, f"Object {name}[2] = {{Object({init}), 2}};", f"{name}[0].get() + {name}[1].get() * 3",
              f"{name}[1] += 1;", f"{name}[0] = {name}[1] = Object(K);")
    yield Var(name, f"int s{name} = {init}; int &{name} = s{name};", name, f"{name} += K;", f"{name} = K;")
    yield Var(name, f"int s{name}[3] = {{{init}, 2, 3}}; int (&{name})[3] = s{name};", f"{name}[0] + {name}[2]",
              f"{name}[2] += K;", f"{name}[0] = {name}[2] = K;")
    yield Var(name, f"Object s{name}({init}); Object &{name} = s{name};", read, f"{name} += K;",
              f"{name} = Object(K);")
    yield Var(name, f"Object &&{name} = Object({init});", read, f"{name} += K;", f"{name} = Object(K);")
    yield Var(name, f"const Object &{name} = Object({init});", read, copies=False, defaults=False)
    yield Var(name, f"Box<double> {name}({init});", read, f"{name}.Inside += K;", "", copies=True)
    yield Var(name, f"auto {name} = [c{name} = Object({init})](int x) {{ return c{name}.get() + x; }};", f"{name}(3)")
    for how in ("auto", "auto &&"):
        yield Var(name, f"{how} [{name}, o{name}] = Pair{{{init}, Object(2)}};", name, f"{name} += K;", f"{name} = K;",
                  by_value=False)
        yield Var(name, f"{how} [o{name}, {name}] = Pair{{2, Object({init})}};", read, f"{name} += K;",
                  f"{name} = Object(K);", by_value=False)
        yield Var(name, f"{how} [{name}, o{name}] = Tuple{{{init}, Object(2)}};", name, f"{name} += K;",
                  f"{name} = K;", by_value=False)
        yield Var(name, f"{how} [o{name}, {name}] = Tuple{{2, Object({init})}};", read, f"{name} += K;",
                  f"{name} = Object(K);", by_value=False)
    yield Var(name, f"long s{name}[2] = {{{init}, 7}}; auto &[o{name}, {name}] = s{name};", name, f"{name} += K;",
              f"{name} = K;", by_value=False)
