#!/usr/bin/python3
"""Tests of lab/study/plot: the committed figures can be drawn, and what cannot is said."""

import csv
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAPERS = TOP / "lab/papers"


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is missing (Debian: python3-matplotlib)")
class PlotTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)

    def plot(self, *arguments):
        command = [sys.executable, str(TOP / "lab/study/plot"), "--out", str(self.out), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_all_are_drawn_with_the_papers_points(self):
        done = self.plot()
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = {path.stem: path.read_text(encoding="utf-8") for path in self.out.glob("*.svg")}
        names = {"paper-libkomp", "paper-mpc", "paper-ompi", "paper-placed", "paper-pool", "paper-wool"}
        self.assertEqual(set(drawn), names)
        for name in names - {"paper-libkomp", "paper-placed"}:  # The paper's text gives no points.
            self.assertIn("the paper", drawn[name], name)
        for name in names:  # They are those that docs/papers.md shows.
            self.assertIn(f"plots/{name}.svg", (TOP / "docs/papers.md").read_text(encoding="utf-8"))
            self.assertTrue((TOP / f"docs/plots/{name}.svg").exists())

    def test_without_figures(self):
        done = self.plot(self.out)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^plot: error: .*: no runs in predicted-.*csv")
        (self.out / "predicted-jacobi.csv").write_bytes((PAPERS / "predicted-jacobi.csv").read_bytes())
        done = self.plot(self.out)
        self.assertRegex(done.stderr, "^plot: error: .*figures.csv: No such file")


class FiguresTest(unittest.TestCase):
    def test_each_point_cites_its_paper(self):
        with (PAPERS / "figures.csv").open(newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                self.assertIn(row["paper"], ("000", "001", "002", "003", "004"))
                self.assertTrue(row["text"] and float(row["y"]), row)


if __name__ == "__main__":
    unittest.main()
