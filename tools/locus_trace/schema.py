"""What a trace may say: bounds of its machine and records, so that its readers need not doubt them."""

MOST_PLACES = 1 << 20  # CPUs, nodes and hwloc's objects: the highest number + 1
MOST_NAMES = 1 << 16
MOST_WRITERS = MOST_THREADS = 1 << 31  # the kernel's threads, and Perfetto's, are positive
MOST_CODE = 1 << 57  # user addresses of x86-64
MOST_FILE = 1 << 40  # bytes of code of a file
MOST_TIME = 1 << 63
MOST_DISTANCE = 1 << 32


class Unfit(Exception):
    """What is wrong, and where: a line's end."""

    def at(self, where):
        return Unfit(f"{where}{self}")


def whole(least, behind):
    """A number from least on, below behind."""

    def fits(value):
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < behind:
            raise Unfit(f" is no number from {least} to {behind - 1}")

    return fits


def text(value):
    try:
        value.encode()  # an escape may stand for half a character
    except (AttributeError, UnicodeEncodeError):
        raise Unfit(" is no text") from None


def boolean(value):
    if not isinstance(value, bool):
        raise Unfit(" is neither true nor false")


def maybe(other):
    """Null is fine, too."""
    return lambda value: value is None or other(value)


def items(item, least=0):
    """A list of at least so many of the same kind."""

    def fits(value):
        if not isinstance(value, list) or len(value) < least:
            raise Unfit(f" is no list of {least} values or more" if least else " is no list")
        for index, part in enumerate(value):
            check(item, part, f"[{index}]")

    return fits


def row(*kinds):
    """A list of one value of each of these kinds."""

    def fits(value):
        if not isinstance(value, list) or len(value) != len(kinds):
            raise Unfit(f" is no list of {len(kinds)} values")
        for index, (kind, part) in enumerate(zip(kinds, value, strict=True)):
            check(kind, part, f"[{index}]")

    return fits


def fields(required, optional):
    """An object with these fields; others are a newer version's."""

    def fits(value):
        if not isinstance(value, dict):
            raise Unfit(" is no object")
        for name in required:
            if name not in value:
                raise Unfit(f" lacks '{name}'")
        for name, kind in (required | optional).items():
            if name in value:
                check(kind, value[name], f".{name}")

    return fits


def check(kind, value, where):
    try:
        kind(value)
    except Unfit as unfit:
        raise unfit.at(where) from None


place, place_or_none = whole(0, MOST_PLACES), whole(-1, MOST_PLACES)
address, number = whole(0, MOST_CODE), whole(0, 1 << 32)
OF_PROCESS = {
    "program": text,
    "host": text,
    "settings": fields({}, {}),
    "synthetic": boolean,
    "cpus": items(row(place, place, place_or_none, place_or_none, place_or_none)),
    "nodes": items(items(whole(0, MOST_DISTANCE), 1)),
    "allowed": items(place),
    "page_bytes": whole(4096, 1 << 32),
    "numa_balancing": text,
    "huge_pages": text,
    "code": items(row(address, address, address, text)),
}
PROCESS = fields(
    {
        "process": number,
        "rank": whole(-1, 1 << 31),
        "parent": number,
        "first_writer": whole(1, MOST_WRITERS),
        "host_index": whole(0, MOST_PLACES),
        "cut": maybe(text),
    },
    OF_PROCESS,
)
MACHINE = fields(
    {}, OF_PROCESS | {"hosts": items(row(text, place, whole(0, MOST_PLACES + 1))), "processes": items(PROCESS)}
)


def check_machine(machine):
    """Raises Unfit if the description is not as trace/README.md has it."""
    try:
        MACHINE(machine)
    except Unfit as unfit:
        where = str(unfit)
        raise Unfit(where[1:] if where[0] == "." else f"it{where}") from None
    check_nodes(machine.get("nodes", ()))
    for first, behind, *_ in machine.get("code", ()):
        if not first <= behind <= first + MOST_FILE:
            raise Unfit(f"code has a file from {first:#x} to {behind:#x}")
    check_processes(machine)


def check_nodes(nodes):
    for index, (node, *distances) in enumerate(nodes):
        if len(distances) != len(nodes):
            raise Unfit(f"nodes[{index}] has {len(distances)} distances to {len(nodes)} nodes")
        check(place, node, f"nodes[{index}][0]")


def check_processes(machine):
    before = 0
    for index, entry in enumerate(machine.get("processes", ())):
        if entry["host_index"] >= len(machine.get("hosts", ())):
            raise Unfit(f"processes[{index}] is of a host that is not there")
        if entry["first_writer"] < before:  # one without records has none
            raise Unfit(f"processes[{index}] has a writer of the process before")
        before = entry["first_writer"]
    for field in ("cpus", "nodes"):
        if machine.get("processes") and field not in machine:
            raise Unfit(f"it lacks '{field}'")
