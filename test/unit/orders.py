"""Where the core names a memory order, and the weaker ones that each could be, for `mutate` and `check-orders`."""

import re

# The folders, or files, that the model compiles with simulated atomics.
MODELED = ("queue/", "depend/", "sleep/", "replay/graph.h", "support/lock.h", "data/directory.cpp", "data/subspace.cpp")
MODELED += ("task/child_count.h", "flow/count.h")

NAME = re.compile(r"std::memory_order_(acquire|release|acq_rel|seq_cst)\b|\b__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b")
COMMENT = re.compile(r"//[^\n]*")
CALLED = re.compile(r"(\w+)\s*$")

# What an operation may have instead, the strongest first. A fence that is relaxed is none.
WEAKER = {
    "load": {"seq_cst": ["acquire", "relaxed"], "acquire": ["relaxed"]},
    "store": {"seq_cst": ["release", "relaxed"], "release": ["relaxed"]},
    "both": {
        "seq_cst": ["acq_rel", "acquire", "release", "relaxed"],
        "acq_rel": ["acquire", "release", "relaxed"],
        "acquire": ["relaxed"],
        "release": ["relaxed"],
    },
    "fence": {"seq_cst": ["acq_rel", "relaxed"], "acq_rel": ["relaxed"], "acquire": ["relaxed"], "release": ["relaxed"]},
}


class Site:
    """An order that the source names."""

    def __init__(self, file, text, match):
        self.file, self.begin, self.end = file, match.start(), match.end()
        self.line = text.count("\n", 0, self.begin) + 1
        self.order = (match[1] or match[2]).lower()
        self.call, commas = call_around(text, self.begin)
        self.is_modeled = bool(match[1]) and file.removeprefix("locus/").startswith(MODELED)
        kind = (
            "fence"
            if "fence" in self.call
            else "load"
            if "load" in self.call or self.call == "read" or ("compare" in self.call and commas == 3)
            else "store"
            if self.call in ("store", "__atomic_store_n")
            else "both"
        )
        self.weaker = WEAKER[kind][self.order]
        self.code = " ".join(text[text.rfind("\n", 0, self.begin) + 1 : text.find("\n", self.end)].split())

    def row(self):
        """As `check-orders` reads it: the code has commas, too, and comes last."""
        return ",".join([self.file, str(self.line), self.order, " ".join(self.weaker) * self.is_modeled, self.code])


def call_around(text, at):
    """The name of what is called around a place, and the number of commas before it there."""
    depth = commas = 0
    while depth >= 0:
        at -= 1
        depth += {")": 1, "(": -1}.get(text[at], 0)
        commas += depth == 0 and text[at] == ","
    return CALLED.search(text[:at])[1], commas


def sites(core):
    """All of them, in the order of files and lines; CORE has locus/."""
    found = []
    for path in sorted(core.rglob("locus/**/*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        text = path.read_text()
        code = COMMENT.sub(lambda c: " " * len(c[0]), text)
        name = path.relative_to(core).as_posix()
        found += [Site(name, code, match) for match in NAME.finditer(code)]
    return found
