// Questions about the next step of a lesson. The server asks and grades: its
// page is fetched, and the panel and what it points at replace the old ones.
import { atStep } from './player_steps.js';

const store = 'lockstep-tries';
const most = 1000; // tries that are kept
const pause = 300; // ms at a step before asking about it
const stage = '[data-stages] > svg';
const links = '[data-move-to], [data-present-link], [data-leave], [data-api], .appbar a[hreflang]';

/**
 * The tries so far: names of question and guess, and 1 for a right one.
 * @param {[string, number][]} [kept] in place of those
 * @returns {[string, number][]}
 */
function tries(kept) {
  try {
    if (kept) localStorage.setItem(store, JSON.stringify(kept.slice(-most)));
    return JSON.parse(localStorage.getItem(store)) ?? [];
  } catch {
    return []; // a frame may have no storage
  }
}

/** @param {Element} first the panel of the page */
export function installAsk(first) {
  const root = first.closest('[data-lesson]');
  const play = root.querySelector('[data-play]');
  const stages = root.querySelector('[data-stages]');
  const svgs = root.querySelectorAll(stage);
  const panel = () => root.querySelector('[data-ask]');
  const form = () => panel().querySelector('form');
  let step = root.dataset.step;
  let waiting = 0;
  let late = false; // the panel is about another step
  let asking = new AbortController();

  const tally = () => {
    let all = tries();
    const answer = panel().querySelector('[data-try]');
    const name = answer?.dataset.try;
    if (name && !all.some(([known]) => known === name)) all = tries([...all, [name, Number('right' in answer.dataset)]]);
    const place = panel().querySelector('[data-tally]');
    place.textContent = place.dataset.tally.replace('«all»', all.length).replace('«right»', all.filter(([, right]) => right).length);
    place.hidden = !all.length;
    panel().querySelector('[data-clear]').hidden = !all.length;
  };

  /** Shows on the stage what is picked in the form. */
  const point = () => {
    for (const node of stages.querySelectorAll('[data-chosen]')) delete node.dataset.chosen;
    const asked = form();
    const { picks, who } = asked?.dataset ?? {};
    stages.toggleAttribute('data-picking', Boolean(picks));
    if (!picks) return;
    for (const [name, value] of new FormData(asked)) {
      if (!['block', 'to', 'guess'].includes(name) || !value) continue;
      const place = name === 'block' || picks === 'block' ? `[data-cell="${who}-${value}"]` : `[data-card="${value}"]`;
      for (const node of stages.querySelectorAll(place)) node.dataset.chosen = '';
    }
  };

  const settle = () => {
    panel().querySelector('[data-scripted]')?.removeAttribute('hidden');
    tally();
    point();
  };

  const clean = () => { for (const svg of svgs) svg.querySelector('.asked')?.remove(); };

  /**
   * Takes the question of another page into this one.
   * @param {string} url
   * @param {boolean} [led] whether somebody has asked for it, whose focus goes along
   */
  const load = async (url, led) => {
    clearTimeout(waiting);
    asking.abort();
    asking = new AbortController();
    panel().setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(url, { signal: asking.signal });
      if (!answer.ok) throw new Error();
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (page.querySelector('[data-lesson]').dataset.step !== root.dataset.step) return;
      panel().replaceWith(page.querySelector('[data-ask]'));
      late = false;
      clean();
      page.querySelectorAll(stage).forEach((svg, i) => svgs[i].append(...svg.querySelectorAll('.asked')));
      const fresh = page.querySelectorAll(links);
      document.querySelectorAll(links).forEach((link, i) => { link.href = fresh[i].getAttribute('href'); });
      history.replaceState(null, '', url);
      settle();
      if (led) panel().querySelector('[data-verdict], fieldset input, select')?.focus();
    } catch (error) {
      if (led && error.name !== 'AbortError') location.assign(url); // the page can say what is wrong
    }
  };

  root.addEventListener('submit', (event) => {
    const asked = form();
    if (event.target !== asked) return;
    event.preventDefault();
    load(`${asked.action}?${new URLSearchParams(new FormData(asked))}`, true);
  });

  root.addEventListener('change', point);

  root.addEventListener('click', (event) => {
    const { target } = event;
    if (target.closest('[data-clear]')) {
      tries([]);
      panel().querySelector('[data-try]')?.removeAttribute('data-try');
      tally();
    }
    const link = target.closest('[data-ask] a');
    if (stages.contains(target)) pick(event);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if ('askStep' in link.dataset) root.querySelector('[data-move-to="next"]').click();
    else if (atStep(link.href, Number(step)) === link.href) load(link.href, true);
    else return;
    event.preventDefault();
  });

  /** Picks in the form what somebody points at on the stage. */
  const pick = (event) => {
    const asked = form();
    if (!asked?.dataset.picks) return;
    const { picks, who } = asked.dataset;
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((node) => node.closest('[data-cell], [data-card]')).find(Boolean);
    if (!under) return;
    const [rank, block] = (under.dataset.cell ?? under.dataset.card).split('-');
    const name = picks !== 'next' ? 'guess' : rank === who ? 'block' : 'to';
    const value = name === 'block' || picks === 'block' ? block : rank;
    const input = asked.querySelector(`[name="${name}"][value="${value}"]`);
    if (input) input.checked = input.type === 'radio' || !input.checked;
    else asked.querySelectorAll(`select[name="${name}"]`).forEach((list) => { list.value = value ?? ''; });
    point();
  };

  // Another step has other questions; while steps follow one another, none.
  const moved = new MutationObserver(() => {
    if (step !== root.dataset.step) {
      step = root.dataset.step;
      clean();
      const open = panel().querySelector('[data-ask-open]');
      if (open) {
        open.href = atStep(open.href, Number(step));
        return;
      }
      panel().setAttribute('aria-busy', 'true');
      late = true;
    }
    clearTimeout(waiting);
    if (late && play.getAttribute('aria-label') !== play.dataset.wordPause) waiting = setTimeout(load, pause, location.href);
  });
  moved.observe(root, { attributes: true, attributeFilter: ['data-step'] });
  moved.observe(play, { attributes: true, attributeFilter: ['aria-label'] });
  settle();
}
