#!/usr/bin/python3
"""Tests of bench/compare, with programs that are shell scripts and take the time that they are told."""

import csv
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MATPLOTLIB = importlib.util.find_spec("matplotlib")
COMPARE = Path(__file__).resolve().parents[1] / "compare"

# What a benchmark prints. The runtime is the one that LD_LIBRARY_PATH names, as for a real one.
PROGRAM = """#!/bin/sh
{extra}
echo "program fib"
echo "check ok"
if [ "$LD_LIBRARY_PATH" ]; then runtime=$LD_LIBRARY_PATH/libomp.so; else runtime=/usr/lib/libgomp.so.1; fi
echo "runtime $runtime"
echo "threads $OMP_NUM_THREADS"
echo "seconds {seconds}"
"""


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name).resolve()
        for name in ("ours", "stock"):
            (self.top / name).mkdir()
            (self.top / name / "libomp.so").touch()
        self.write("bin", "0.3 0.1 0.2")
        self.write("clang/bin", "0.6 0.8 0.9")
        self.write("gcc/bin", "0.5 0.5 0.5")

    def write(self, folder, seconds, extra="", program="fib"):
        path = self.top / folder / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PROGRAM.format(seconds=seconds, extra=extra))
        path.chmod(0o755)

    def compare(self, *arguments, status=0):
        """Standard output and standard error of a run that must end with `status`."""
        command = [sys.executable, str(COMPARE), "--programs", ".", "--lib", "ours"]
        command += ["--stock-lib", str(self.top / "stock"), "--rounds", "2", "--threads", "2", *arguments]
        environment = {
            name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "LD_PRELOAD")
        }
        done = subprocess.run(
            command, cwd=self.top, env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def row(self, output):
        """The words of the line of fib."""
        return next(line.split() for line in output.splitlines() if line.startswith("fib "))

    def test_medians_and_gain(self):
        output = self.compare("fib", "--contenders", "ours,stock,libgomp")
        self.assertEqual(self.row(output), ["fib", "2", "0.2000", "0.8000", "0.5000", "2.50", "libgomp"])
        self.assertIn("2.50 over best peer (1), 4.00 over stock (1), 2.50 over libgomp (1)", output)

    def test_further_lines(self):
        for folder, whole in (("bin", 30), ("gcc/bin", 60)):
            lines = f"echo ns_per_task {whole}; echo ns_creation {whole}.7"
            self.write(folder, "0.1", lines, "depend-shapes")
        output = self.compare("dep-chain", "--contenders", "ours,libgomp", "--out", "out")
        table = [line.split() for line in output.splitlines()]
        self.assertIn(["dep-chain", "[ns]", "2", "30.0", "60.0", "2.00", "libgomp"], table)
        self.assertIn(["creation", "[ns]", "2", "30.7", "60.7", "1.98", "libgomp"], table)

    def test_before(self):
        (self.top / "old/install/lib").mkdir(parents=True)
        (self.top / "old/install/lib/libomp.so").touch()
        self.write("old/bench/bin", "0.1 0.1 0.1")
        several = ("fib", "--contenders", "ours", "--before", "old", "--rounds", "4")
        self.assertIn("ours over before, 2 threads: 2.000 (1); apart: fib 2.00", self.compare(*several))
        self.write("old/bench/bin", "0.2 0.2 0.2")
        self.assertIn("ours over before, 2 threads: 1.000 (1); apart: none", self.compare(*several))
        self.assertIn("missing/bench/bin/fib is not there", self.compare("fib", "--before", "missing", status=1))

    def test_rounds_alternate_and_are_kept(self):
        output = self.compare("fib", "--contenders", "ours,stock", "--out", str(self.top / "out"))
        with (self.top / "out/compare.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["contender"] for row in rows], ["ours", "stock", "ours", "stock"])
        self.assertEqual([row["round"] for row in rows], ["0", "0", "1", "1"])
        self.assertEqual(rows[1]["seconds"], "0.6 0.8 0.9")
        self.assertEqual(rows[1]["runtime"], str(self.top / "stock/libomp.so"))
        self.assertIn("OMP_NUM_THREADS=2", rows[0]["openmp"])
        for name in ("cpu", "commit", "date", "load"):
            self.assertTrue(rows[0][name], name)
        self.assertIn("Picture: " if MATPLOTLIB else "No pictures: matplotlib is missing", output)

    @unittest.skipUnless(MATPLOTLIB, "matplotlib is missing (Debian: python3-matplotlib)")
    def test_picture(self):
        self.compare("fib", "--contenders", "ours,stock,libgomp", "--out", "out")
        drawn = (self.top / "out/micro.svg").read_text()
        for text in (
            "0.40 of libgomp",
            "geometric mean",
            "2 threads",
            "micro: median, fastest and slowest of 2 rounds",
        ):
            self.assertIn(text + "<", drawn)
        output = self.compare("--plot", "out/compare.csv", "--out", "again")
        self.assertEqual(output, "Picture: again/micro.svg\n")
        self.assertEqual((self.top / "again/micro.svg").read_text(), drawn)

    def test_picture_of_nothing(self):
        (self.top / "bad.csv").write_text("suite,benchmark\nmicro,fib\n")
        for name, message in (("none.csv", "none.csv: No such file"), ("bad.csv", "not a file that compare wrote")):
            self.assertIn(message, self.compare("--plot", name, status=1))
        output = self.compare("fib", "--contenders", "ours", "--out", "out")
        self.assertIn("No picture of micro: it shows ours beside stock, stock-noyield, libgomp", output)

    def test_settings_make_a_contender(self):
        self.write("bin", "0.1", extra='[ "$KMP_TASK_QUEUES" = numa ] && OMP_NUM_THREADS=3')
        output = self.compare("fib", "--contenders", "ours", "--setting", "KMP_TASK_QUEUES=numa", status=1)
        self.assertIn("(ours KMP_TASK_QUEUES=numa, 2 threads): it ran with 3 threads", output)

    def test_no_yield_only_with_cpus(self):
        output = self.compare("fib", "--contenders", "ours,stock-noyield", "--threads", "5000")
        self.assertEqual(self.row(output), ["fib", "5000", "0.2000", "-", "-", "-"])

    def test_time_limit(self):
        self.write("clang/bin", "1", extra="exec sleep 600")
        output = self.compare("fib", "--contenders", "ours,stock", "--timeout", "1")
        self.assertEqual(self.row(output), ["fib", "2", "0.2000", ">", "1", "s", "-", "stock"])

    def test_wrong_result(self):
        self.write("bin", "1", extra="echo fib: the tasks found 3 >&2; exit 1")
        output = self.compare("fib", "--contenders", "ours", status=1)
        self.assertIn("(ours, 2 threads): exit status 1: fib: the tasks found 3", output)

    def test_wrong_runtime(self):
        self.write("bin", "1", extra="LD_LIBRARY_PATH=/elsewhere")
        self.assertIn("loaded /elsewhere/libomp.so", self.compare("fib", "--contenders", "ours", status=1))
        self.write("gcc/bin", "1", extra="LD_LIBRARY_PATH=/elsewhere")
        self.assertIn("not libgomp", self.compare("fib", "--contenders", "libgomp", status=1))

    def test_missing_program(self):
        (self.top / "gcc/bin/fib").unlink()
        output = self.compare("fib", "--contenders", "ours,libgomp", status=1)
        self.assertIn("gcc/bin/fib is not there, contender libgomp needs it: build the project first", output)

    def test_missing_peer_is_said(self):
        output = self.compare("fib", "--contenders", "ours,tbb")
        self.assertIn("SKIPPED: tbb: built only where libtbb-dev is installed", output)

    def test_bad_options(self):
        for arguments, status, message in (
            (["nothing"], 1, "no suite or benchmark 'nothing'; --list names them"),
            (["--contenders", "icc"], 1, "no contender 'icc'; there are ours,"),
            (["--threads", "0"], 2, "argument --threads: '0' is not a whole number from 1"),
            (["--setting", "PATH=x"], 2, "'PATH=x' is not KMP_...=VALUE or OMP_...=VALUE"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.compare(*arguments, status=status))

    def test_untied(self):
        self.write("bin", "0.3", program="fib-untied")
        output = self.compare("fib", "--untied", "--contenders", "ours")
        self.assertIn(["fib-untied", "2", "0.3000", "-", "-"], [line.split() for line in output.splitlines()])
        output = self.compare("steal", "--untied", "--contenders", "ours", status=1)
        self.assertIn("--untied: steal has no version with untied tasks", output)

    def test_sizes(self):
        self.write("bin", "0.1", extra='[ "$*" = "-n 40" ] || { echo "got $*" >&2; exit 1; }')
        self.compare("fib", "--size", "paper", "--contenders", "ours")
        self.assertIn("got -n 30", self.compare("fib", "--contenders", "ours", status=1))
        self.assertIn("got -n 12 -r 1", self.compare("fib", "--size", "small", "--contenders", "ours", status=1))

    def test_reader_that_leaves(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            run = subprocess.run(
                [sys.executable, str(COMPARE), "--list"], stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
            )
        self.assertEqual((run.returncode, run.stderr), (1, ""))

    def test_list(self):
        output = self.compare("--list")
        for word in ("micro:", "taskpool:", "depend:", "apps:", "loops:", "cutoff:", "sparselu-for", "prodcons -p 1"):
            self.assertIn(word, output)

    def test_lines(self):
        """Runs count by how far apart the processors were; the others stay in the file."""
        near, far = (f'echo "ns_line_least {ns}"; echo "ns_line_most {ns + 10}"' for ns in (40, 200))
        self.write("bin", "0.3", near)
        self.write("clang/bin", "0.5", far)
        output = self.compare("fib", "--contenders", "ours,stock", "--lines", "30-60", "--out", str(self.top / "out"))
        self.assertIn("2 of 4 runs do not count", output)
        self.assertNotIn("0.5000", output)
        with (self.top / "out/compare.csv").open(encoding="utf-8") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 4)
        for bad in ("60-30", "30", "a-b"):
            self.compare("fib", "--lines", bad, status=2)


if __name__ == "__main__":
    unittest.main()
