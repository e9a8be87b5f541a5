// The search: while somebody types, the answers come from the very page that
// the form leads to, and the address follows.

/** How long to wait after a key, in milliseconds, before asking. */
const pause = 150;

/**
 * Lets the form of a page search while its field is typed in.
 * @param {HTMLFormElement} form
 * @param {Document} document
 */
export function installSearch(form, document) {
  const place = document.querySelector('[data-found]');
  if (!place) return; // a page that leads to the search
  const { defaultView: window } = document;
  const said = document.querySelector('[data-said]');
  const field = form.elements.namedItem('q');
  let timer = 0;
  let asked = new AbortController();

  const look = async () => {
    const query = field.value.trim();
    const url = form.action + (query && `?q=${encodeURIComponent(query)}`);
    asked.abort();
    asked = new AbortController();
    try {
      const answer = await fetch(url, { signal: asked.signal });
      const page = new window.DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.querySelector('[data-found]');
      if (!answer.ok || !fresh) return;
      place.replaceChildren(...fresh.children);
      said.textContent = place.querySelector('h2')?.textContent ?? '';
      window.history.replaceState(null, '', url);
      for (const link of document.querySelectorAll('a[hreflang]')) link.search = query && `?q=${encodeURIComponent(query)}`;
    } catch {
      // A later key has come first, or nobody answers: the button still asks.
    }
  };
  field.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(look, pause);
  });
}
