// Sets a state of a lesson on the nodes of one stage, which the server has
// drawn: classes, texts and transforms, no layout.
import { contributors, tickClass } from './player_steps.js';

/** @typedef {import('./player_steps.js').Table} Table */
/** @typedef {import('./player_steps.js').Step} Step */
/** @typedef {{who: Float64Array, final: Uint8Array, wrong: Set<number>}} State */

const hues = 8;

/** One of the two drawings of a stage. */
export class Stage {
  /**
   * @param {SVGElement} svg
   * @param {Table} table
   * @param {0 | 1} index the wide one, the narrow one
   */
  constructor(svg, table, index) {
    this.svg = svg;
    this.table = table;
    this.index = index;
    this.heat = table.heat[index];
    const cells = svg.querySelectorAll(this.heat ? '.heat path' : '[data-cell]');
    this.cells = [...cells].map((node) => (this.heat ? { node } : {
      node,
      hue: node.getAttribute('class').match(/hue-\d( copy)?/)[0],
      ticks: [...node.querySelectorAll('[data-tick]')],
      digits: [...node.querySelectorAll('[data-digit]')],
      bar: node.querySelector('.cell-bar'),
      count: node.querySelector('.cell-count'),
      whole: /\//.test(node.querySelector('.cell-count')?.textContent ?? ''),
      class: node.getAttribute('class'),
    }));
    this.slots = [...svg.querySelectorAll('[data-move]')].map((node) => ({
      node,
      path: node.querySelector('path'),
      token: node.querySelector('.token'),
      number: node.querySelector('.cell-no'),
      value: node.querySelector('.token-value'),
      wait: node.querySelector('.token-wait'),
      rest: 0,
    }));
    this.cards = [...svg.querySelectorAll('[data-card]')];
    this.feet = [...svg.querySelectorAll('[data-foot]')];
    this.notes = [...svg.querySelectorAll('[data-note]')];
    this.port = svg.querySelector('[data-port]');
    this.shown = /** @type {string[]} */ (new Array(this.cells.length));
  }

  /**
   * @param {Step} step
   * @param {State} before
   * @param {State} after
   * @param {boolean} merged whether what arrives in the step has been merged
   */
  show(step, before, after, merged) {
    const sends = new Set(step.sends);
    const receives = new Set(step.receives);
    const scratch = new Set(step.tmp);
    this.cells.forEach((cell, i) => {
      const role = receives.has(i) ? 'receives' : sends.has(i) ? 'sends' : '';
      const final = (merged ? after : before).final[i];
      const tmp = scratch.has(i);
      const wrong = (merged ? after : before).wrong.has(i) ? 'wrong' : '';
      const key = `${before.who[i]} ${after.who[i]} ${role} ${final} ${merged} ${tmp} ${wrong}`;
      if (this.shown[i] === key) return;
      this.shown[i] = key;
      if (this.heat) this.paint(cell, (merged ? after : before).who[i], role, wrong, final);
      else this.fill(cell, before.who[i], after.who[i], [role, final ? 'final' : '', tmp ? 'tmp' : '', wrong], merged);
    });
    this.place(step);
    const idle = new Set(step.idle);
    this.cards.forEach((card, rank) => card.setAttribute('class', idle.has(rank) ? 'stage-card idle' : 'stage-card'));
    this.feet.forEach((foot, rank) => { foot.textContent = step.feet?.[rank] ?? ''; });
    this.notes.forEach((note, rank) => { note.textContent = step.notes?.[rank] ?? ''; });
    if (this.port) this.port.textContent = step.texts.port;
    this.svg.querySelector('title').textContent = step.texts.title;
    this.svg.querySelector('desc').textContent = step.texts.desc;
  }

  paint(cell, who, role, wrong, final) {
    const level = this.table.levels[contributors(who, this.table.ranks)];
    cell.node.setAttribute('class', [level, final && 'done', role === 'receives' && 'now', wrong].filter(Boolean).join(' '));
  }

  fill(cell, had, has, marks, merged) {
    const there = merged ? has : had;
    const held = there && cell.hue.endsWith('copy') ? 'held' : '';
    cell.node.setAttribute('class', ['cell-block', cell.hue, held, ...marks].filter(Boolean).join(' '));
    cell.ticks.forEach((tick, k) => tick.setAttribute('class', tickClass(Boolean(had >> k & 1), Boolean(has >> k & 1), merged)));
    cell.digits.forEach((digit, k) => {
      const on = Boolean(there >> k & 1);
      digit.textContent = on ? digit.dataset.value : '0';
      digit.classList.toggle('miss', !on);
    });
    const count = contributors(there, this.table.ranks);
    cell.bar?.setAttribute('transform', `scale(${count / this.table.ranks} 1)`);
    if (cell.count) cell.count.textContent = cell.whole ? `${count}/${this.table.ranks}` : String(count);
  }

  /**
   * Puts every message where it rests.
   * @param {Step} step
   */
  place(step) {
    const moves = step.moves[this.index] ?? [];
    this.slots.forEach((slot, i) => {
      const move = moves[i];
      slot.node.setAttribute('class', move ? moveClass(move) : 'move off');
      if (!move) return;
      slot.path.setAttribute('d', move.d);
      if (!slot.token) return;
      slot.token.setAttribute('class', `token hue-${move.block % hues}`);
      this.put(slot, move.x, move.y);
      if (slot.number) slot.number.textContent = move.mark ?? String(move.block);
      if (slot.value) slot.value.textContent = move.value ?? '';
      if (slot.wait) slot.wait.textContent = move.wait ?? '';
      slot.rest = 0;
    });
  }

  put(slot, x, y) {
    slot.token.setAttribute('transform', `translate(${x} ${y})`);
  }

  /**
   * Moves every message along its path; share says how far it is on its way
   * from where it starts to where it rests, or beyond to its receiver.
   * @param {Step} step
   * @param {(move: import('./player_steps.js').Move) => {from: 'start' | 'rest', share: number} | null} where null once it has arrived
   */
  travel(step, where) {
    const moves = step.moves[this.index] ?? [];
    moves.forEach((move, i) => {
      const slot = this.slots[i];
      if (!slot?.token || move.bare) return;
      const at = where(move);
      slot.node.setAttribute('class', at ? moveClass(move) : `${moveClass(move)} arrived`);
      if (!at) return;
      const length = slot.path.getTotalLength();
      slot.rest ||= nearest(slot.path, length, move);
      const [from, to] = at.from === 'start' ? [0, slot.rest] : [slot.rest, length];
      const point = slot.path.getPointAtLength(from + (to - from) * at.share);
      this.put(slot, point.x, point.y);
    });
  }
}

function moveClass(move) {
  return ['move', move.bare && 'bare', move.kind].filter(Boolean).join(' ');
}

/** How far along a path its message rests. */
function nearest(path, length, move) {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i <= 32; i++) {
    const point = path.getPointAtLength((length * i) / 32);
    const distance = (point.x - move.x) ** 2 + (point.y - move.y) ** 2;
    if (distance < least) [best, least] = [(length * i) / 32, distance];
  }
  return best;
}
