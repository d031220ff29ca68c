"""The command line of locus-doctor."""

import argparse
import json
import os
import sys

from locus_output import discard_output, prepare
from locus_version import version

from .ask import Kernel, Problem, Runtime, check_program
from .doctor import Doctor, Fault
from .draw import draw
from .launcher import Launcher
from .machine import Machine

GOOD, FAULTY, ERROR = 0, 1, 2


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="locus-doctor",
        description="Says before a run what will keep tasks from their places, each with its cure. Call it as the program would be "
        "called: in the same job, container and environment.",
        epilog="Exit status: 0 there is no fault; 1 there are; 2 wrong usage, or an error.",
    )
    parser.add_argument(
        "program", nargs="?", metavar="PROGRAM", help="also says which OpenMP runtime it will load; it is not run"
    )
    parser.add_argument("--json", action="store_true", help="facts, notes and faults as one object")
    parser.add_argument(
        "--draw",
        action="store_true",
        help="first draws nodes, cores and CPUs, and which threads of a team may run where",
    )
    parser.add_argument("--names", action="store_true", help="only the names of the faults, in one line")
    parser.add_argument(
        "--root",
        metavar="DIR",
        help="reads /proc and /sys of another machine below DIR; neither kernel nor runtime of this one is asked",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    return parser.parse_args(arguments)


def judge_program(here, program):
    """Facts and faults of the program's runtime."""
    status, lines = check_program(here, program)
    if status == ERROR:
        raise Problem(lines[-1].removeprefix("locus-check: ") if lines else f"{program}: locus-check fails")
    answer = lines[0].removeprefix(f"{program}: ")
    runtimes = [line.strip() for line in lines[1:] if line.startswith("  ")]
    cure = lines[-1].removeprefix("try: ")
    fault = Fault(
        "runtime",
        f"{program} does not use Locus' runtime: {', '.join(runtimes) or answer}",
        cure if runtimes else "link it by our clang, or gcc -fopenmp",
    )
    return ("program", f"{program}: {answer}"), [] if status == GOOD else [fault]


def examine(options, here):
    """Facts, faults, notes, and the lines of the drawing."""
    root = options.root or "/"
    if options.root and not os.path.isdir(os.path.join(root, "proc")):
        raise Problem(f"{root}: there is no folder proc in it")
    asked = {} if options.root else {"kernel": Kernel(), "runtime": Runtime(here.parent)}
    doctor = Doctor(Machine(root), Launcher(os.environ), os.environ, **asked)
    facts, faults = list(doctor.facts()), list(doctor.faults())
    if options.program:
        fact, more = judge_program(here, options.program)
        facts.append(fact)
        faults += more
    threads = doctor.runtime.threads if doctor.runtime else None
    drawing = list(draw(doctor.machine, threads)) if options.draw else []
    return facts, faults, list(doctor.notes()), drawing


def show(options, facts, faults, notes, drawing):
    if options.json:
        print(json.dumps({"facts": dict(facts), "notes": notes, "faults": [vars(fault) for fault in faults]}))
    elif options.names:
        print(" ".join(fault.name for fault in faults))
    else:
        for line in drawing:
            print(line)
        for name, text in facts:
            print(f"{name:<11} {text}")
        for text in notes:
            print(f"note: {text}")
        for fault in faults:
            print(f"fault {fault.name}: {fault.found}. Cure: {fault.cure}")
        if not faults:
            print("no fault found")
    sys.stdout.flush()


def main(arguments, here):
    prepare()
    options = parse(arguments)
    try:
        facts, faults, notes, drawing = examine(options, here)
        show(options, facts, faults, notes, drawing)
    except (Problem, OSError) as problem:
        discard_output()
        print(f"locus-doctor: {problem}", file=sys.stderr)
        return ERROR
    return FAULTY if faults else GOOD
