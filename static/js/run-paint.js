// Sets the classes, texts and scales of the grid's drawing. What the nodes are
// called is said in views/draw/blockgrid.go and cell.go.

import { fill } from './run-words.js';

/** @typedef {import('./run.js').Table} Table */
/** @typedef {import('./run-state.js').Reached} Reached */

/**
 * @param {HTMLElement} root
 * @param {Table} table
 * @param {Reached} reached
 */
export function paint(root, table, reached) {
  const nodes = nodesOf(root, table);
  const lanes = lanesOf(table, reached);
  const roles = new Map();
  lanes.forEach(({ receive, send }) => {
    if (receive >= 0 && moves(reached, receive)) mark(roles, table, receive, table.steps[receive][1], firstRow(table, receive), 'receives');
    if (send >= 0 && (reached.sent[send] > 0 || reached.ready(send))) mark(roles, table, send, table.steps[send][0], firstSent(table, send), 'sends');
  });
  cellsOf(table, reached).forEach(([value, final], cell) => nodes.cells[cell]?.forEach((set) => set(value, final, roles.get(cell) ?? '')));
  lanes.forEach((lane, rank) => nodes.ranks[rank]?.forEach((set) => set(lane, says(table, reached, lane))));
}

/** @param {Reached} reached @param {number} i */
function moves(reached, i) {
  return reached.got[i] > 0 || reached.sent[i] > 0 || reached.ready(i);
}

/** @param {Table} table @param {number} i */
const firstRow = (table, i) => table.steps[i][3];

/** @param {Table} table @param {number} i */
const firstSent = (table, i) => table.steps[i][7] ?? table.steps[i][3];

/** @param {Map<number, string>} roles @param {Table} table @param {number} i @param {number} rank @param {number} row @param {string} role */
function mark(roles, table, i, rank, row, role) {
  const count = table.steps[i][4];
  for (let at = row; at < row + count; at++) {
    const cell = rank * table.rows + (at % table.rows);
    if (!roles.has(cell)) roles.set(cell, role);
  }
}

/**
 * What each cell shows: value, and 1 for a final block.
 * @param {Table} table
 * @param {Reached} reached
 */
export function cellsOf(table, reached) {
  const cells = table.start.slice();
  table.steps.forEach(([, , , , , changes], i) => {
    if (changes.length > 0 && reached.arrived(i)) for (const [cell, value, final] of changes) cells[cell] = [value, final];
  });
  return cells;
}

/**
 * What each rank receives and sends next, as indices of steps, -1 for nothing,
 * and its share of the whole.
 * @param {Table} table
 * @param {Reached} reached
 */
export function lanesOf(table, reached) {
  const lanes = Array.from({ length: table.ranks }, () => ({ receive: -1, send: -1, done: 0, all: 0 }));
  table.steps.forEach(([src, dst], i) => {
    if (src === dst) return;
    if (lanes[dst].receive < 0 && !reached.arrived(i)) lanes[dst].receive = i;
    if (lanes[src].send < 0 && !reached.left(i)) lanes[src].send = i;
    lanes[src].done += reached.sent[i];
    lanes[dst].done += reached.got[i];
    lanes[src].all += table.slices;
    lanes[dst].all += table.slices;
  });
  return lanes;
}

/**
 * The state of a rank and the two lines under its column.
 * @param {Table} table
 * @param {Reached} reached
 * @param {{receive: number, send: number}} lane
 */
export function says(table, reached, { receive, send }) {
  const { words, steps, slices } = table;
  if (receive < 0 && send < 0) return { state: 'finished', lines: [words.finished, ''] };
  const line = (text, row, count, peer, part) => {
    const share = part > 0 && part < slices ? ` ${Math.round((part / slices) * 100)}%` : '';
    return fill(text, { block: rowNames(table, row, count), peer, share });
  };
  const lines = ['', ''];
  let state = 'moves';
  if (receive >= 0) {
    const busy = moves(reached, receive);
    if (!busy) state = 'waits';
    lines[0] = line(busy ? words.receives : words.waits, firstRow(table, receive), steps[receive][4], steps[receive][0], reached.got[receive]);
  }
  if (send >= 0 && (reached.sent[send] > 0 || reached.ready(send))) {
    lines[1] = line(words.sends, firstSent(table, send), steps[send][4], steps[send][1], reached.sent[send]);
    state = 'moves';
  }
  if (receive < 0 && !lines[1]) return { state: 'waits', lines: [words.idle, ''] };
  return { state, lines };
}

/**
 * Names rows that lie one behind the other, the first behind the last.
 * @param {Table} table
 * @param {number} first
 * @param {number} count
 */
function rowNames(table, first, count) {
  const name = (from, to) => (from === to ? `${from}` : `${from}–${to}`);
  const last = first + count - 1;
  if (last < table.rows) return name(first, last);
  return `${name(first, table.rows - 1)}, ${name(0, last - table.rows)}`;
}

/** @type {WeakMap<HTMLElement, ReturnType<typeof findNodes>>} */
const known = new WeakMap();

/** @param {HTMLElement} root @param {Table} table */
function nodesOf(root, table) {
  let nodes = known.get(root);
  if (!nodes) known.set(root, (nodes = findNodes(root, table)));
  return nodes;
}

/**
 * Finds the nodes once and returns what sets each of them, which does nothing
 * where nothing has changed.
 * @param {HTMLElement} root
 * @param {Table} table
 */
function findNodes(root, table) {
  const cells = [];
  const ranks = [];
  for (const svg of root.querySelectorAll('.blockgrid')) { // two where a phone has its own
    [...svg.querySelectorAll('.cell-block')].forEach((node, i) => (cells[i] ??= []).push(once(cellSetter(node, table))));
    [...svg.querySelectorAll('.heat path')].forEach((node, i) => (cells[i] ??= []).push(once(heatSetter(node, table))));
    [...svg.querySelectorAll('[data-rank]')].forEach((node, i) => (ranks[i] ??= []).push(rankSetter(node)));
  }
  return { cells, ranks };
}

/** @param {(value: number, final: number, role: string) => void} set */
function once(set) {
  let last = '';
  return (value, final, role) => {
    const now = `${value} ${final} ${role}`;
    if (now === last) return;
    last = now;
    set(value, final, role);
  };
}

/** @param {Element} node @param {Table} table */
function cellSetter(node, table) {
  const ticks = [...node.querySelectorAll('[data-tick]')];
  const bar = node.querySelector('.cell-bar');
  const count = node.querySelector('.cell-count');
  const outOf = count?.textContent.includes('/') ? `/${table.needs}` : '';
  return (value, final, role) => {
    let have = value;
    if (table.masks) have = ticks.filter((_, k) => (value >> k) & 1).length;
    ticks.forEach((tick, k) => tick.setAttribute('class', (table.masks ? (value >> k) & 1 : k < value) ? 'tick-on' : 'tick-off'));
    bar?.setAttribute('transform', `scale(${have / table.needs} 1)`);
    if (count) count.textContent = have + outOf;
    for (const name of ['sends', 'receives', 'stuck']) node.classList.toggle(name, name === role);
    node.classList.toggle('final', final === 1);
  };
}

/** @param {Element} node @param {Table} table */
function heatSetter(node, table) {
  return (value, final, role) => {
    node.setAttribute('class', `${table.levels[value]}${final ? ' done' : ''}${role === 'receives' ? ' now' : ''}`);
  };
}

/** @param {Element} node */
function rankSetter(node) {
  const bar = node.querySelector('.rank-bar');
  const texts = [...node.querySelectorAll('[data-line]')];
  return (lane, { state, lines }) => {
    bar.setAttribute('transform', `scale(${lane.all > 0 ? Math.min(1, lane.done / lane.all) : 1} 1)`);
    for (const name of ['moves', 'waits', 'finished']) node.classList.toggle(name, name === state);
    texts.forEach((text, i) => {
      if (text.textContent !== lines[i]) text.textContent = lines[i];
    });
  };
}
