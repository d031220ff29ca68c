// Which task waits for which, and the longest chain, as lines over the timeline.
"use strict";

const MAX_ARROWS = 1000, MAX_POINTS = 4000; // drawn at once

/// The first place of a sorted array from which on the values are not less.
function lowerBound(length, valueAt, value) {
  let low = 0, high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) < value) low = middle + 1; else high = middle;
  }
  return low;
}

/// Of each dependence the task that comes first, and the one that waits for it, by the second.
class Arrows {
  constructor(slices, first, second, times, rows) {
    Object.assign(this, { slices, first, second, times, rows });
  }

  static async from({ arrows }, slices) {
    const numbers = await Promise.all([arrows.first, arrows.second, arrows.chainRows].map((text) => unpack(text)));
    return new Arrows(slices, numbers[0], numbers[1], await unpack(arrows.chainTimes, Float64Array), numbers[2]);
  }

  /// The slices in which each task begins and ends.
  find() {
    if (this.begins) return;
    this.begins = new Map();
    this.ends = new Map();
    const { tasks, begins, ends } = this.slices;
    for (let at = 0; at < tasks.length; ++at) {
      const task = tasks[at];
      if (!task) continue;
      if (!(begins[this.begins.get(task)] <= begins[at])) this.begins.set(task, at);
      if (!(ends[this.ends.get(task)] >= ends[at])) this.ends.set(task, at);
    }
    this.byFirst = Uint32Array.from(this.first.keys()).sort((a, b) => this.first[a] - this.first[b]);
  }

  /// The dependences of what a task waits for.
  into(task) {
    const found = [];
    for (let at = lowerBound(this.second.length, (i) => this.second[i], task); this.second[at] === task; ++at) found.push(at);
    return found;
  }

  /// Those of what waits for it.
  outOf(task) {
    this.find();
    const found = [], valueAt = (i) => this.first[this.byFirst[i]];
    for (let at = lowerBound(this.byFirst.length, valueAt, task); valueAt(at) === task; ++at) found.push(this.byFirst[at]);
    return found;
  }

  of(task) { return [...this.into(task), ...this.outOf(task)]; }

  /// Those of all tasks that are in view, null if these are too many.
  inView({ from, to, low, high }) {
    this.find();
    const found = new Set();
    this.slices.each(from, to, low, high, (at) => {
      const task = this.slices.tasks[at];
      if (task && found.size <= MAX_ARROWS) for (const arrow of this.of(task)) found.add(arrow);
    });
    return found.size > MAX_ARROWS ? null : [...found];
  }

  /// The points of these dependences: from the end of a task to the beginning of the other one, which may not be known.
  points(arrows) {
    this.find();
    const x = [], y = [], size = [];
    for (const arrow of arrows) {
      const begin = this.ends.get(this.first[arrow]), end = this.begins.get(this.second[arrow]);
      if (begin === undefined || end === undefined) continue;
      x.push(this.slices.ends[begin] / 1e9, this.slices.begins[end] / 1e9, null);
      y.push(this.slices.rowOf(begin), this.slices.rowOf(end), null);
      size.push(0, 9, 0);
    }
    return { x, y, size };
  }

  /// The points of the longest chain in view, and one on each side; of several within a pixel the last one.
  chain({ from, to }) {
    const { times, rows } = this;
    const first = Math.max(0, lowerBound(times.length, (i) => times[i], from) - 1);
    const behind = Math.min(times.length, lowerBound(times.length, (i) => times[i], to) + 2);
    const x = [], y = [], least = (to - from) / MAX_POINTS;
    const few = behind - first <= MAX_POINTS;
    for (let at = first; at < behind; ++at) {
      if (!few && at + 1 < behind && times[at + 1] - (x.length ? x.at(-1) * 1e9 : -Infinity) < least) continue;
      x.push(times[at] / 1e9);
      y.push(rows[at]);
    }
    return { x, y, size: x.map(() => 0) };
  }
}

/// A line that can be seen on all colours: it has a rim. Time goes to the right, and so do the heads.
function drawLine({ x, y, size }, name, width, { text, back }) {
  const line = { type: "scatter", x, y, hoverinfo: "skip" };
  return [
    { ...line, mode: "lines", line: { color: back, width: width + 2.5 }, showlegend: false },
    { ...line, mode: "lines+markers", name, line: { color: text, width }, marker: { symbol: "triangle-right", size, color: text, opacity: 1, line: { color: back, width: size.map((s) => (s ? 1 : 0)) } } },
  ];
}
