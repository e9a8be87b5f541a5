// What a lesson's player works out from the table of steps, apart from any
// page: which state belongs to which step, and what a key asks for.

/**
 * @typedef {object} Move
 * @property {string} d where it goes
 * @property {number} x where it rests
 * @property {number} y
 * @property {number} block
 * @property {string} [mark] in place of the block's number
 * @property {boolean} [bare] only a tip, no message
 * @property {string} [kind] one more class
 * @property {string} [value]
 * @property {string} [wait]
 * @property {number} start_s
 * @property {number} delivered_s
 */
/**
 * @typedef {object} Step
 * @property {Record<string, string>} texts
 * @property {number} phase -1 at the start
 * @property {string} place
 * @property {[number, number][]} [changed] cell and who is in it
 * @property {number[]} [final] cells that became final
 * @property {number[]} [sends]
 * @property {number[]} [receives]
 * @property {number[]} [idle] ranks
 * @property {number[]} [tmp] cells that show scratch space
 * @property {number[]} [wrong] cells that do not hold what they should
 * @property {string[]} [feet] below the cells of the ranks
 * @property {string[]} [notes]
 * @property {[Move[] | null, Move[] | null]} moves on the wide stage, on the narrow one
 * @property {{Kind: string, Text: string}[]} invariants
 * @property {string[][]} costs
 * @property {number} start_s
 * @property {number} latency_s
 * @property {number} end_s
 */
/**
 * @typedef {object} Table
 * @property {number} ranks
 * @property {number} rows
 * @property {[boolean, boolean]} heat
 * @property {string[]} levels class of a heat-mapped cell by its number of contributors
 * @property {number} time_s
 * @property {number[]} who
 * @property {Step[]} steps
 */

/** From this many ranks on the table counts contributors, and does not name them. */
const named = 32;

/**
 * Who is in each cell after each step, and what is final: every state is an
 * index, so going back costs no more than going on.
 * @param {Table} table
 */
export function states(table) {
  let who = Float64Array.from(table.who);
  let final = new Uint8Array(who.length);
  return table.steps.map((step) => {
    if (step.changed) {
      who = who.slice();
      for (const [cell, value] of step.changed) who[cell] = value;
    }
    if (step.final) {
      final = final.slice();
      for (const cell of step.final) final[cell] = 1;
    }
    return { who, final, wrong: new Set(step.wrong) };
  });
}

/**
 * How many ranks a cell's value holds.
 * @param {number} who
 * @param {number} ranks
 */
export function contributors(who, ranks) {
  if (ranks > named) return who;
  let count = 0;
  for (let rest = who; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

/**
 * The class of one rank's tick.
 * @param {boolean} had before the step
 * @param {boolean} has after it
 * @param {boolean} merged whether what arrives has been merged yet
 */
export function tickClass(had, has, merged) {
  if (!has) return 'tick-off';
  if (had) return 'tick-on';
  return merged ? 'tick-new' : 'tick-in';
}

/**
 * The step at which the phase before or after begins or ends: forward to the
 * end of the current phase, or of the next one from there; back likewise to
 * the end of the one before, or to the start.
 * @param {Step[]} steps
 * @param {number} at
 * @param {1 | -1} direction
 */
export function phaseTarget(steps, at, direction) {
  const ends = [0];
  for (let i = 1; i < steps.length; i++) {
    if (i + 1 === steps.length || steps[i + 1].phase !== steps[i].phase) ends.push(i);
  }
  if (direction > 0) return ends.find((end) => end > at) ?? at;
  return ends.reverse().find((end) => end < at) ?? 0;
}

/**
 * The step that is under way at a time.
 * @param {Step[]} steps
 * @param {number} time in the steps' own seconds
 */
export function stepAt(steps, time) {
  for (let i = 1; i < steps.length; i++) if (time < steps[i].end_s) return i;
  return steps.length - 1;
}

const keys = {
  ' ': 'play', ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last', '[': 'slower', ']': 'faster',
  g: 'go', c: 'compare', p: 'present', b: 'blank', '?': 'help', PageUp: 'prev', PageDown: 'next', Escape: 'leave',
};

/**
 * What a key asks the player for, or '' for nothing.
 * @param {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event
 */
export function keyAction(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return '';
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? '';
  if (event.shiftKey && event.key === 'ArrowLeft') return 'phase-prev';
  if (event.shiftKey && event.key === 'ArrowRight') return 'phase-next';
  return action;
}

/** The parts of an address that are about the step that it names. */
const stepOnly = ['who', 'of', 'block', 'to', 'guess'];

/**
 * An address at another step; everything else in it stays, but what is about
 * the step that it named.
 * @param {string} href
 * @param {number} step
 */
export function atStep(href, step) {
  const url = new URL(href);
  const query = url.searchParams;
  if (Number(query.get('step')) !== step) for (const name of stepOnly) query.delete(name);
  if (step > 0) query.set('step', String(step));
  else query.delete('step');
  return url.href;
}
