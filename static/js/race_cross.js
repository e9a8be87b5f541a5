// Moves the size on the chart of both times: at once the line, from the table
// that the server has drawn up, and when it rests all of the page, which the
// server draws again.

/**
 * A place is x, the middle of the word, the word, and for each dot its y, the
 * index of a side and its word.
 * @typedef {{low: number, sides: [number, number, string][], places: any[][], says: string[], sizes: string[]}} Table
 */

const pause = 250; // ms without a change before asking

/**
 * The stop nearest to a place on the chart.
 * @param {any[][]} places
 * @param {number} x
 */
export function nearest(places, x) {
  let best = 0;
  for (let i = 1; i < places.length; i++) {
    if (Math.abs(places[i][0] - x) < Math.abs(places[best][0] - x)) best = i;
  }
  return best;
}

/**
 * @param {HTMLElement} race
 * @param {(fresh: Element) => void} redraw
 */
export function installCross(race, redraw) {
  const panel = race.querySelector('[data-cross]');
  const form = panel.querySelector('form');
  if (!form) return;
  const table = /** @type {Table} */ (JSON.parse(panel.querySelector('#race-cross').textContent));
  const slider = /** @type {HTMLInputElement} */ (form.querySelector('input[type="range"]'));
  const says = form.querySelector('output');
  const chart = /** @type {SVGSVGElement} */ (panel.querySelector('svg.chart'));
  const [line, word, ...dots] = chart.querySelectorAll('[data-cursor]');
  const first = slider.value;
  let waiting = 0;
  /** @type {AbortController | undefined} */
  let asking;

  const stop = () => Number(slider.value) - table.low;
  const show = () => {
    clearTimeout(waiting);
    asking?.abort();
    const [x, middle, label, ...rest] = table.places[stop()];
    line.setAttribute('transform', `translate(${x} 0)`);
    word.setAttribute('x', middle);
    word.textContent = label;
    dots.forEach((dot, i) => {
      const [y, side, text] = rest.slice(3 * i);
      const [dx, dy, anchor] = table.sides[side];
      dot.setAttribute('transform', `translate(${x} ${y})`);
      const words = dot.lastElementChild;
      words.setAttribute('x', dx);
      words.setAttribute('y', dy);
      words.setAttribute('text-anchor', anchor);
      words.textContent = text;
    });
    says.textContent = table.says[stop()];
    slider.setAttribute('aria-valuetext', table.says[stop()]);
    race.classList.toggle('stale', slider.value !== first);
  };

  const ask = async () => {
    const url = new URL(location.href);
    url.searchParams.set('size', table.sizes[stop()]);
    url.searchParams.delete('t');
    asking = new AbortController();
    try {
      const answer = await fetch(url, { signal: asking.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-race]');
      history.replaceState(null, '', url);
      redraw(fresh);
    } catch (error) {
      // What was shown last stays, dimmed, and the button asks once more.
      if (error.name !== 'AbortError') panel.classList.remove('live');
    }
  };
  const soon = () => {
    clearTimeout(waiting);
    if (slider.value !== first) waiting = setTimeout(ask, pause);
  };

  panel.classList.add('live');
  slider.addEventListener('input', show);
  slider.addEventListener('change', soon);
  const move = (event) => {
    const at = chart.getScreenCTM();
    slider.value = String(table.low + nearest(table.places, (event.clientX - at.e) / at.a));
    show();
  };
  chart.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    event.preventDefault(); // no text is selected
    chart.setPointerCapture(event.pointerId);
    move(event);
  });
  chart.addEventListener('pointermove', (event) => {
    if (chart.hasPointerCapture(event.pointerId)) move(event);
  });
  chart.addEventListener('lostpointercapture', soon);
}
