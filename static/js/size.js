// The sizing page answers while one types: it asks the server for the page of
// the form's own address and takes over the parts that changed. Without this
// script a button does the same. Nothing is computed here.

/** How long typing must rest before the server is asked, in milliseconds. */
const rest = 250;

/**
 * The address that a form leads to.
 * @param {string} action
 * @param {Iterable<[string, string]>} fields
 */
export function address(action, fields) {
  const query = new URLSearchParams();
  for (const [name, value] of fields) query.append(name, value);
  return `${action}?${query}`;
}

/**
 * Calls f once nothing has asked for it for a while.
 * @param {() => void} f
 * @param {number} wait milliseconds
 */
export function settled(f, wait) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(f, wait);
  };
}

/**
 * Takes what the server says of each field into the page. What was typed stays,
 * but a field that nobody is typing into shows the value that was taken.
 * @param {Document} page
 * @param {Document} answer
 */
export function takeFields(page, answer) {
  for (const said of answer.querySelectorAll('[data-field]')) {
    const field = page.querySelector(`[data-field="${said.dataset.field}"]`);
    field.querySelector('.says').replaceChildren(...said.querySelector('.says').childNodes);
    const [input, theirs] = [field, said].map((f) => f.querySelector('input, select'));
    if (theirs.hasAttribute('aria-invalid')) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    input.placeholder = theirs.placeholder;
    if (input !== page.activeElement) input.value = theirs.value;
  }
  const subs = answer.querySelectorAll('[data-sub]');
  page.querySelectorAll('[data-sub]').forEach((sub, i) => { sub.textContent = subs[i].textContent; });
}

/**
 * Takes the results over, unless a field could not be read: then the last ones
 * stay, marked as old.
 * @param {Document} page
 * @param {Document} answer
 * @returns {boolean} whether they are new
 */
export function takeResult(page, answer) {
  const result = page.getElementById('size-result');
  const old = page.getElementById('size-old');
  const fresh = answer.getElementById('size-result');
  if (fresh.classList.contains('old')) {
    result.classList.add('old');
    if (old.hidden) old.textContent = old.dataset.old;
    old.hidden = false;
    return false;
  }
  result.replaceWith(fresh);
  old.hidden = true;
  for (const link of ['#size-save', '.appbar a[hreflang]']) {
    page.querySelector(link).href = answer.querySelector(link).getAttribute('href');
  }
  return true;
}

/**
 * Lets the form of the page answer by itself.
 * @param {Document} document
 */
export function installSize(document) {
  const window = document.defaultView;
  const form = document.querySelector('.size-form');
  const unreached = document.getElementById('size-unreached');
  const said = document.getElementById('size-said');
  form.querySelector('[data-plain]').hidden = true;
  form.querySelector('[data-live]').hidden = false;

  /** @type {AbortController | undefined} */
  let asking;
  const ask = async () => {
    const url = address(form.getAttribute('action'), new FormData(form));
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    window.history.replaceState(null, '', url);
    try {
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (signal.aborted) return;
      unreached.hidden = true;
      takeFields(document, answer);
      if (takeResult(document, answer)) said.textContent = document.querySelector('[data-headline]').dataset.headline;
    } catch {
      if (signal.aborted) return;
      unreached.hidden = false;
      document.getElementById('size-result').classList.add('old');
    }
  };
  const soon = settled(ask, rest);

  form.addEventListener('input', (event) => {
    // A count of one's own is no preset's.
    if (event.target.name === 'params') form.elements.namedItem('model').value = 'custom';
    soon();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask();
  });
  form.addEventListener('click', (event) => {
    const fix = event.target.closest('[data-fix]');
    if (!fix) return;
    event.preventDefault();
    const input = fix.closest('[data-field]').querySelector('input');
    input.value = new URL(fix.href).searchParams.get(input.name);
    input.focus();
    ask();
  });
}

/**
 * Shows the buttons that print the page.
 * @param {Document} document
 */
export function installPrint(document) {
  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => document.defaultView.print());
  }
}
