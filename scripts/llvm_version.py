"""The LLVM that everything is built on by default, as cmake/llvm-version says."""

from pathlib import Path

_LIST = Path(__file__).resolve().parent.parent / "cmake/llvm-version"
_DEFAULT = next(line for line in _LIST.read_text().splitlines() if line[:1].isdigit())

LLVM_MAJOR, LLVM_VERSION, _ = _DEFAULT.split()
LLVM_PREFIX = f"/usr/lib/llvm-{LLVM_MAJOR}"
