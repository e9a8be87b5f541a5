// A page that follows how things stand: the server answers when
// something has changed, and the parts that have are put in place of the old.

const patience = [1000, 2000, 5000, 10000];

/**
 * Follows it for as long as the page is there.
 * @param {HTMLElement} root
 */
export async function installFollow(root) {
  let failed = 0;
  while (root.dataset.poll && root.isConnected) {
    try {
      const answer = await fetch(`${root.dataset.poll}?since=${root.dataset.seq}`);
      if (answer.redirected) return; // logged out
      if (answer.status === 200) await renew(root);
      else if (answer.status !== 204) throw new Error(String(answer.status));
      failed = 0;
    } catch {
      const wait = patience[Math.min(failed++, patience.length - 1)];
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
}

/**
 * Fetches the page and takes over what differs.
 * @param {HTMLElement} root
 */
async function renew(root) {
  const answer = await fetch(root.dataset.poll.replace(/\/changes$/, ''), { headers: { Accept: 'text/html' } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = /** @type {HTMLElement} */ (page.querySelector('[data-follow]'));
  for (const part of root.querySelectorAll('[data-swap]')) {
    const other = fresh.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (other) swap(part, other, document);
  }
  root.dataset.seq = fresh.dataset.seq;
}

/**
 * Replaces the content of a part, and keeps what the visitor has opened and
 * where they are.
 * @param {Element} part
 * @param {Element} other
 * @param {Document} document
 */
export function swap(part, other, document) {
  if (part.innerHTML === other.innerHTML) return;
  const focus = document.activeElement?.id;
  for (const open of part.querySelectorAll('details[open]')) {
    other.querySelector(`#${open.id}`)?.setAttribute('open', '');
  }
  part.replaceChildren(...other.childNodes);
  if (focus) document.getElementById(focus)?.focus();
}
