import assert from 'node:assert/strict';
import test from 'node:test';

import { installSearch } from '../../static/js/find.js';

/** A page with the search, whose server answers with what stands in pages. */
function page(pages) {
  const place = {
    children: ['the index'],
    replaceChildren: (...children) => { place.children = children; },
    querySelector: () => ({ textContent: place.children.join() }),
  };
  const said = { textContent: '' };
  const field = { value: '', addEventListener: (_, listener) => { field.typed = listener; } };
  const link = { search: '' };
  const asked = [];
  const shown = [];
  let due = () => {};
  const window = {
    setTimeout: (look) => { due = look; return 1; },
    clearTimeout: () => { due = () => {}; },
    history: { replaceState: (_state, _title, url) => shown.push(url) },
    DOMParser: class {
      parseFromString(text) {
        return { querySelector: () => (text ? { children: [text] } : null) };
      }
    },
  };
  const document = {
    defaultView: window,
    querySelector: (what) => (what === '[data-found]' ? place : said),
    querySelectorAll: () => [link],
  };
  const form = { action: '/zh/learn', elements: { namedItem: () => field } };
  globalThis.fetch = async (url, { signal }) => {
    asked.push({ url, signal });
    return { ok: true, text: async () => pages[url] ?? '' };
  };
  installSearch(form, document);
  return {
    place, said, link, asked, shown,
    type: (text) => { field.value = text; field.typed(); },
    rest: () => due(),
  };
}

test('answers come while one types, and the address follows', async () => {
  const p = page({ '/zh/learn?q=ring': 'three answers' });
  p.type('r');
  p.type('ring'); // the first never asks
  await p.rest();
  assert.deepEqual(p.asked.map(({ url }) => url), ['/zh/learn?q=ring']);
  assert.deepEqual(p.place.children, ['three answers']);
  assert.equal(p.said.textContent, 'three answers');
  assert.deepEqual(p.shown, ['/zh/learn?q=ring']);
  assert.equal(p.link.search, '?q=ring'); // so does the other language
});

test('an empty field shows the index again', async () => {
  const p = page({ '/zh/learn?q=x': 'nothing', '/zh/learn': 'the index' });
  p.type('x');
  await p.rest();
  p.type(' ');
  await p.rest();
  assert.deepEqual(p.place.children, ['the index']);
  assert.equal(p.link.search, '');
});

test('a later key stops the question before it', async () => {
  const p = page({ '/zh/learn?q=a': 'one', '/zh/learn?q=ab': 'two' });
  p.type('a');
  const first = p.rest();
  p.type('ab');
  await Promise.all([first, p.rest()]);
  assert.equal(p.asked[0].signal.aborted, true);
  assert.deepEqual(p.place.children, ['two']);
});

test('what is no such page changes nothing', async () => {
  const p = page({});
  p.type('ring');
  await p.rest();
  assert.deepEqual(p.place.children, ['the index']);
  assert.deepEqual(p.shown, []);
});
