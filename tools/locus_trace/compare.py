"""Two runs of a program side by side: what changed between them."""

from .intervals import STATES, TASKS
from .summary import SHOWN, Summary


def figures(summary):
    """What is compared of a run: name, unit, value."""
    counts = summary.counts()
    times = sum(summary.by_node.values())
    yield "run", "s", summary.duration / 1e9
    for state in SHOWN:
        yield (
            "in tasks" if state == TASKS else STATES[state],
            "s",
            float(times[state]) / 1e9 if summary.by_node else 0.0,
        )
    yield "tasks", "", counts["created"]
    yield "stolen", "", sum(summary.steals.values())
    if counts["bytes"]:
        yield "remote bytes", "%", 100 * counts["remote_bytes"] / counts["bytes"]


def compare(first, second):
    """For JSON: figures of both runs, and of each construct that one of them has."""
    sides = [Summary(trace) for trace in (first, second)]
    units, values = {}, [{}, {}]
    for side, found in zip(sides, values, strict=True):
        for name, unit, value in figures(side):
            units[name], found[name] = unit, value
    constructs = {}
    for index, side in enumerate(sides):
        for c in side.constructs:
            pair = constructs.setdefault(c.label, [None, None])
            pair[index] = {"seconds": c.time / 1e9, "tasks": c.count, "remote": c.remote, "local": c.at_home}
    return {
        "files": [first.path, second.path],
        "figures": {
            name: {"unit": unit, "values": [side.get(name) for side in values]} for name, unit in units.items()
        },
        "constructs": constructs,
    }


def ratio(before, after):
    return f"{after / before:.2f}" if before and after is not None else "-"


def text(value, unit):
    if value is None:
        return "-"
    return f"{value:.6f} s" if unit == "s" else f"{value:.1f} %" if unit == "%" else f"{value}"


def each(side):
    """What a task takes in the mean."""
    return f"{side['seconds'] * 1e6 / side['tasks']:.2f} us" if side and side["tasks"] else "-"


def show(result, top):
    for letter, path in zip("AB", result["files"], strict=True):
        print(f"{letter}: {path}")
    print(f"\n{'':>12} {'A':>14} {'B':>14} {'B / A':>7}")
    for name, figure in result["figures"].items():
        before, after = figure["values"]
        shown = (text(value, figure["unit"]) for value in figure["values"])
        print(f"{name:>12} " + " ".join(f"{value:>14}" for value in shown) + f" {ratio(before, after):>7}")
    print(f"\n{'time, A':>14} {'B':>14} {'B / A':>7} {'each, A':>11} {'B':>11}  construct")
    order = sorted(result["constructs"].items(), key=lambda item: -max(side["seconds"] for side in item[1] if side))
    for label, sides in order[:top]:
        seconds = [side and side["seconds"] for side in sides]
        times = " ".join(f"{text(value, 's'):>14}" for value in seconds)
        means = " ".join(f"{each(side):>11}" for side in sides)
        print(f"{times} {ratio(*[value or 0 for value in seconds]):>7} {means}  {label}")
    if len(order) > top:
        print(f"and {len(order) - top} more constructs")
