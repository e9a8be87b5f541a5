// The player of a lesson: plays, steps and seeks through what the server has
// computed. Without it every step is a link.
import { atStep, keyAction, phaseTarget, stepAt, states } from './player_steps.js';
import { Stage } from './player_stage.js';

const travelTime = 250; // ms
const readTime = 250; // from the words to the movement
const restTime = 1150; // after it, at speed 1
const wholeTime = 12000; // a lesson in true time

/**
 * Takes over the lesson of the page, once the table of its steps is there.
 * @param {Document} document
 * @param {Window} window
 */
export async function installPlayer(document, window) {
  const root = document.querySelector('[data-lesson]');
  if (!root) return;
  const answer = await window.fetch(root.dataset.lesson);
  if (!answer.ok) return; // the links still work
  new Player(root, await answer.json(), document, window).start();
}

class Player {
  /**
   * @param {HTMLElement} root
   * @param {import('./player_steps.js').Table} table
   */
  constructor(root, table, document, window) {
    Object.assign(this, { root, table, document, window });
    this.states = states(table);
    this.steps = table.steps;
    this.at = Number(root.dataset.step);
    const all = (selector) => [...root.querySelectorAll(selector)];
    this.stages = all('[data-stages] > svg').map((svg, i) => new Stage(svg, table, /** @type {0 | 1} */ (i)));
    this.clocks = all('[data-clocks] > svg').map(clockParts);
    this.texts = all('[data-text]');
    this.range = root.querySelector('[data-range]');
    this.player = root.querySelector('[data-player]');
    this.playButton = root.querySelector('[data-play]');
    this.speed = root.querySelector('[data-speed] select');
    this.invariants = all('[data-invariants] > li');
    this.costs = all('[data-costs] > tr');
    this.phaseCodes = all('[data-phase-code]');
    this.trackPhases = all('[data-track]');
    this.trackSteps = all('[data-step].track-step');
    this.trackDone = root.querySelector('.track-done');
    this.still = window.matchMedia('(prefers-reduced-motion: reduce)');
    this.playing = false;
    this.pending = 0; // timer or frame of what is to happen next
    this.frame = 0;
  }

  start() {
    const { root, document } = this;
    this.playButton.hidden = this.steps.length < 2;
    root.querySelector('[data-go]').hidden = true;
    root.querySelector('[data-speed]')?.removeAttribute('hidden');
    const apply = root.querySelector('[data-apply]');
    if (apply) apply.hidden = true;
    root.querySelector('[data-pickers]')?.addEventListener('change', (event) => event.currentTarget.requestSubmit());
    this.playButton.addEventListener('click', () => this.toggle());
    this.range.addEventListener('input', () => this.go(Number(this.range.value)));
    root.querySelector('[data-scrub]').addEventListener('submit', (event) => event.preventDefault());
    for (const link of root.querySelectorAll('[data-move-to]')) {
      link.addEventListener('click', (event) => this.take(event, link.dataset.moveTo));
    }
    root.querySelector('[data-present-link]').addEventListener('click', (event) => this.take(event, 'present'));
    root.querySelector('[data-leave]').addEventListener('click', (event) => this.take(event, 'leave'));
    for (const tab of root.querySelectorAll('[data-api]')) {
      tab.addEventListener('click', (event) => this.openCode(event, tab));
    }
    this.speed?.addEventListener('change', () => { if (this.playing) { this.stop(); this.play(); } });
    document.addEventListener('keydown', (event) => this.key(event));
    this.blank = document.createElement('button');
    this.blank.className = 'blank';
    this.blank.hidden = true;
    this.blank.setAttribute('aria-label', this.root.dataset.blank);
    this.blank.addEventListener('click', () => this.act('blank'));
    document.body.append(this.blank);
    root.dataset.ready = '';
  }

  /** A link that the player carries out itself, unless it opens elsewhere. */
  take(event, action) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.act(action);
  }

  get presenting() {
    return this.document.documentElement.hasAttribute('data-present');
  }

  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.presenting && !this.player.contains(target)) return;
    const action = keyAction(event);
    if (!action || action === 'leave' && !this.presenting) return;
    if (target.closest('select, textarea, input:not([type=range])')) return;
    if (event.key === ' ' && target.closest('button, summary') && !this.blank.contains(target)) return;
    event.preventDefault();
    this.act(action);
  }

  act(action) {
    const last = this.steps.length - 1;
    switch (action) {
      case 'play': return this.toggle();
      case 'first': return this.go(0);
      case 'prev': return this.go(this.at - 1);
      case 'next': return this.go(this.at + 1, true);
      case 'last': return this.go(last);
      case 'phase-prev': return this.go(phaseTarget(this.steps, this.at, -1));
      case 'phase-next': return this.go(phaseTarget(this.steps, this.at, 1));
      case 'slower': return this.changeSpeed(-1);
      case 'faster': return this.changeSpeed(1);
      case 'go': return this.range.focus();
      case 'compare': if (this.root.dataset.compare) this.window.location.assign(this.root.dataset.compare); return undefined;
      case 'present': return this.present(!this.presenting);
      case 'leave': return this.present(false);
      case 'blank': this.blank.hidden = !this.blank.hidden; return undefined;
      case 'help': {
        const help = this.root.querySelector('[data-help]');
        help.open = !help.open;
        return undefined;
      }
    }
    return undefined;
  }

  changeSpeed(by) {
    if (!this.speed) return;
    const chosen = this.speed.selectedIndex + by;
    this.speed.selectedIndex = Math.max(0, Math.min(this.speed.options.length - 1, chosen));
    this.speed.dispatchEvent(new this.window.Event('change'));
  }

  present(on) {
    this.document.documentElement.toggleAttribute('data-present', on);
    this.readdress((url) => (on ? url.searchParams.set('present', '1') : url.searchParams.delete('present')));
  }

  openCode(event, tab) {
    event.preventDefault();
    for (const other of this.root.querySelectorAll('[data-api]')) other.toggleAttribute('aria-current', false);
    tab.setAttribute('aria-current', 'true');
    for (const code of this.root.querySelectorAll('[data-api-of]')) code.hidden = code.dataset.apiOf !== tab.dataset.api;
    this.readdress((url) => url.searchParams.set('api', tab.dataset.api));
  }

  /** Keeps the address of the page, and of the links in it, true. */
  readdress(change) {
    const url = new URL(this.window.location.href);
    change(url);
    this.window.history.replaceState(null, '', url);
    const last = this.steps.length - 1;
    const targets = { first: 0, prev: Math.max(this.at - 1, 0), next: Math.min(this.at + 1, last), last };
    for (const link of this.root.querySelectorAll('[data-move-to]')) link.href = atStep(url.href, targets[link.dataset.moveTo]);
    for (const link of this.root.querySelectorAll('[data-present-link], [data-leave], [data-picture], [data-api], [data-keep-step]')) {
      link.href = atStep(link.href, this.at);
    }
    const place = this.root.querySelector('[data-pickers] [name="at"]');
    if (place) place.value = this.steps[this.at].place;
    const other = this.document.querySelector('.appbar a[hreflang]');
    if (other) other.href = atStep(other.href, this.at);
  }

  // ---- playing ----

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  play() {
    this.playing = true;
    this.face();
    if (this.at >= this.steps.length - 1) this.go(0, false, true);
    if (this.speed?.value === 'time') this.playTime();
    else this.playSteps();
  }

  stop() {
    this.playing = false;
    this.cancel();
    this.face();
  }

  cancel() {
    this.window.clearTimeout(this.pending);
    this.window.cancelAnimationFrame(this.frame);
  }

  face() {
    const { playButton } = this;
    const word = this.playing ? 'wordPause' : 'wordPlay';
    playButton.setAttribute('aria-label', playButton.dataset[word]);
    playButton.querySelector('path').setAttribute('d', this.playing ? 'M7 5h4v14H7zM14 5h4v14h-4z' : 'M7 4.5v15l12-7.5z');
  }

  playSteps() {
    const pace = () => restTime / Number(this.speed?.value ?? 1);
    const next = () => {
      if (!this.playing) return;
      if (this.at >= this.steps.length - 1) return this.stop();
      this.go(this.at + 1, true, true);
      this.pending = this.window.setTimeout(next, pace() + readTime + travelTime);
    };
    this.pending = this.window.setTimeout(next, 150);
  }

  /** True time: the cost clock drives everything. */
  playTime() {
    const scale = this.table.time_s / wholeTime;
    let last = 0;
    let time = this.steps[this.at].end_s;
    let shown = -1;
    const tick = (now) => {
      if (!this.playing) return;
      time += last ? (now - last) * scale : 0;
      last = now;
      if (time >= this.table.time_s) {
        this.go(this.steps.length - 1);
        return this.stop();
      }
      const step = stepAt(this.steps, time);
      if (step !== shown) {
        shown = step;
        this.at = step;
        this.say(step);
        this.draw(step, false);
      }
      if (!this.still.matches) for (const stage of this.stages) stage.travel(this.steps[step], (move) => underway(move, time));
      for (const clock of this.clocks) this.turn(clock, step, time);
      this.frame = this.window.requestAnimationFrame(tick);
    };
    this.frame = this.window.requestAnimationFrame(tick);
  }

  /**
   * Shows a step. Moving is for going on by one; everything else is there at
   * once.
   */
  go(step, moving = false, playing = false) {
    const target = Math.max(0, Math.min(this.steps.length - 1, step));
    if (!playing && this.playing) this.stop();
    this.cancel();
    const forward = moving && target === this.at + 1 && !this.still.matches;
    this.at = target;
    this.say(target);
    for (const clock of this.clocks) this.turn(clock, target, this.steps[target].end_s);
    this.draw(target, !forward);
    this.root.toggleAttribute('data-moving', forward);
    if (!forward) return;
    const row = this.steps[target];
    for (const stage of this.stages) stage.travel(row, () => ({ from: 'start', share: 0 }));
    let began = 0;
    const tick = (now) => {
      began ||= now;
      const share = Math.max(0, Math.min(1, (now - began - readTime) / travelTime));
      for (const stage of this.stages) stage.travel(row, () => ({ from: 'start', share: 1 - (1 - share) ** 3 }));
      if (share < 1) this.frame = this.window.requestAnimationFrame(tick);
      else {
        this.draw(target, true);
        this.root.removeAttribute('data-moving');
      }
    };
    this.frame = this.window.requestAnimationFrame(tick);
  }

  draw(step, merged) {
    for (const stage of this.stages) stage.show(this.steps[step], this.states[Math.max(step - 1, 0)], this.states[step], merged);
  }

  /** Puts the words of a step in their places. */
  say(step) {
    const row = this.steps[step];
    this.root.dataset.step = String(step);
    for (const node of this.texts) node.textContent = row.texts[node.dataset.text] ?? '';
    this.range.value = String(step);
    this.range.setAttribute('aria-valuetext', row.texts.range);
    this.invariants.forEach((node, i) => {
      const invariant = row.invariants[i];
      node.className = invariant.Kind;
      node.lastElementChild.textContent = invariant.Text;
    });
    this.costs.forEach((tr, i) => row.costs[i].forEach((text, k) => { tr.cells[k + 1].textContent = text; }));
    this.phaseCodes.forEach((node) => node.toggleAttribute('data-now', Number(node.dataset.phaseCode) === row.phase));
    this.trackPhases.forEach((node, i) => node.classList.toggle('now', i === row.phase));
    this.trackSteps.forEach((node) => node.classList.toggle('now', Number(node.dataset.step) === step));
    this.trackDone.setAttribute('transform', `translate(9) scale(${step / Math.max(this.steps.length - 1, 1)} 1) translate(-9)`);
    this.readdress((url) => { url.href = atStep(url.href, step); });
  }

  /** Sets a cost clock to a time within a step. */
  turn(clock, step, time) {
    const x = (seconds) => clock.from + (seconds / this.table.time_s) * (clock.to - clock.from);
    const row = this.steps[step];
    clock.steps.forEach((node, i) => tense(node, i + 1, step));
    clock.names.forEach((node) => tense(node, Number(node.dataset.clockName), step));
    const begin = x(row.start_s + row.latency_s);
    clock.fill.setAttribute('transform', `translate(${begin}) scale(${Math.max(x(time) - begin, 0)} 1)`);
    clock.head.setAttribute('transform', `translate(${x(time)})`);
    clock.word.setAttribute('transform', `translate(${Math.min(Math.max(x(time), 55), clock.to - 55)})`);
    clock.word.textContent = row.texts.now;
  }
}

/** Where a message is at a time: in the queue, on its way, or there. */
function underway(move, time) {
  if (time >= move.delivered_s) return null;
  if (time <= move.start_s) return { from: 'rest', share: 0 };
  return { from: 'rest', share: (time - move.start_s) / (move.delivered_s - move.start_s) };
}

function clockParts(svg) {
  return {
    from: Number(svg.dataset.from), to: Number(svg.dataset.to), steps: [...svg.querySelectorAll('[data-clock]')],
    names: [...svg.querySelectorAll('[data-clock-name]')], fill: svg.querySelector('.clock-fill'),
    head: svg.querySelector('.clock-head'), word: svg.querySelector('.clock-word'),
  };
}

function tense(node, step, now) {
  node.classList.toggle('past', step < now);
  node.classList.toggle('now', step === now);
  node.classList.toggle('next', step > now);
}
