// Says who waits for whom while a run runs, as web/present/runwaits.go says it
// of the same; web/present/testdata/waits.json holds both to that.

import { fill, seconds } from './run-words.js';
import { lanesOf } from './run-paint.js';

/** @typedef {import('./run.js').Table} Table */
/** @typedef {import('./run-state.js').Reached} Reached */
/** @typedef {{rank: number, kind: 'waits' | 'starved' | 'blocked' | 'through', peer: number, took: number}} Waiting took in seconds */

const shortest = 0.1; // seconds

/**
 * The ranks that wait, the longest first, and the one that they wait for in
 * the end, -1 where there is no single one.
 * @param {Table} table
 * @param {Reached} reached
 * @param {number} quiet for how long nothing was heard of any rank, in seconds
 * @returns {{list: Waiting[], root: number}}
 */
export function waitingRanks(table, reached, quiet) {
  const least = Math.min(...reached.iterations);
  if (least < 0) return { list: [], root: -1 };
  const lanes = lanesOf(table, reached);
  let now = 0;
  reached.iterations.forEach((iteration, rank) => {
    if (iteration === least) now = Math.max(now, reached.heard[rank]);
  });
  const open = lanes.some(({ receive, send }) => receive >= 0 || send >= 0);
  const on = lanes.map(() => -1);
  const ages = lanes.map(() => 0);
  /** @type {Waiting[]} */
  const list = [];
  lanes.forEach(({ receive, send }, rank) => {
    if (reached.iterations[rank] !== least) return;
    ages[rank] = (now - reached.heard[rank]) / 1e9 + quiet;
    const lack = lacks(table, reached, receive, send, ages[rank] > table.stale / 1e3);
    if (!lack || (lack.kind === 'through' && !open)) return;
    on[rank] = lack.peer; // even if not for long yet
    if (lack.waits && ages[rank] >= shortest) list.push({ rank, kind: lack.kind, peer: lack.peer, took: ages[rank] });
  });
  const root = rootOf(list, on, ages);
  return { list: list.filter((w) => w.rank !== root).sort((a, b) => b.took - a.took || a.rank - b.rank), root };
}

/**
 * What a rank lacks whose next steps are these, -1 for none, and whether it
 * waits for it; nothing if it is at work.
 * @param {Table} table @param {Reached} reached @param {number} receive @param {number} send @param {boolean} stale
 */
function lacks(table, reached, receive, send, stale) {
  if (receive < 0 && send < 0) return { kind: 'through', peer: -1, waits: true };
  if (receive >= 0 && reached.sent[receive] > reached.got[receive]) return null; // it is arriving
  if (send >= 0 && reached.ready(send)) return stale ? { kind: 'blocked', peer: table.steps[send][1], waits: true } : null;
  if (receive < 0) return null;
  const peer = table.steps[receive][0];
  return reached.ready(receive) ? { kind: 'starved', peer, waits: stale } : { kind: 'waits', peer, waits: true };
}

/** @param {Waiting[]} list @param {number[]} on @param {number[]} ages */
function rootOf(list, on, ages) {
  let root = -1;
  let chains = 0;
  for (const { rank, peer } of list) {
    if (peer < 0) continue;
    let end = rank;
    for (let i = 0; i < on.length && on[end] >= 0; i++) end = on[end];
    if (on[end] >= 0) { // a circle: the one that has been silent the longest
      for (let at = on[end], last = end; at !== last; at = on[at]) if (ages[at] > ages[end]) end = at;
    }
    if (root >= 0 && end !== root) return -1;
    root = end;
    chains++;
  }
  return chains < 2 ? -1 : root;
}

/**
 * The texts of the list, for so many places.
 * @param {Table} table @param {Reached} reached @param {number} quiet @param {number} places
 */
export function waitTexts(table, reached, quiet, places) {
  const { words } = table;
  const { list, root } = waitingRanks(table, reached, quiet);
  return {
    sum: list.length === 0 && Math.min(...reached.iterations) >= 0 ? words['wait-none'] : root >= 0 ? fill(words['wait-root'], { rank: root }) : '',
    lines: Array.from({ length: places }, (_, i) =>
      list[i] ? fill(words[`wait-${list[i].kind}`], { rank: list[i].rank, peer: list[i].peer, time: seconds(list[i].took) }) : ''),
    more: list.length > places ? fill(words['wait-more'], { count: list.length - places }) : '',
  };
}

/**
 * Keeps the list true; the returned function says what has been heard.
 * @param {HTMLElement} root @param {Table} table @param {Reached} reached
 */
export function showWaits(root, table, reached) {
  const panel = root.querySelector('[data-waits]');
  if (!panel || !table.stale) return () => {};
  const lines = [...panel.querySelectorAll('[data-wait]')];
  const sum = panel.querySelector('[data-waits-sum]');
  const more = panel.querySelector('[data-waits-more]');
  let heard = performance.now();
  const set = (node, text) => {
    if (node && node.textContent !== text) node.textContent = text;
  };
  const show = () => {
    const texts = waitTexts(table, reached, (performance.now() - heard) / 1000, lines.length);
    lines.forEach((line, i) => set(line, texts.lines[i]));
    set(sum, texts.sum);
    set(more, texts.more);
  };
  setInterval(show, 250); // waits grow while nothing comes
  return (quiet) => {
    heard = performance.now() - quiet * 1000;
  };
}
