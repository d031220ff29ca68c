"""The version of Locus, from the one file that says it."""

import importlib.metadata
from pathlib import Path


def version():
    """What --version prints behind the tool's name."""
    here = Path(__file__).resolve().parent
    for folder in (here, here.parent):  # installed in share/locus; in the sources
        if (folder / "VERSION").is_file():
            return (folder / "VERSION").read_text(encoding="ascii").strip()
    try:
        return importlib.metadata.version("locus-trace")  # installed by pip
    except importlib.metadata.PackageNotFoundError:
        raise FileNotFoundError(f"{here / 'VERSION'}: the installation is not complete") from None
