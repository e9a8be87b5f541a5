// Plays a race: two algorithms on one axis of time. What each part of the page
// looks like at which moment stands in the page's own table; this script knows
// the time and looks it up.
import { installCross } from './race_cross.js';

/**
 * @typedef {[number, number]} Look moment, index of a face
 * @typedef {[string, number, number, number]} Grow way, from, to, length
 * @typedef {[number, number, string]} Line from, to, text
 * @typedef {{key: string, looks?: Look[], grow?: Grow, lines?: Line[]}} Part
 * @typedef {{end: number, rate: number, scale: number, unit: string, faces: [string, string][], parts: Part[]}} Table
 */

/**
 * How much of the time from one moment to another has passed, 0 to 1.
 * @param {number} from
 * @param {number} to
 * @param {number} now
 */
export function share(from, to, now) {
  if (to <= from) return now >= to ? 1 : 0;
  return Math.min(1, Math.max(0, (now - from) / (to - from)));
}

/**
 * The last of looks that has begun.
 * @param {Look[]} looks
 * @param {number} now
 */
export function faceAt(looks, now) {
  let low = 0;
  let high = looks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (looks[middle][0] <= now) low = middle;
    else high = middle - 1;
  }
  return looks[low][1];
}

/**
 * The text of lines at a moment, with the share of its time that has passed.
 * @param {Line[]} lines
 * @param {number} now
 */
export function lineAt(lines, now) {
  for (let i = lines.length - 1; i >= 0; i--) {
    const [from, to, text] = lines[i];
    if (from <= now && (now < to || (i === lines.length - 1 && now <= to))) {
      return text.replaceAll('{%}', String(Math.floor(share(from, to, now) * 100 + 1e-6)));
    }
  }
  return '';
}

/**
 * @param {Grow} grow
 * @param {number} now
 */
export function transformAt([way, from, to, length], now) {
  const f = Number(share(from, to, now).toFixed(4));
  if (way === 'x') return `scale(${f} 1)`;
  if (way === 'y') return `scale(1 ${f})`;
  return `translate(${Number((f * length).toFixed(2))} 0)`;
}

/**
 * A moment with three digits in the unit of the clock.
 * @param {Table} table
 * @param {number} now
 */
export function clockAt(table, now) {
  const v = now * table.scale;
  return `${v >= 100 ? Math.round(v) : Number(v.toPrecision(3))} ${table.unit}`;
}

/**
 * @param {HTMLElement} race
 */
export function installRace(race) {
  const table = /** @type {Table} */ (JSON.parse(race.querySelector('#race-table').textContent));
  const player = race.querySelector('[data-player]');
  const play = player.querySelector('[data-play]');
  const seek = /** @type {HTMLInputElement} */ (player.querySelector('input[type="range"]'));
  const speed = player.querySelector('[data-speed]');
  const live = race.querySelector('[data-live]');
  const off = new AbortController(); // of what is listened to beyond the race
  const clocks = race.querySelectorAll('[data-clock]');
  const jumps = [...player.querySelectorAll('.jumps a')];
  const said = [...race.querySelectorAll('.race-stage header')];

  // One entry a node, with what it shows, so that only changes touch the page.
  const nodes = new Map();
  for (const node of race.querySelectorAll('[data-part]')) {
    nodes.set(node.dataset.part, [...(nodes.get(node.dataset.part) ?? []), node]);
  }
  const parts = table.parts.map((part) => ({ part, nodes: nodes.get(part.key) ?? [], face: -1, text: '', transform: '' }));

  let now = Number(seek.value);
  let last = 0;
  let frame = 0;

  const show = () => {
    for (const entry of parts) {
      const { part } = entry;
      if (part.looks) {
        const face = faceAt(part.looks, now);
        if (face !== entry.face) {
          entry.face = face;
          const [className, transform] = table.faces[face];
          for (const node of entry.nodes) {
            node.setAttribute('class', className);
            if (transform) node.setAttribute('transform', transform);
          }
        }
      }
      if (part.grow) {
        const transform = transformAt(part.grow, now);
        if (transform !== entry.transform) {
          entry.transform = transform;
          for (const node of entry.nodes) node.setAttribute('transform', transform);
        }
      }
      if (part.lines) {
        const text = lineAt(part.lines, now);
        if (text !== entry.text) {
          entry.text = text;
          for (const node of entry.nodes) node.textContent = text;
        }
      }
    }
    for (const clock of clocks) clock.textContent = clockAt(table, now);
    seek.value = String(now);
    seek.setAttribute('aria-valuetext', clockAt(table, now));
    for (const jump of jumps) {
      if (Number(jump.dataset.to) === now) jump.setAttribute('aria-current', 'true');
      else jump.removeAttribute('aria-current');
    }
  };

  // The address names the moment as soon as the clock rests.
  const rest = () => {
    const url = new URL(location.href);
    url.searchParams.set('t', String(now));
    history.replaceState(null, '', url);
    live.textContent = `${clockAt(table, now)}: ${said.map((s) => s.innerText.replace(/\s+/g, ' ')).join('; ')}`;
  };

  const stop = () => {
    if (!frame) return;
    cancelAnimationFrame(frame);
    frame = 0;
    play.setAttribute('aria-pressed', 'false');
    play.setAttribute('aria-label', play.dataset.playWord);
    rest();
  };

  /** @param {number} at */
  const tick = (at) => {
    now = Math.min(table.end, now + ((at - last) / 1000) * table.rate * Number(speed.value));
    last = at;
    show();
    if (now >= table.end) stop();
    else frame = requestAnimationFrame(tick);
  };

  const start = () => {
    if (now >= table.end) now = 0;
    play.setAttribute('aria-pressed', 'true');
    play.setAttribute('aria-label', play.dataset.pauseWord);
    last = performance.now();
    frame = requestAnimationFrame(tick);
  };

  /** @param {number} to */
  const jump = (to) => {
    stop();
    now = Math.min(table.end, Math.max(0, to));
    show();
    rest();
  };

  play.hidden = false;
  speed.parentElement.hidden = false;
  player.querySelector('[data-show]').hidden = true;
  play.addEventListener('click', () => (frame ? stop() : start()));
  seek.addEventListener('input', () => {
    stop();
    now = Number(seek.value);
    show();
  });
  seek.addEventListener('change', rest);
  for (const link of player.querySelectorAll('a[data-to]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      jump(Number(link.dataset.to));
    });
  }

  // Keys act while the player has focus; a clicker has nothing to focus, so
  // before a projector they act everywhere.
  const everywhere = 'present' in document.documentElement.dataset;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (everywhere ? event.target.closest?.('[data-cross]') : !player.contains(document.activeElement)) return;
    const step = table.end / 50;
    const actions = {
      ' ': () => (frame ? stop() : start()),
      ArrowRight: () => jump(now + step),
      ArrowLeft: () => jump(now - step),
      PageDown: () => (frame ? stop() : start()),
      PageUp: () => jump(0),
      Home: () => jump(0),
      End: () => jump(table.end),
    };
    const act = actions[event.key];
    // A button takes the space bar itself, and a choice its own keys.
    if (!act || event.target.matches?.('select') || (event.key === ' ' && event.target.matches?.('button, a'))) return;
    event.preventDefault();
    act();
  }, { signal: off.signal });
  player.addEventListener('submit', (event) => event.preventDefault());

  // Another size is another race in the same place.
  installCross(race, (fresh) => {
    cancelAnimationFrame(frame);
    off.abort();
    const moved = race.querySelector('[data-cross]').contains(document.activeElement);
    race.replaceChildren(...fresh.childNodes);
    race.classList.remove('stale');
    installRace(race);
    if (moved) race.querySelector('[data-cross] input[type="range"]').focus();
    race.querySelector('[data-live]').textContent = race.querySelector('.say').textContent;
  });
}
