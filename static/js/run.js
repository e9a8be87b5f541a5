// The page of a run. The server draws the run as it stands; this follows it,
// and plays the trace of one that has ended. It looks up in a table what each
// step does to the drawing and sets classes, texts and scales, nothing else.

import { follow } from './run-follow.js';
import { Reached, finishedAt } from './run-state.js';
import { paint } from './run-paint.js';
import { showWaits } from './run-waits.js';
import { fill, moment, seconds } from './run-words.js';

/**
 * What the server says of the run's schedule (web/present/runscript.go).
 * @typedef {object} Table
 * @property {string} outcome
 * @property {number} ranks
 * @property {number} rows
 * @property {number} rounds
 * @property {number} slices
 * @property {number} warmups
 * @property {number} iterations
 * @property {number} needs
 * @property {boolean} masks
 * @property {string[]} levels
 * @property {[number, number][]} start
 * @property {[number, number, number, number, number, [number, number, number][], number[]?, number?][]} steps
 * @property {[number, number][]} [ends]
 * @property {number[]} [marks]
 * @property {number} [stale]
 * @property {Record<string, string>} words
 */

/**
 * Takes the page of a run over.
 * @param {HTMLElement} root
 */
export function installRun(root) {
  const text = document.getElementById('run-table');
  if (!text) return;
  const table = /** @type {Table} */ (JSON.parse(text.textContent));
  if (root.dataset.socket) followRun(root, table);
  else if (table.ends) playRun(root, table);
}

/**
 * @param {HTMLElement} root
 * @param {Table} table
 */
function followRun(root, table) {
  const reached = new Reached(table);
  const state = root.querySelector('[data-state] .status');
  const word = state.lastChild;
  const times = root.querySelector('[data-times]');
  const share = /** @type {HTMLProgressElement} */ (root.querySelector('[data-share]'));
  let round = 0;
  let doubts = 0;
  let counted = -1;
  let due = false;
  const heard = showWaits(root, table, reached);

  const show = (message) => {
    due = false;
    if (message.run.outcome === 'running' && table.outcome === 'queued') {
      location.reload(); // for all that only a running run has
      return;
    }
    const say = stateWords(table, message, reached);
    if (say.state && word.textContent.trim() !== say.state) word.textContent = say.state;
    times.textContent = say.times;
    share.value = say.share * 100;
    if (message.iteration >= 0) paint(root, table, reached);
    const doubted = message.run.warnings?.length ?? 0; // a slow rank, say
    if (reached.round() !== round || doubted !== doubts || (counted >= 0 && message.counted !== counted)) {
      round = reached.round();
      doubts = doubted;
      refresh.soon();
    }
    counted = message.counted;
  };
  const refresh = refresher(root);
  follow(root.dataset.socket, root.dataset.poll, {
    message(message) {
      if (message.type === 'snapshot') reached.forget();
      reached.take(message.events);
      heard(message.quiet_s);
      if (due) return;
      due = true;
      requestAnimationFrame(() => show(message));
    },
    ended() {
      location.reload();
    },
    lost() {
      word.textContent = table.words.lost;
    },
  });
}

/**
 * The texts above and beside the grid.
 * @param {Table} table
 * @param {import('./run-follow.js').Message} message
 * @param {Reached} reached
 */
export function stateWords(table, message, reached) {
  const { words } = table;
  if (message.run.outcome === 'queued') {
    return { state: message.ahead > 0 ? fill(words.queued, { ahead: message.ahead }) : words.next, times: '', share: 0 };
  }
  const at = message.iteration;
  if (at < 0) return { state: words.starting, times: fill(words.elapsed, { time: seconds(message.elapsed_s) }), share: 0 };
  const place = { iteration: at - table.warmups + 1, iterations: table.iterations, step: reached.round(), steps: table.rounds };
  const warm = at < table.warmups;
  const state = warm
    ? fill(words.warmup, { iteration: at + 1, iterations: table.warmups })
    : fill(words.running, place);
  const share = Math.min(1, (at + reached.share()) / Math.max(1, table.warmups + table.iterations));
  const time = seconds(message.elapsed_s);
  const times = share > 0.05 && message.elapsed_s > 1
    ? fill(words.left, { time, left: seconds((message.elapsed_s * (1 - share)) / share) })
    : fill(words.elapsed, { time });
  return { state, times, share };
}

/**
 * Fetches the parts that only the server can draw, the charts, when a round
 * has ended, and then not for a while.
 * @param {HTMLElement} root
 */
function refresher(root) {
  let busy = false;
  let again = false;
  const soon = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
      if (answer.ok && !answer.redirected) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        if (!page.querySelector('[data-socket]')) {
          location.reload(); // it has ended: its parts do not go with a live page's
          return;
        }
        for (const part of root.querySelectorAll('[data-swap]')) {
          const fresh = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
          if (fresh) part.replaceChildren(...fresh.childNodes);
        }
      }
    } catch {
      // The connection is lost; follow() says so.
    }
    setTimeout(() => {
      busy = false;
      if (again) soon();
      again = false;
    }, 1500);
  };
  return { soon };
}

/**
 * Plays the trace of a run that has ended, in its own time.
 * @param {HTMLElement} root
 * @param {Table} table
 */
function playRun(root, table) {
  const bar = root.querySelector('[data-replay]');
  if (!bar) return;
  const play = /** @type {HTMLButtonElement} */ (bar.querySelector('[data-play]'));
  const scrub = /** @type {HTMLInputElement} */ (bar.querySelector('[data-scrub]'));
  const text = bar.querySelector('[data-replay-text]');
  const end = table.marks[table.rounds];
  let now = table.marks[Number(bar.dataset.replay)];
  let frame = 0;
  let shown = -1;

  // Every step is shown; only where it stops is it said.
  const show = (said) => {
    paint(root, table, finishedAt(table, now));
    scrub.value = String(end > 0 ? (now / end) * 1000 : 0);
    const step = table.marks.findLastIndex((mark) => mark <= now);
    text.ariaLive = said ? 'polite' : 'off';
    if (said || step !== shown) text.textContent = fill(table.words.replay, { step, steps: table.rounds, time: moment(now) });
    shown = step;
  };
  const pause = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    play.textContent = table.words.play;
  };
  const go = (at) => {
    pause();
    now = Math.max(0, Math.min(end, at));
    show(true);
  };
  play.hidden = false;
  scrub.hidden = false;
  play.addEventListener('click', () => {
    if (frame) {
      pause();
      show(true);
      return;
    }
    if (now >= end) now = 0;
    play.textContent = table.words.pause;
    // A run of milliseconds is stretched to five seconds, a long one pressed
    // into twenty.
    const speed = end / Math.min(20, Math.max(5, end / 1e6));
    let last = performance.now();
    const tick = (at) => {
      now = Math.min(end, now + ((at - last) / 1000) * speed);
      last = at;
      show(false);
      if (now >= end) {
        pause();
        show(true);
      } else frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  });
  scrub.addEventListener('input', () => go((Number(scrub.value) / 1000) * end));
  const step = () => table.marks.findLastIndex((mark) => mark <= now);
  const moves = {
    first: () => 0,
    prev: () => table.marks[Math.max(0, now > table.marks[step()] ? step() : step() - 1)],
    next: () => table.marks[Math.min(table.rounds, step() + 1)],
    last: () => end,
  };
  for (const link of bar.querySelectorAll('[data-go]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      go(moves[link.dataset.go]());
    });
    link.setAttribute('href', '#grid');
    link.removeAttribute('aria-disabled');
  }
}
