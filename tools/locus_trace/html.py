"""A trace as one page that needs no network: what ran where, when, and where its data was. Drawn by plotly.js."""

import base64
import functools
import json
import re
import zlib
from pathlib import Path

import numpy as np

from . import arrows
from . import reader as r
from . import timeline as t
from .advise import advise
from .reader import TraceError

PAGE = Path(__file__).resolve().parent / "page"
LONGEST = 0xFFFFFFFF  # ns of a slice in the page; a longer one becomes several


def plotly_js():
    """The library's text, from the Python package that has it."""
    try:
        from plotly.offline import get_plotlyjs

        return get_plotlyjs()
    except ImportError:
        raise TraceError("html needs plotly: apt install python3-plotly, or pip install plotly") from None
    except OSError as error:
        raise TraceError(f"html: plotly has no plotly.js: {error.filename}: {error.strerror}") from error


def without_comments(script):
    """Debian's plotly.js is as its authors wrote it: 30 % are comments and indentation. Those with a licence stay."""
    script = re.sub(
        r"^[ \t]*/\*(?:(?!\*/|licen[sc]e|copyright)[\s\S])*\*/[ \t]*\n", "", script, flags=re.MULTILINE | re.IGNORECASE
    )
    script = re.sub(r"^[ \t]*//(?!.*(?:licen[sc]e|copyright)).*\n", "", script, flags=re.MULTILINE | re.IGNORECASE)
    return re.sub(r"^[ \t]+|^\n", "", script, flags=re.MULTILINE)


def pack(data):
    """As base64 of zlib's format."""
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


@functools.cache
def library():
    """plotly.js, for the page."""
    return pack(without_comments(plotly_js()).encode())


def pack_numbers(arrays, kind="<u4"):
    """Packed: 32 bits of each, or as kind says."""
    numbers = np.concatenate(arrays) if arrays else np.zeros(0)
    return pack(numbers.astype(kind).tobytes())


def encode(rows):
    """The slices of all rows, one row behind the other: three packed columns, and how many slices each row has."""
    lengths, kinds, tasks = [], [], []
    for row in rows:
        pieces = -(-row.lengths // LONGEST)
        part = np.full(int(pieces.sum()), LONGEST, np.int64)
        part[np.cumsum(pieces) - 1] = row.lengths - (pieces - 1) * LONGEST
        lengths.append(part)
        kinds.append(np.repeat(row.kinds, pieces))
        tasks.append(np.repeat(row.tasks, pieces))
    return {"lengths": pack_numbers(lengths), "kinds": pack_numbers(kinds), "tasks": pack_numbers(tasks)}, [
        len(part) for part in lengths
    ]


def constructs_of(result):
    """Rows of the table, the construct with most time first."""
    for c in result.summary.constructs:
        durations = result.durations[c.label]
        yield {
            "label": c.label,
            "seconds": c.time / 1e9,
            "tasks": c.count,
            "placed": c.placed,
            "away": c.away,
            "stolen": c.stolen,
            "local": durations.local,
            "remote": durations.remote,
            "unknown": durations.unknown,
            "bins": sorted(durations.bins.items()),
        }


def decisions(trace):
    """What KMP_TASK_QUEUES=adaptive has decided, in order: ns, lists until then, lists from then on, and of the threads' time the
    thousandths that access to lists and waiting for tasks took before."""
    records = trace.of_kind(r.LISTS)
    ns, lost, now, before = (trace.column(name)[records].astype(np.int64) for name in ("ns", "data", "a", "b"))
    order = np.argsort(ns, kind="stable")
    return np.stack([ns, before, now, lost >> 32, lost & 0xFFFFFFFF], axis=1)[order].tolist()


def arrows_of(trace, result):
    """Dependences by numbers of tasks, and the longest chain as a line: ns, rows."""
    first, second, omitted = arrows.dependences(trace, result.tasks)
    chain = arrows.longest_chain(trace, result.summary.intervals)
    row_of = {writer: number for number, (writer, _) in enumerate(result.rows)}
    points = arrows.Way(trace, result.tasks, chain).points
    line = np.array([(ns, row_of[writer]) for ns, writer in points if writer in row_of], np.float64).reshape(-1, 2)
    return {
        "first": pack_numbers([first]),
        "second": pack_numbers([second]),
        "omitted": omitted,
        "chainTimes": pack_numbers([line[:, 0]], "<f8"),
        "chainRows": pack_numbers([line[:, 1]]),
    }


def describe(trace, most_slices):
    """All that the page shows, for JSON."""
    result = t.Timeline(trace)
    rows = result.rows
    merged = t.merge_short([row for _, row in rows], most_slices)
    slices, counts = encode([row for _, row in rows])
    constructs = list(constructs_of(result))
    nodes = sorted({node for _, row in rows for node in row.node_times} | {data for _, data in result.matrix})
    number_of = {c["label"]: number for number, c in enumerate(constructs)}
    return {
        "file": Path(trace.path).name,
        "program": trace.machine.get("program", "?"),
        "host": trace.machine.get("host", "?"),
        "process": trace.process,
        "rank": trace.rank,
        "cut": trace.cut,
        "ns": result.summary.duration,
        "counts": result.summary.counts(),
        "merged": merged,
        "advice": [[advice.said(), advice.cure] for advice in advise(trace)],
        "slices": slices,
        "rows": [
            {
                "thread": row.thread,
                "node": row.node(),
                "nodes": len(row.node_times),
                "process": trace.processes()[trace.process_of(writer)].label,
                "tid": trace.os_threads[writer],
                "slices": count,
            }
            for (writer, row), count in zip(rows, counts, strict=True)
        ],
        "states": t.STATES,
        "kinds": [[state, number_of.get(label, -1), node, data] for state, label, node, data in result.kinds],
        "constructs": constructs,
        "matrix": [[node, data, *sums] for (node, data), sums in sorted(result.matrix.items(), key=str)],
        "arrows": arrows_of(trace, result),
        "lists": decisions(trace),
        "nodes": nodes,
        "nodeNames": {node: trace.node_name(node) for node in nodes},
        "binsOfOctave": t.BINS_OF_OCTAVE,
    }


def page(trace, most_slices):
    """The page's text, with at most so many slices of time, but one for each thread at least."""
    script = library()
    # A text in JSON cannot end the script that it is in.
    data = json.dumps(describe(trace, most_slices), separators=(",", ":")).replace("<", "\\u003c")
    parts = {"library": script, "data": data}
    parts.update(
        {name: (PAGE / name).read_text(encoding="utf-8") for name in ("page.js", "slices.js", "arrows.js", "page.css")}
    )
    pieces = (PAGE / "page.html").read_text(encoding="utf-8").split("@@")
    return "".join(parts.get(piece, piece) for piece in pieces)
