// How far a run has come, from the rows that the console sends or from the
// times in its trace.

/** @typedef {import('./run.js').Table} Table */
/** @typedef {[number, number, number, number, number, number]} Row rank, step, slice, side, at_ns, iteration */

export class Reached {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.forget();
  }

  forget() {
    const { steps, ranks } = this.table;
    this.sent = new Int32Array(steps.length);
    this.got = new Int32Array(steps.length);
    this.iterations = new Int32Array(ranks).fill(-1);
    this.heard = new Float64Array(ranks); // its own latest event, in ns since its iteration began
  }

  /**
   * Takes rows in. A rank that has begun its next iteration has nothing of it
   * yet but what the rows say.
   * @param {Row[]} rows
   */
  take(rows) {
    for (const [rank, , , , , iteration] of rows) {
      if (iteration > this.iterations[rank]) this.begin(rank, iteration);
    }
    for (const [rank, step, slice, side, at, iteration] of rows) {
      if (iteration !== this.iterations[rank]) continue;
      this.heard[rank] = Math.max(this.heard[rank], at);
      if (side !== 2) this.sent[step] = Math.max(this.sent[step], slice + 1);
      if (side !== 1) this.got[step] = Math.max(this.got[step], slice + 1);
    }
  }

  /**
   * @param {number} rank
   * @param {number} iteration
   */
  begin(rank, iteration) {
    this.iterations[rank] = iteration;
    this.heard[rank] = 0;
    this.table.steps.forEach(([src, dst], i) => {
      if (src === rank) this.sent[i] = 0;
      if (dst === rank) this.got[i] = 0;
    });
  }

  /** @param {number} i */
  left(i) {
    return this.sent[i] >= this.table.slices;
  }

  /** @param {number} i */
  arrived(i) {
    return this.got[i] >= this.table.slices;
  }

  /**
   * Whether the next slice of a step may leave.
   * @param {number} i
   */
  ready(i) {
    return (this.table.steps[i][6] ?? []).every((gate) => this.arrived(gate) || this.got[gate] > this.sent[i]);
  }

  /** The first round that is not through, the last where all are. */
  round() {
    const { steps, rounds } = this.table;
    let open = rounds;
    for (let i = 0; i < steps.length; i++) {
      if (steps[i][2] < open && steps[i][2] > 0 && (!this.left(i) || !this.arrived(i))) open = steps[i][2];
    }
    return open;
  }

  /** How much of the iteration is behind the ranks together, 0 to 1. */
  share() {
    let done = 0;
    let all = 0;
    this.table.steps.forEach(([src, dst], i) => {
      if (src === dst) return;
      done += this.sent[i] + this.got[i];
      all += 2 * this.table.slices;
    });
    return all > 0 ? Math.min(1, done / all) : 0;
  }
}

/**
 * What was reached at a moment of a trace.
 * @param {Table} table
 * @param {number} at microseconds since the iteration began
 */
export function finishedAt(table, at) {
  const reached = new Reached(table);
  reached.iterations.fill(0);
  table.ends.forEach(([left, arrived], i) => {
    const [src, dst] = table.steps[i];
    // Before anything has moved, nothing was copied either.
    if (left >= 0 && left <= at && (at > 0 || src !== dst)) reached.sent[i] = table.slices;
    if (arrived >= 0 && arrived <= at && (at > 0 || src !== dst)) reached.got[i] = table.slices;
  });
  return reached;
}
