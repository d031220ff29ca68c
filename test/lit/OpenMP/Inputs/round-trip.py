"""Prints the AST of each file as source, compiles that, and compares the IR.

usage: round-trip.py CLANG OUTPUT-FOLDER FILE...

A printed AST shows each instantiation of a template as an explicit
specialization, at another place and with another linkage. So the order of the
functions, linkage, and the numbers that clang gives to outlined functions,
identifiers and attributes are left out. The instructions have to be the same.
"""

import difflib
import os
import re
import subprocess
import sys


def functions(ir):
    """The functions of the IR, as sorted texts without what may differ."""
    ir = re.sub(r"\s#\d+|, !\S+ !\d+| comdat(\(\S+\))?", "", ir)
    ir = re.sub(r"@(\d+)\b", "@N", ir)  # ident_t and its string
    ir = re.sub(r"\(metadata !\d+\)", "(metadata !N)", ir)
    ir = re.sub(r"(omp_(?:outlined|task_entry|task_privates_map))\.[.\d]*", r"\1", ir)
    ir = re.sub(r"%(struct|union|class)\.([\w.]+?)\.\d+\b", r"%\1.\2", ir)
    ir = re.sub(r" +; preds", " ; preds", ir)  # aligned to the label's length
    define = re.compile(r"^define [^\n]*?(@[^\n]*\{\n.*?^\})", re.MULTILINE | re.DOTALL)
    return sorted(define.findall(ir))


def main():
    clang, folder, *files = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    different = False
    for path in files:
        language = "c++ -std=c++20" if path.endswith(".cpp") else "c -std=c99"
        command = [clang, "-cc1", "-fopenmp", "-w", "-DROUND_TRIP", "-x"]
        command += language.split() + ["-triple", "x86_64-unknown-linux-gnu"]
        printed = os.path.join(folder, "printed-" + os.path.basename(path))
        subprocess.run(command + ["-ast-print", path, "-o", printed], check=True)
        first, second = (
            functions(
                subprocess.run(
                    command + ["-emit-llvm", source, "-o", "-"],
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                ).stdout
            )
            for source in (path, printed)
        )
        same = first == second and len(first) > 0
        different |= not same
        name = os.path.basename(path)
        print(f"{name}: {len(first)} functions {'are the same' if same else 'DIFFER'}")
        if not same:
            print(
                "\n".join(
                    difflib.unified_diff(
                        "\n".join(first).splitlines(),
                        "\n".join(second).splitlines(),
                        path,
                        printed,
                    )
                )
            )
    sys.exit(different)


main()
