#!/usr/bin/env python3
"""conda-recipe.py RECIPE VERSION ARCHIVE: what the conda recipe says of versions and files is so in an archive."""

import re
import sys
from pathlib import Path

recipe, version, archive = Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2], Path(sys.argv[3])
context = dict(re.findall(r'^  (\w+): "?([\w.]+)"?$', recipe.split("\nrecipe:")[0], re.MULTILINE))
assert context["version"] == version, f"the recipe is for {context['version']}, and this is {version}"
header = (archive / "include/omp-tools.h").is_file() and (archive / "include/omp.h").is_file()
assert header, "no headers"

# Files that each output must have, and the folders and files that its script copies: every one is in one output.
outputs = recipe.split("\n  - package:")[1:]
copied = []
for output in outputs:
    listed = re.findall(r"^            - (\S+)$", output, re.MULTILINE)
    assert listed, "an output names no files"
    sources = [
        path
        for words in re.findall(r"^        - cp -\w+ (.*) \"\$PREFIX", output, re.MULTILINE)
        for pattern in words.split()
        for path in archive.glob(pattern)
    ]
    files = {
        str(file.relative_to(archive))
        for path in sources
        for file in (path.rglob("*") if path.is_dir() and not path.is_symlink() else [path])
        if file.is_symlink() or file.is_file()
    }
    missing = [name for name in listed if name not in files]
    assert not missing, f"not in the archive, or not copied: {missing}"
    copied.append(files)
both = set.intersection(*copied)
assert not both, f"in two outputs: {sorted(both)}"
print("outputs:", *(re.search(r"name: (\S+)", output)[1] for output in outputs))
