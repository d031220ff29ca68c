// The slices of all threads: what was when. No drawing here.
"use strict";

const OUTSIDE = 0, TASKS = 1; // numbers of states

/// What base64 of zlib's format stands for.
function inflate(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")));
}

async function unpack(text, kind = Uint32Array) { return new kind(await inflate(text).arrayBuffer()); }

/// All slices: of row r those from first[r] to first[r + 1], each with its begin and end in ns.
class Slices {
  constructor(data, lengths, kinds, tasks) {
    this.kinds = kinds;
    this.tasks = tasks;
    this.table = data.kinds;
    this.first = [0];
    this.begins = new Float64Array(lengths.length);
    this.ends = new Float64Array(lengths.length);
    let at = 0;
    for (const row of data.rows) {
      let time = 0;
      for (const behind = at + row.slices; at < behind; ++at) {
        this.begins[at] = time;
        time += lengths[at];
        this.ends[at] = time;
      }
      this.first.push(at);
    }
  }

  static async from(data) {
    const columns = [data.slices.lengths, data.slices.kinds, data.slices.tasks];
    return new Slices(data, ...(await Promise.all(columns.map((column) => unpack(column)))));
  }

  rows() { return this.first.length - 1; }

  rowOf(at) {
    let low = 0, high = this.rows() - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.first[middle] <= at) low = middle; else high = middle - 1;
    }
    return low;
  }

  isTask(at) { return this.table[this.kinds[at]][0] === TASKS; }

  /// How many different tasks there are. A merged slice has no number.
  countTasks() {
    const numbers = new Set();
    for (let at = 0; at < this.tasks.length; ++at)
      if (this.tasks[at]) numbers.add(this.tasks[at]);
    return numbers.size;
  }

  /// The row's first slice that ends behind the time.
  find(row, time) {
    let low = this.first[row], high = this.first[row + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle] > time) high = middle; else low = middle + 1;
    }
    return low;
  }

  /// Calls visit(slice, row) for what lies between the times in rows from low to high.
  each(from, to, low, high, visit) {
    for (let row = low; row <= high; ++row)
      for (let at = this.find(row, from); at < this.first[row + 1] && this.begins[at] < to; ++at)
        if (this.table[this.kinds[at]][0] !== OUTSIDE) visit(at, row);
  }

  count(from, to, low, high) {
    let found = 0;
    for (let row = low; row <= high; ++row)
      found += Math.max(0, this.find(row, to) - this.find(row, from) + 1);
    return found;
  }

  /// For each row and each of so many equal parts of the time: the class of what took most of it, null if there is nothing.
  /// classOf has the class of each kind.
  overview(from, to, low, high, parts, classOf, classes) {
    const width = (to - from) / parts;
    const result = [];
    for (let row = low; row <= high; ++row) {
      const times = new Float64Array(parts * classes);
      this.each(from, to, row, row, (at) => {
        const begin = Math.max(this.begins[at], from), end = Math.min(this.ends[at], to);
        const c = classOf[this.kinds[at]];
        const last = Math.min(parts - 1, Math.floor((end - from) / width));
        for (let part = Math.floor((begin - from) / width); part <= last; ++part) {
          const edge = from + part * width;
          times[part * classes + c] += Math.max(0, Math.min(end, edge + width) - Math.max(begin, edge));
        }
      });
      const line = new Array(parts).fill(null);
      for (let part = 0; part < parts; ++part) {
        let most = 0;
        for (let c = 0; c < classes; ++c)
          if (times[part * classes + c] > most) { most = times[part * classes + c]; line[part] = c; }
      }
      result.push(line);
    }
    return result;
  }
}
