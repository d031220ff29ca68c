"""The figures of bench/compare: all samples, their medians and ratios, and pictures of them."""

import csv
import math
import statistics

from benchlib import BenchError
from pictures import load_pyplot, save

BEST_PEER_OF = ("stock", "stock-noyield", "libgomp")


class Figures:
    """The rows of a CSV file, one for each run of a program."""

    def __init__(self, lines=(0, math.inf)):
        """Of programs that print how long a line of memory takes from one processor to another and back, only runs count
        in which that was within `lines`, in nanoseconds."""
        self.lines = lines
        self.rows = []
        self.samples = {}  # (suite, benchmark, threads) -> contender -> [value; infinite: ran into the time limit]

    def add(self, row):
        key = (row["suite"], row["benchmark"], int(row["threads"]))
        value = math.inf if row["value"] == "timeout" else float(row["value"])
        self.rows.append(row)
        least, most = self.lines
        if float(row.get("ns_line_least") or least) >= least and float(row.get("ns_line_most") or most) <= most:
            self.samples.setdefault(key, {}).setdefault(row["contender"], []).append(value)

    def num_samples(self):
        return sum(len(values) for contenders in self.samples.values() for values in contenders.values())

    def medians(self, key):
        """Contender -> value; infinite if it ran into the time limit."""
        return {name: statistics.median(values) for name, values in self.samples.get(key, {}).items()}

    def medians_of(self, key, name):
        """Contender -> median of another line of the programs' reports."""
        values = {}
        for row in self.rows:
            if (row["suite"], row["benchmark"], int(row["threads"])) == key and row.get(name):
                values.setdefault(row["contender"], []).append(float(row[name]))
        return {contender: statistics.median(of_runs) for contender, of_runs in values.items()}

    def suites(self):
        return list(dict.fromkeys(suite for suite, _, _ in self.samples))

    @classmethod
    def read(cls, path):
        """The rows of a compare.csv."""
        figures = cls()
        try:
            with path.open(newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    figures.add(row)
        except OSError as error:
            raise BenchError(f"{path}: {error.strerror}") from None
        except (KeyError, TypeError, ValueError) as error:
            raise BenchError(f"{path} is not a file that compare wrote: {error}") from None
        if not figures.rows:
            raise BenchError(f"{path} has no figures")
        return figures


def best_peer(medians):
    peers = {name: medians[name] for name in BEST_PEER_OF if name in medians}
    return min(peers, key=peers.get) if peers else None


def gain(medians, peer, contender="ours"):
    """How many times the contender is faster; None if that cannot be said."""
    if contender not in medians or peer not in medians:
        return None
    times = (medians[contender], medians[peer])
    # A difference of two times may be negative.
    return times[1] / times[0] if all(0 < time < math.inf for time in times) else None


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def apart(some, others):
    """Whether the middle halves of two lists of values do not overlap; False for lists too short to have one."""
    if min(len(some), len(others)) < 4:
        return False
    low, _, high = statistics.quantiles(some, n=4)
    other_low, _, other_high = statistics.quantiles(others, n=4)
    return low > other_high or other_low > high


class Panel:
    """The ratios of a suite with one number of threads: time over that of the best peer."""

    def __init__(self, figures, suite, threads):
        self.threads = threads
        self.peers = {}  # benchmark -> best peer
        self.ratios = {}  # contender -> benchmark -> ratios: smallest, median, largest
        for key in figures.samples:
            if key[0] == suite and key[2] == threads:
                self._add(key[1], figures.samples[key], figures.medians(key))

    def _add(self, benchmark, samples, medians):
        peer = best_peer(medians)
        for contender in samples:
            if contender.split()[0].startswith("ours") and gain(medians, peer, contender):
                self.peers[benchmark] = peer
                # One division for all three: rounding must not put the median outside of the others.
                of_peer = [value / medians[peer] for value in samples[contender]]
                median = medians[contender] / medians[peer]
                self.ratios.setdefault(contender, {})[benchmark] = (min(of_peer), median, max(of_peer))

    def mean(self, contender):
        return geometric_mean([ratio for _, ratio, _ in self.ratios[contender].values()])


def write(axis, x, y, text, is_log):
    """Beside a bar that ends at x; legible above the line at 1 too."""
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
    x = 1.1 * max(x, 1) if is_log else x + 0.02
    axis.text(x, y, text, fontsize=7, va="center", bbox=box)


def draw_panel(axis, panel, benchmarks, contenders, is_log):
    """A bar for each benchmark and contender; below them their geometric means. On a log axis bars begin at 1."""
    height = 0.8 / len(contenders)
    left = 1 if is_log else 0
    for number, contender in enumerate(contenders):
        ratios = panel.ratios.get(contender)
        if not ratios:
            continue
        rows = [row for row, benchmark in enumerate(benchmarks) if benchmark in ratios]
        bars = [ratios[benchmarks[row]] for row in rows]
        shift = (number - (len(contenders) - 1) / 2) * height
        color = f"C{number}"
        axis.barh(
            [row + shift for row in rows],
            [ratio - left for _, ratio, _ in bars],
            height,
            left=left,
            color=color,
            label=contender,
            xerr=[
                [ratio - low for low, ratio, _ in bars],
                [high - ratio for _, ratio, high in bars],
            ],
            error_kw={"elinewidth": 0.7, "ecolor": "0.35"},
        )
        if number == 0:
            for row, (_, ratio, high) in zip(rows, bars, strict=True):
                text = f"{ratio:.2f} of {panel.peers[benchmarks[row]]}"
                write(axis, high, row + shift, text, is_log)
        mean_row = len(benchmarks) + 0.5 + shift
        mean = panel.mean(contender)
        axis.barh(mean_row, mean - left, height, left=left, color=color, hatch="//", edgecolor="white")
        write(axis, mean, mean_row, f"{mean:.2f}", is_log)
    axis.axvline(1, color="black", linewidth=1)
    axis.set_title(f"{panel.threads} thread{'s' if panel.threads > 1 else ''}", fontsize=9)


def draw_suite(figures, suite, path):
    """Bars of the time over that of the best peer, sorted, a panel for each number of threads."""
    threads = sorted({key[2] for key in figures.samples if key[0] == suite})
    panels = [panel for panel in (Panel(figures, suite, number) for number in threads) if panel.ratios]
    if not panels:
        print(f"No picture of {suite}: it shows ours beside {', '.join(BEST_PEER_OF)}, and these were not measured")
        return
    pyplot = load_pyplot()
    contenders = list(dict.fromkeys(contender for panel in panels for contender in panel.ratios))

    def middle(benchmark):
        """By what the benchmarks are sorted: the first contender's ratio, over all panels."""
        ratios = [panel.ratios.get(contenders[0], {}).get(benchmark) for panel in panels]
        return geometric_mean([ratio[1] for ratio in ratios if ratio] or [math.inf])

    benchmarks = sorted(dict.fromkeys(name for panel in panels for name in panel.peers), key=middle)
    height = 1.2 + (0.16 + 0.13 * len(contenders)) * (len(benchmarks) + 1.5)
    figure, axes = pyplot.subplots(
        1,
        len(panels),
        figsize=(2 + 4.5 * len(panels), height),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    lows, highs = zip(
        *((low, high) for panel in panels for of in panel.ratios.values() for low, _, high in of.values())
    )
    # A tenth of the peer's time can hardly be seen beside 1.
    is_log = min(lows) < 0.1
    for axis, panel in zip(axes[0], panels, strict=True):
        if is_log:
            axis.set_xscale("log")
            axis.xaxis.set_major_formatter("{x:g}")
        draw_panel(axis, panel, benchmarks, contenders, is_log)
        better = "left of 1 is better" if is_log else "shorter is better"
        axis.set_xlabel(f"time over that of the best peer ({better})", fontsize=8)
        axis.tick_params(labelsize=8)
        # Room for the text beside the longest bar.
        if is_log:
            axis.set_xlim(min(lows) / 1.5, 4 * max(1, *highs))
        else:
            axis.set_xlim(0, 1.4 * max(1, axis.dataLim.x1))
    axes[0][0].set_yticks(
        [*range(len(benchmarks)), len(benchmarks) + 0.5],
        [*benchmarks, "geometric mean"],
    )
    axes[0][0].invert_yaxis()
    if len(contenders) > 1:
        axes[0][-1].legend(loc="lower right" if is_log else "upper right", fontsize=7)
    row = figures.rows[0]
    rounds = max(len(values) for key in figures.samples if key[0] == suite for values in figures.samples[key].values())
    commit, *changes = row.get("commit", "unknown").split()
    commit = " ".join([commit[:9], *changes])
    made = f"{row.get('cpu')}, {row.get('cpus')} CPUs; commit {commit}; {row.get('date', '')[:10]}"
    figure.suptitle(f"{suite}: median, fastest and slowest of {rounds} rounds\n{made}", fontsize=9)
    save(pyplot, figure, path)
