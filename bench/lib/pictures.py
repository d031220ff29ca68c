"""What draws under bench/ share: matplotlib, set up so that the same figures give the same file."""

from benchlib import BenchError


def load_pyplot():
    """matplotlib.pyplot."""
    try:
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        raise BenchError("matplotlib is missing: install Debian's python3-matplotlib") from None
    # Neither random names, nor text as curves.
    pyplot.rcParams.update({"svg.hashsalt": "bench", "svg.fonttype": "none"})
    return pyplot


def save(pyplot, figure, path):
    """Writes the picture and says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    print(f"Picture: {path}")
