// The story of the central collector recomputes while a person types or
// slides. The server computes: the page is fetched again and its results take
// the place of the old ones, which stay, dimmed, until then.

const pause = 250; // ms without a change before asking

/**
 * The address that the form leads to, as the browser itself would send it.
 * @param {HTMLFormElement} form
 */
export function address(form) {
  const query = new URLSearchParams(
    /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form))),
  );
  return `${form.action}?${query}`;
}

/**
 * Puts the results, notes and hints of the answer in place of those shown.
 * @param {Element} story
 * @param {Document} answer
 */
function show(story, answer) {
  const results = answer.querySelector('[data-results]');
  if (!results) return;
  story.querySelector('[data-results]').replaceWith(results);
  for (const kind of ['wrong', 'hint']) {
    for (const fresh of answer.querySelectorAll(`[data-${kind}]`)) {
      const shown = story.querySelector(`[data-${kind}="${fresh.getAttribute(`data-${kind}`)}"]`);
      if (!shown) continue;
      shown.textContent = fresh.textContent;
      shown.toggleAttribute('hidden', fresh.hasAttribute('hidden'));
      const field = shown.parentElement.querySelector('input, select');
      if (kind === 'wrong' && field) field.setAttribute('aria-invalid', String(!fresh.hasAttribute('hidden')));
    }
  }
  story.querySelector('[data-live]').textContent = results.querySelector('[data-say]').textContent;
}

/**
 * @param {Element} story
 */
export function installStory(story) {
  const form = story.querySelector('form');
  let waiting = 0;
  /** @type {AbortController | undefined} */
  let asking;

  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const url = address(form);
    try {
      const answer = await fetch(url, { signal: asking.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      show(story, new DOMParser().parseFromString(await answer.text(), 'text/html'));
      history.replaceState(null, '', url);
    } catch (error) {
      // The last results stay on screen, dimmed; the button still asks.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  };
  const soon = () => {
    story.querySelector('[data-results]').classList.add('stale');
    clearTimeout(waiting);
    waiting = setTimeout(ask, pause);
  };

  for (const slider of form.querySelectorAll('input[data-slides]')) {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(slider.dataset.slides));
    slider.hidden = false;
    slider.addEventListener('input', () => { field.value = slider.value; });
    field.addEventListener('input', () => { slider.value = field.value; });
  }
  form.addEventListener('input', soon);
}
