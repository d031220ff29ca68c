// Draws the page with plotly.js.
"use strict";

// What is drawn at once: one bar for each slice up to MAX_BARS of them in view, else a grid of at most MAX_CELLS.
const MAX_BARS = 3000, MAX_CELLS = 400000, MAX_PARTS = 1200, PIXELS = 1000;
const BAR = 0.86; // of a row
const NAMED = 9; // constructs with a colour of their own
const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a5195", "#8c6d31", "#17becf"];
const OTHER = "#555e68", LOCAL = "#1f77b4", REMOTE = "#d62728", UNKNOWN = "#7f7f7f";
const THEMES = {
  light: { text: "#1f2933", line: "#52606d", grid: "#e4e7eb", back: "#ffffff", low: "#f4f6f8", high: "#08306b", states: ["#ffffff", OTHER, "#b7d7a8", "#e8e8e8", "#f6e3b4", "#f5f5f5"] },
  dark: { text: "#d9e2ec", line: "#829ab1", grid: "#2c3640", back: "#151a20", low: "#1c2530", high: "#6baed6", states: ["#151a20", OTHER, "#4c6b40", "#3b444e", "#6e6236", "#262d35"] },
};
const DARK = matchMedia("(prefers-color-scheme: dark)");
const theme = () => THEMES[DARK.matches ? "dark" : "light"];
/// What all pictures have in common: the page's colours, and a toolbar beside, not above them.
const frame = () => ({
  paper_bgcolor: theme().back, plot_bgcolor: theme().back, font: { color: theme().text },
  modebar: { orientation: "v", bgcolor: theme().back, color: theme().line, activecolor: theme().text },
});
/// An axis of time in seconds: its ticks have the unit that fits, 5ms say.
const timeAxis = (rest) => ({ ...axis(rest), exponentformat: "SI", minexponent: 0, ticksuffix: "s" });
const axis = (rest) => ({ gridcolor: theme().grid, zeroline: false, ...rest });
const CONFIG = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };

const get = (id) => document.getElementById(id);
/// Plotly reads some HTML in its texts.
const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const count = (number) => number.toLocaleString("en");

function duration(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
    if (ns >= size) return `${(ns / size).toPrecision(4)} ${unit}`;
  return `${Math.round(ns)} ns`;
}

class Page {
  constructor(data, slices, arrows) {
    Object.assign(this, { data, slices, arrows });
    this.range = null;
    this.picked = 0; // the number of a task
    this.wanted = "";
    this.makeClasses("data");
  }

  isWanted(construct) { return construct.label.toLowerCase().includes(this.wanted); }

  /// The classes that have a colour, by what is asked for: "data" or "construct", or those whose names have the text wanted.
  makeClasses(by) {
    const { data } = this;
    if (this.wanted) by = "wanted";
    const states = data.states.map((name, state) => ({ name, colour: theme().states[state] }));
    const tasks = by === "wanted" ? [[`constructs with "${this.wanted}"`, REMOTE], ["other tasks", UNKNOWN]] : by === "data"
      ? [["data on the same node", LOCAL], ["data on another node", REMOTE], ["location unknown", UNKNOWN]]
      : data.constructs.slice(0, NAMED).map((c, i) => [c.label, PALETTE[i]]).concat([["other constructs", OTHER]]);
    this.classes = states.concat(tasks.map(([name, colour]) => ({ name, colour })));
    this.classOf = data.kinds.map(([state, construct, node, home]) => {
      if (state !== TASKS) return state;
      if (by === "data") return states.length + (home < 0 || home === null ? 2 : home === node ? 0 : 1);
      if (by === "wanted") return states.length + (construct >= 0 && this.isWanted(data.constructs[construct]) ? 0 : 1);
      return states.length + (construct < 0 ? tasks.length - 1 : Math.min(construct, tasks.length - 1));
    });
    const used = new Set(this.classOf);
    this.classes.forEach((c, number) => { c.used = number !== OUTSIDE && used.has(number); });
  }

  nodeName(node) { return this.data.nodeNames[node] ?? "?"; }

  rowName(row) {
    const { process, thread, node, tid } = this.data.rows[row];
    return `${process ? `${process}, ` : ""}node ${this.nodeName(node)}, thread ${thread ?? `(${tid})`}`;
  }

  /// From the first thing that is known of a thread to the last one, in seconds: threads also say when they wake up to end.
  whole() {
    const { slices, data } = this;
    let [begin, end] = [data.ns, 0];
    for (let row = 0; row < slices.rows(); ++row) {
      let [first, last] = [slices.first[row], slices.first[row + 1] - 1];
      const isOutside = (at) => data.kinds[slices.kinds[at]][0] === OUTSIDE;
      while (first <= last && isOutside(first)) ++first;
      while (first <= last && isOutside(last)) --last;
      if (first <= last) [begin, end] = [Math.min(begin, slices.begins[first]), Math.max(end, slices.ends[last])];
    }
    return begin < end ? [begin / 1e9, end / 1e9] : [0, Math.max(data.ns, 1) / 1e9];
  }

  /// Bounds of what is in view: times in ns, and rows.
  view() {
    const rows = this.slices.rows(), { ns } = this.data;
    const [from, to] = this.range?.x ?? this.whole();
    const [bottom, top] = this.range?.y ?? [-0.5, rows - 0.5];
    const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
    return {
      from: clamp(from * 1e9, 0, ns), to: clamp(to * 1e9, 0, ns),
      low: clamp(Math.ceil(Math.min(bottom, top) - BAR / 2), 0, Math.max(0, rows - 1)),
      high: clamp(Math.floor(Math.max(bottom, top) + BAR / 2), 0, rows - 1),
    };
  }

  whatIs(at) {
    const [state, construct, node, home] = this.data.kinds[this.slices.kinds[at]];
    const length = duration(this.slices.ends[at] - this.slices.begins[at]);
    if (state !== TASKS) return `${this.data.states[state]}, ${length}`;
    const task = this.slices.tasks[at] ? `task ${this.slices.tasks[at]}` : "several tasks, most of them";
    const where = home === null || home < 0 ? "location of its data unknown" : `its data on node ${this.nodeName(home)}`;
    return `${task}, ${construct < 0 ? "?" : this.data.constructs[construct].label}, ${length}; ran on node ${this.nodeName(node)}, ${where}`;
  }

  bars({ from, to, low, high }) {
    const traces = this.classes.map(({ name, colour }) => ({
      type: "bar", orientation: "h", name: plain(name), base: [], x: [], y: [], customdata: [], showlegend: false,
      marker: { color: colour, line: { color: [], width: 1 } }, width: BAR, hoverinfo: "none",
    }));
    this.slices.each(from, to, low, high, (at, row) => {
      const trace = traces[this.classOf[this.slices.kinds[at]]];
      trace.base.push(this.slices.begins[at] / 1e9);
      trace.x.push((this.slices.ends[at] - this.slices.begins[at]) / 1e9);
      trace.y.push(row);
      trace.customdata.push(at);
      // What is shorter than a pixel is drawn as wide as one.
      const wide = (this.slices.ends[at] - this.slices.begins[at]) * PIXELS > 4 * (to - from);
      trace.marker.line.color.push(wide ? theme().back : trace.marker.color);
    });
    return traces.filter((trace) => trace.x.length);
  }

  grid({ from, to, low, high }) {
    const parts = Math.max(50, Math.min(MAX_PARTS, Math.floor(MAX_CELLS / (high - low + 1))));
    const width = (to - from) / parts, last = this.classes.length - 1;
    return {
      type: "heatmap", z: this.slices.overview(from, to, low, high, parts, this.classOf, last + 1),
      x0: (from + width / 2) / 1e9, dx: width / 1e9, y0: low, dy: 1, zmin: 0, zmax: last, showscale: false, hoverinfo: "none",
      ygap: high - low < 100 ? 1.5 : 0,
      colorscale: this.classes.flatMap(({ colour }, i) => [[i / (last + 1), colour], [(i + 1) / (last + 1), colour]]),
    };
  }

  legend() {
    return this.classes.filter((c) => c.used).map(({ name, colour }) => ({
      type: "scatter", mode: "markers", x: [null], y: [null], name: plain(name), marker: { color: colour, symbol: "square", size: 12 },
    }));
  }

  /// What the choice of arrows asks for, and what there is to say of it.
  lines(view) {
    const { arrows } = this, choice = get("arrows").value, draw = (points, name, width) => drawLine(points, name, width, theme());
    if (choice === "chain")
      return arrows.times.length ? [draw(arrows.chain(view), "longest chain", 2.5), ""] : [[], "The trace has no chain of tasks."];
    if (this.data.arrows.omitted) return [[], `The page has none of the run's ${count(this.data.arrows.omitted)} dependences: they are too many.`];
    const found = choice === "all" ? arrows.inView(view) : this.picked ? arrows.of(this.picked) : [];
    if (!found) return [[], `More than ${count(MAX_ARROWS)} dependences: zoom in to see them.`];
    const said = choice !== "picked" || !this.picked ? ""
      : `Task ${this.picked} waits for ${count(arrows.into(this.picked).length)} tasks, and ${count(arrows.outOf(this.picked).length)} wait for it.`;
    return [found.length ? draw(arrows.points(found), "dependence", 1.2) : [], said];
  }

  layout({ low, high }) {
    const rows = this.slices.rows();
    const borders = [], groups = new Map(); // rows by process, in a trace of several, else by node
    for (let row = 0; row < rows; ++row) {
      const { process, node } = this.data.rows[row], before = this.data.rows[row - 1];
      if (row > 0 && (node !== before.node || process !== before.process)) borders.push(row - 0.5);
      const group = process || `node ${this.nodeName(node)}`;
      groups.set(group, (groups.get(group) ?? []).concat(row));
    }
    const single = high - low < 40;
    const ticks = single ? [...Array(Math.max(0, high - low + 1)).keys()].map((row) => low + row) : [...groups.values()].map((of) => (of[0] + of[of.length - 1]) / 2);
    const texts = single ? ticks.map((row) => plain(this.rowName(row))) : [...groups.keys()].map(plain);
    return {
      ...frame(), height: Math.min(900, Math.max(260, 120 + rows * 24)), margin: { l: 130, r: 45, t: 10, b: 45 }, barmode: "overlay", hovermode: "closest",
      dragmode: "zoom", legend: { orientation: "h", y: 1.02, yanchor: "bottom", itemclick: false, itemdoubleclick: false },
      xaxis: timeAxis({ range: this.range?.x ?? this.whole() }),
      yaxis: axis({ tickvals: ticks, ticktext: texts, automargin: true, range: this.range?.y ?? [rows - 0.5, -0.5], showgrid: false }),
      shapes: borders.map((y) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { color: theme().line, width: 1 } })),
    };
  }

  /// One after the other: plotly.js cannot draw twice at once.
  draw() {
    this.drawn = (this.drawn ?? Promise.resolve()).catch(() => {}).then(() => this.drawView());
    return this.drawn;
  }

  async drawView() {
    const view = this.view();
    const inView = this.slices.count(view.from, view.to, view.low, view.high);
    const single = inView <= MAX_BARS;
    const traces = single ? this.bars(view) : [this.grid(view)];
    get("level").textContent = single
      ? "Each bar is one task, or one wait; it is at least a pixel wide."
      : `${count(inView)} slices of time: each cell shows what took most of it. Zoom in to see single tasks.`;
    const [lines, said] = this.lines(view);
    get("arrows-note").textContent = said;
    get("range").textContent = this.describeView(view);
    const shown = view.high - view.low + 1;
    get("threads").value = shown === this.slices.rows() ? "all" : shown;
    const layout = this.layout(view);
    get("timeline").style.height = `${layout.height}px`; // plotly.js asks for it when the window changes
    await Plotly.react("timeline", traces.concat(lines, this.legend()), layout, CONFIG);
    document.body.dataset.level = single ? "bars" : "grid";
    document.body.dataset.bars = single ? traces.reduce((sum, trace) => sum + trace.x.length, 0) : 0;
  }

  /// What the threads did in the part of the run that is in view.
  describeView({ from, to, low, high }) {
    const times = new Float64Array(this.classes.length), tasks = new Set();
    const ofConstruct = new Float64Array(this.data.constructs.length);
    this.slices.each(from, to, low, high, (at) => {
      const took = Math.min(this.slices.ends[at], to) - Math.max(this.slices.begins[at], from);
      const [state, construct] = this.data.kinds[this.slices.kinds[at]];
      times[this.classOf[this.slices.kinds[at]]] += took;
      if (state === TASKS && construct >= 0) ofConstruct[construct] += took;
      if (this.slices.tasks[at]) tasks.add(this.slices.tasks[at]);
    });
    const all = (to - from) * (high - low + 1) || 1;
    const parts = this.classes.map(({ name }, number) => [name, times[number]]).filter(([, ns]) => ns > 0).sort((a, b) => b[1] - a[1]);
    const shares = parts.map(([name, ns]) => `${name} ${(100 * ns / all).toFixed(1)} %`).join(", ");
    const most = [...ofConstruct.keys()].filter((c) => ofConstruct[c] > 0).sort((a, b) => ofConstruct[b] - ofConstruct[a]).slice(0, 4);
    const constructs = most.map((c) => `${this.data.constructs[c].label} ${duration(ofConstruct[c])}`).join(", ");
    return `In view: ${duration(to - from)} of ${count(high - low + 1)} threads, ${count(tasks.size)} tasks: ${shares}.`
      + (constructs && ` Most time: ${constructs}.`);
  }

  /// Of a cell: what took most of its time.
  describeCell(time, row) {
    const div = get("timeline"), pixels = div._fullLayout.xaxis._length;
    const view = this.view(), half = (view.to - view.from) / pixels;
    const sums = new Map(), tasks = new Set();
    this.slices.each(time - half, time + half, row, row, (at) => {
      const took = Math.min(this.slices.ends[at], time + half) - Math.max(this.slices.begins[at], time - half);
      const [state, construct] = this.data.kinds[this.slices.kinds[at]];
      const name = state === TASKS ? this.data.constructs[construct]?.label ?? "?" : this.data.states[state];
      sums.set(name, (sums.get(name) ?? 0) + took);
      if (this.slices.tasks[at]) tasks.add(this.slices.tasks[at]);
    });
    const at = this.slices.find(row, time);
    if (tasks.size <= 1 && at < this.slices.first[row + 1]) return this.whatIs(at);
    const parts = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 4);
    return `${tasks.size} tasks; ` + parts.map(([name, took]) => `${name} ${(took / half * 50).toFixed(0)} %`).join(", ");
  }

  /// The task at a point, 0 if there is none.
  taskAt(point) {
    const row = Math.round(point.y);
    const at = point.customdata ?? this.slices.find(row, point.x * 1e9);
    return at < this.slices.first[row + 1] ? this.slices.tasks[at] : 0;
  }

  pick({ points: [point] }) {
    this.picked = this.taskAt(point);
    return get("arrows").value === "picked" ? this.draw() : null;
  }

  hover({ points }) {
    const [point] = points;
    const row = Math.round(point.y);
    const what = point.customdata !== undefined ? this.whatIs(point.customdata) : this.describeCell(point.x * 1e9, row);
    const time = point.customdata !== undefined ? this.slices.begins[point.customdata] / 1e9 : point.x;
    get("detail").textContent = `${this.rowName(row)}, at ${time.toFixed(9)} s: ${what}`;
  }

  /// Moves what is in view by a part of its width, and makes it so many times as wide.
  move(part, factor) {
    const [begin, end] = this.range?.x ?? this.whole(), width = end - begin;
    const middle = begin + width * (0.5 + part), half = width * factor / 2;
    this.range = { x: [middle - half, middle + half], y: this.range?.y };
    return this.draw();
  }

  /// So many threads, around the middle of those in view.
  showThreads(wanted) {
    const rows = this.slices.rows(), { low, high } = this.view();
    const number = Math.min(Math.max(wanted, 1), rows);
    const first = Math.min(Math.max(Math.round((low + high + 1 - number) / 2), 0), rows - number);
    this.range = { x: this.range?.x, y: [first + number - 0.5, first - 0.5] };
    return this.draw();
  }

  /// Up or down by half of what is in view.
  moveThreads(up) {
    const { low, high } = this.view(), number = high - low + 1;
    const way = Math.max(1, number >> 1);
    const first = Math.min(Math.max(low + (up ? -way : way), 0), this.slices.rows() - number);
    this.range = { x: this.range?.x, y: [first + number - 0.5, first - 0.5] };
    return this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    const moves = { ArrowLeft: [-0.25, 1], ArrowRight: [0.25, 1], "+": [0, 0.5], "=": [0, 0.5], "-": [0, 2] };
    if (event.key === "0") { this.range = null; this.draw(); }
    else if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") this.moveThreads(event.key === "ArrowUp");
    else if (event.key === "[" || event.key === "]") {
      const { low, high } = this.view(), number = high - low + 1;
      this.showThreads(event.key === "[" ? Math.ceil(number / 2) : 2 * number);
    }
    else return;
    event.preventDefault();
  }

  /// Shows again what depends on the choices above the timeline.
  choose() {
    this.wanted = get("search").value.trim().toLowerCase();
    this.makeClasses(get("colours").value);
    fillTable(this.data, this.data.constructs.filter((construct) => this.isWanted(construct)));
    return this.draw();
  }

  zoom(change) {
    if (change["xaxis.autorange"] || change["yaxis.autorange"]) this.range = null;
    else if (Object.keys(change).some((key) => /^[xy]axis\.range/.test(key))) {
      const { xaxis, yaxis } = get("timeline")._fullLayout;
      this.range = { x: xaxis.range.slice(), y: yaxis.range.slice() };
    } else return null;
    return this.draw();
  }
}

function drawMatrix({ matrix, nodes, nodeNames }) {
  get("matrix-note").textContent = matrix.length
    ? "Time of the tasks whose data has a known place, in percent of all of it. What is off the diagonal was remote."
    : "The trace does not say where data was. It does on a machine with several nodes (not a pretended one), for tasks with dependences or hints to data.";
  get("matrix").parentElement.classList.toggle("bare", !matrix.length); // no half of the page is empty
  get("matrix").hidden = !matrix.length;
  if (!matrix.length) return null;
  const at = new Map(nodes.map((node, index) => [node, index]));
  const shares = nodes.map(() => nodes.map(() => 0)), texts = nodes.map(() => nodes.map(() => "no tasks"));
  const total = matrix.reduce((sum, [, , , ns]) => sum + ns, 0) || 1;
  for (const [node, home, tasks, ns] of matrix) {
    shares[at.get(node)][at.get(home)] = 100 * ns / total;
    texts[at.get(node)][at.get(home)] = `${count(tasks)} tasks, ${duration(ns)}`;
  }
  const names = nodes.map((node) => plain(nodeNames[node]));
  const most = Math.max(...shares.flat());
  const annotations = nodes.length > 8 ? [] : shares.flatMap((line, y) => line.map((share, x) => ({
    x: names[x], y: names[y], text: share.toFixed(1), showarrow: false, font: { color: share > most / 2 ? theme().back : theme().text },
  })));
  return Plotly.react("matrix", [{
    type: "heatmap", z: shares, x: names, y: names, text: texts, zmin: 0, zmax: most, xgap: 1, ygap: 1,
    colorscale: [[0, theme().low], [1, theme().high]], colorbar: { ticksuffix: " %" },
    hovertemplate: "ran on node %{y}, data on node %{x}<br>%{z:.2f} %, %{text}<extra></extra>",
  }], {
    ...frame(), height: 420, margin: { l: 60, r: 45, t: 10, b: 45 }, annotations,
    xaxis: axis({ title: { text: "node of the data" }, type: "category", constrain: "domain" }),
    yaxis: axis({ title: { text: "node of the task" }, type: "category", autorange: "reversed", scaleanchor: "x", constrain: "domain" }),
  }, { ...CONFIG, displayModeBar: false }); // the scale is there
}

/// How many lists there were when, and what was lost: only of a team that adapts.
function drawLists({ lists, ns }) {
  if (!lists.length) return null;
  get("lists-section").hidden = false;
  const seconds = lists.map(([time]) => time / 1e9);
  // Each decision ends what was measured, and begins what it decided.
  const number = { x: [0, ...seconds, ns / 1e9], y: [lists[0][1], ...lists.map(([, , now]) => now), lists.at(-1)[2]] };
  const share = (name, column, color) => ({
    type: "scatter", mode: "lines", line: { shape: "vh", color }, name, x: seconds, y: lists.map((row) => row[column] / 10), yaxis: "y2",
    hovertemplate: "%{y:.1f} %",
  });
  return Plotly.react("lists", [
    { type: "scatter", mode: "lines", line: { shape: "hv", color: PALETTE[0], width: 3 }, name: "lists", ...number, hovertemplate: "%{y}" },
    share("access to lists", 3, PALETTE[1]), share("waiting for tasks", 4, PALETTE[3]),
  ], {
    ...frame(), height: 320, margin: { l: 60, r: 75, t: 10, b: 45 }, hovermode: "x unified", legend: { orientation: "h", y: 1.02, yanchor: "bottom" },
    xaxis: timeAxis({ range: [0, ns / 1e9] }),
    yaxis: axis({ title: { text: "lists" }, type: "log", dtick: Math.log10(2) }),
    yaxis2: axis({ title: { text: "of the threads' time" }, overlaying: "y", side: "right", range: [0, 100], ticksuffix: " %", showgrid: false }),
  }, { ...CONFIG, displayModeBar: false }); // the scale is there
}

/// 1, 10, 100 of a unit, over less than two decades 2 and 5, too, with their units: plotly would write one of them, or bare digits.
function durationTicks([low, high]) {
  const seconds = [];
  for (let decade = Math.floor(low); decade <= high; ++decade)
    for (const digit of high - low < 2 ? [1, 2, 5] : [1]) seconds.push(digit * 10 ** decade);
  return { tickvals: seconds, ticktext: seconds.map((s) => duration(s * 1e9).replace(/\.0+ /, " ")) };
}

function drawDurations({ constructs, binsOfOctave }) {
  const edge = (bin) => 2 ** (bin / binsOfOctave) / 1e9;
  const numbers = constructs.flatMap((c) => c.bins.map(([bin]) => bin));
  const range = [Math.min(...numbers), Math.max(...numbers) + 1].map((bin) => Math.log10(edge(bin)));
  const shown = constructs.slice(0, NAMED), rest = constructs.slice(NAMED);
  const bars = shown.map((c, i) => ({ name: c.label, colour: PALETTE[i], bins: c.bins }));
  if (rest.length) bars.push({ name: "other constructs", colour: OTHER, bins: rest.flatMap((c) => c.bins) });
  return Plotly.react("durations", bars.map(({ name, colour, bins }) => ({
    type: "bar", name: plain(name), marker: { color: colour }, x: bins.map(([bin]) => edge(bin + 0.5)), y: bins.map(([, tasks]) => tasks),
    width: bins.map(([bin]) => edge(bin + 1) - edge(bin)), hovertemplate: "about %{x}: %{y} tasks",
  })), {
    ...frame(), height: 420, margin: { l: 60, r: 45, t: 10, b: 45 }, barmode: "stack", showlegend: true, legend: { orientation: "h", y: 1.02, yanchor: "bottom" },
    xaxis: timeAxis({ type: "log", ...(numbers.length && { range, ...durationTicks(range) }) }), yaxis: axis({ title: { text: "tasks" } }),
  }, CONFIG);
}

/// The duration below which that part of the tasks is, in ns; to the width of a bin.
function quantile(bins, part, binsOfOctave) {
  let left = part * bins.reduce((sum, [, tasks]) => sum + tasks, 0);
  for (const [bin, tasks] of bins) {
    left -= tasks;
    if (left <= 0) return 2 ** ((bin + 0.5) / binsOfOctave);
  }
  return 0;
}

function fillTable({ binsOfOctave }, constructs) {
  const mean = ([tasks, ns]) => (tasks ? duration(ns / tasks) : "");
  const columns = [
    ["time", (c) => duration(c.seconds * 1e9)], ["tasks", (c) => count(c.tasks)], ["each", (c) => mean([c.tasks, c.seconds * 1e9])],
    ["median, about", (c) => (c.bins.length ? duration(quantile(c.bins, 0.5, binsOfOctave)) : "")], ["placed", (c) => count(c.placed)],
    ["away", (c) => count(c.away)], ["stolen", (c) => count(c.stolen)], ["local", (c) => count(c.local[0])], ["each", (c) => mean(c.local)],
    ["remote", (c) => count(c.remote[0])], ["each", (c) => mean(c.remote)], ["unknown", (c) => count(c.unknown)], ["construct", (c) => c.label],
  ];
  const addRow = (tag, texts) => {
    const row = get("constructs").insertRow();
    for (const text of texts) row.appendChild(document.createElement(tag)).textContent = text;
  };
  get("constructs").replaceChildren();
  addRow("th", columns.map(([name]) => name));
  for (const c of constructs.slice(0, 200)) addRow("td", columns.map(([, value]) => value(c)));
}

function describeRun(data) {
  const { counts } = data;
  document.title = `${data.file}: locus-trace`;
  get("title").textContent = `${data.program} on ${data.host}` + (data.rank >= 0 ? `, rank ${data.rank}` : "");
  const whose = counts.processes > 1 ? `${counts.processes} processes` : `process ${data.process}`;
  get("about").textContent = `${data.file}, ${whose}: ${count(counts.created)} tasks in ${duration(data.ns)}, `
    + `${count(counts.regions)} ${counts.regions === 1 ? "region" : "regions"} of up to ${counts.largest_team} threads`;
  const notes = [];
  if (data.cut) notes.push(`The trace is incomplete: ${data.cut}.`);
  if (!counts.run) notes.push("No task has run.");
  if (data.merged)
    notes.push(`The run has more slices of time than a page can hold: those shorter than ${duration(data.merged)} are merged with their `
      + "neighbours and have the colour of what took most of the time. Table, heat map and histogram count every task.");
  if (data.constructs.length > 200) notes.push(`The table shows 200 of ${data.constructs.length} constructs.`);
  get("notes").textContent = notes.join(" ");
  for (const [evidence, cure] of data.advice)
    get("advice").appendChild(document.createElement("li")).textContent = `${evidence}: ${cure}`;
  if (!data.advice.length) get("advice").replaceWith("Nothing to advise.");
}

let page = null; // of the class, when there is one

/// plotly.js, which is packed so that the page is a quarter of its size.
async function loadLibrary() {
  const script = document.createElement("script");
  script.textContent = await inflate(get("library").textContent).text();
  document.head.append(script);
}

/// How many threads are shown at once: a choice where there are many.
function offerThreads(rows) {
  const choices = [96, 64, 32, 16].filter((number) => number < rows);
  for (const number of choices) get("threads").appendChild(document.createElement("option")).value = number;
  for (const option of get("threads").options) option.textContent = option.value;
  get("threads-label").hidden = !choices.length;
}

async function main() {
  const data = JSON.parse(get("data").textContent);
  describeRun(data);
  fillTable(data, data.constructs);
  await loadLibrary();
  const slices = await Slices.from(data);
  page = new Page(data, slices, await Arrows.from(data, slices));
  if (!data.matrix.length) get("colours").value = "construct";
  page.makeClasses(get("colours").value);
  for (const { label } of data.constructs.slice(0, 200)) get("labels").appendChild(document.createElement("option")).value = label;
  offerThreads(slices.rows());
  await page.draw();
  get("timeline").on("plotly_relayout", (change) => page.zoom(change));
  get("timeline").on("plotly_hover", (event) => page.hover(event));
  get("timeline").on("plotly_click", (event) => page.pick(event));
  get("arrows").addEventListener("change", () => page.draw());
  get("threads").addEventListener("change", ({ target }) => page.showThreads(target.value === "all" ? slices.rows() : Number(target.value)));
  get("all").addEventListener("click", () => { page.range = null; page.draw(); });
  get("colours").addEventListener("change", () => page.choose());
  get("search").addEventListener("input", () => page.choose());
  document.addEventListener("keydown", (event) => page.key(event));
  DARK.addEventListener("change", () => { page.choose(); drawMatrix(data); drawDurations(data); drawLists(data); });
  await Promise.all([drawMatrix(data), drawDurations(data), drawLists(data)]);
  Object.assign(document.body.dataset, { tasks: slices.countTasks(), rows: slices.rows(), state: "drawn" });
}

main().catch((error) => {
  get("notes").textContent = `This page cannot be drawn: ${error.message ?? error}`;
  document.body.dataset.state = "failed";
  console.error(error);
});
