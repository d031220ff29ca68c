"""The machine as a drawing in text: for each node its cores, their CPUs, and the threads that may run there."""

from .machine import format_list

WIDTH = 100  # columns of a terminal, for the cores of a node


class Cell:
    """A core: its CPUs side by side, each with a text for every line of the drawing."""

    def __init__(self, core, columns):
        widths = [max(map(len, column)) for column in columns]
        rows = [zip(row, widths, strict=True) for row in zip(*columns, strict=True)]
        lines = [" ".join(f"{text:>{width}}" for text, width in row) for row in rows]
        self.lines = [str(core), *lines]
        self.width = max(map(len, self.lines))


def cells_of(machine, cpus, threads):
    """The cores of these CPUs. threads: the CPUs of each; None if nobody asked."""
    cores = {}
    for cpu in sorted(cpus):
        cores.setdefault(machine.find_core(cpu), []).append(cpu)
    for core, members in sorted(cores.items()):
        columns = []
        for cpu in members:
            column = [str(cpu)]
            if threads is not None:
                here = {number for number, where in enumerate(threads) if cpu in where}
                column.append("x" if cpu not in machine.allowed else format_list(here) if here else "-")
            columns.append(column)
        yield Cell(core, columns)


def draw(machine, threads):
    """Lines. A core has the number of its first CPU. x: the process may not use that CPU; -: no thread may run there."""
    names = ["core", "CPU"] + (["thread"] if threads is not None else [])
    for node, cpus in sorted(machine.node_cpus.items()):
        if not cpus:
            yield f"node {node}: memory, no processors"
            continue
        yield f"node {node}"
        row = []
        for cell in cells_of(machine, cpus, threads):
            if row and sum(other.width + 3 for other in row) + cell.width > WIDTH - 12:
                yield from lines_of(names, row)
                row = []
            row.append(cell)
        yield from lines_of(names, row)


def lines_of(names, cells):
    for line, name in enumerate(names):
        yield f"  {name:<6} | " + " | ".join(cell.lines[line].rjust(cell.width) for cell in cells) + " |"
