"""The shape of numa-guest's machine: nodes, CPUs, memory, distances."""

import argparse
import re
from itertools import pairwise

from guest.arch import ARCHES

MAX_NODES = 64


def parse_node(text):
    match = re.fullmatch(r"(\d+):(\d+)", text)
    if not match:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not CPUS:MB (as in --nodes-spec 2:256,2:256,0:512)"
        )
    return int(match[1]), int(match[2])


def parse_spec(text):
    return [parse_node(part) for part in text.split(",")]


def positive(text):
    if not re.fullmatch(r"\d+", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive integer")
    return int(text)


def not_negative(text):
    if not re.fullmatch(r"\d+", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not an integer >= 0")
    return int(text)


def distances_of(text, count):
    """The matrix that --distances asks for, or a ValueError that says why not."""
    if text == "ring":
        # 20 for the neighbours, 10 more for each further hop.
        hops = [
            [min(abs(i - j), count - abs(i - j)) for j in range(count)]
            for i in range(count)
        ]
        rows = [[10 + 10 * hop for hop in row] for row in hops]
    else:
        try:
            rows = [
                [int(number) for number in re.split(r"[,\s]+", row.strip())]
                for row in text.split(";")
            ]
        except ValueError:
            raise ValueError("is neither 'ring' nor rows of integers") from None
    if len(rows) != count or any(len(row) != count for row in rows):
        raise ValueError(f"is not a matrix of {count} x {count} numbers")
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            if (i == j) != (number == 10) or not 10 <= number <= 254:
                raise ValueError(
                    f"has {number} from node {i} to node {j}: the diagonal is 10, "
                    "the others are from 11 to 254"
                )
    return rows


def shape_arguments(nodes, distances):
    """QEMU's options for the list of (CPUs, MB)."""
    cpus = sum(node[0] for node in nodes)
    sizes = {node[0] for node in nodes if node[0]}
    # One package per node, as real machines have; packages all have the same size.
    cores = sizes.pop() if len(sizes) == 1 else 1
    arguments = ["-smp", f"{cpus},sockets={cpus // cores},cores={cores},threads=1"]
    arguments += ["-m", f"{sum(node[1] for node in nodes)}M"]
    first = 0
    for index, (count, size) in enumerate(nodes):
        node = f"node,nodeid={index}"
        if count:
            node += f",cpus={first}-{first + count - 1}"
            first += count
        if size:
            arguments += ["-object", f"memory-backend-ram,id=mem{index},size={size}M"]
            node += f",memdev=mem{index}"
        arguments += ["-numa", node]
    for i, row in enumerate(distances or []):
        for j, number in enumerate(row):
            if i != j:
                arguments += ["-numa", f"dist,src={i},dst={j},val={number}"]
    return arguments


def finish_shape(parser, options):
    simple = (
        options.nodes,
        options.cpus_per_node,
        options.mem_per_node,
        options.memory_only,
    )
    if options.nodes_spec:
        if any(value is not None for value in simple):
            parser.error(
                "--nodes-spec replaces --nodes, --cpus-per-node, --mem-per-node and "
                "--memory-only: use one or the other"
            )
        options.nodes = options.nodes_spec
    else:
        memory = options.mem_per_node or 256
        with_cpus = (options.cpus_per_node or 1, memory)
        options.nodes = [with_cpus] * (options.nodes or 1)
        options.nodes += [(0, memory)] * (options.memory_only or 0)

    if len(options.nodes) > MAX_NODES:
        parser.error(f"{len(options.nodes)} nodes: at most {MAX_NODES}")
    if not options.nodes[0][0] or options.nodes[0][1] < 128:
        parser.error("node 0 needs a CPU and 128 MB or more: the kernel starts there")
    if any(later[0] and not node[0] for node, later in pairwise(options.nodes)):
        parser.error("nodes without CPUs come last: Linux gives them the last numbers")
    for index, (cpus, memory) in enumerate(options.nodes):
        if not cpus and not memory:
            parser.error(f"node {index} has neither CPUs nor memory")
        if memory and memory < 32:
            parser.error(f"node {index} has {memory} MB: Linux wants 32 or more")
    sizes = {cpus for cpus, _ in options.nodes if cpus}
    cores = sizes.pop() if len(sizes) == 1 else 1
    packages = sum(cpus for cpus, _ in options.nodes) // cores
    # Each level of the topology has its own bits in the APIC id.
    largest = ARCHES[options.arch].largest_id
    if largest and ((packages - 1) << (cores - 1).bit_length()) + cores - 1 > largest:
        parser.error("too many CPUs: their APIC ids (package and core bits) exceed 254")
    if options.distances:
        try:
            options.distances = distances_of(options.distances, len(options.nodes))
        except ValueError as error:
            parser.error(f"--distances {options.distances!r} {error}")
