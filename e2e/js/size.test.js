import assert from 'node:assert/strict';
import test from 'node:test';

import { address, settled, takeResult } from '../../static/js/size.js';

test('the address of a form holds every field, escaped', () => {
  assert.equal(address('/zh/size', [['params', '3亿'], ['compute', ''], ['model', 'a&b']]), '/zh/size?params=3%E4%BA%BF&compute=&model=a%26b');
});

test('asking rests until nobody has asked for a while', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let asked = 0;
  const soon = settled(() => { asked += 1; }, 100);
  soon();
  t.mock.timers.tick(99);
  soon();
  t.mock.timers.tick(99);
  assert.equal(asked, 0);
  t.mock.timers.tick(1);
  assert.equal(asked, 1);
});

/** A page with results, which are old or new. */
function page(old) {
  const classes = new Set(old ? ['old'] : []);
  const result = {
    classList: { contains: (name) => classes.has(name), add: (name) => classes.add(name) },
    replaceWith: (other) => { result.replaced = other; },
  };
  const note = { hidden: true, textContent: '', dataset: { old: 'the last results' } };
  const links = {};
  return {
    result, note, links,
    getElementById: (id) => (id === 'size-result' ? result : note),
    querySelector: (selector) => {
      links[selector] ??= { href: '', getAttribute: () => `${selector} of the answer` };
      return links[selector];
    },
  };
}

test('new results replace the last ones, and so do the links', () => {
  const [here, answer] = [page(false), page(false)];
  here.note.hidden = false;
  assert.equal(takeResult(here, answer), true);
  assert.equal(here.result.replaced, answer.result);
  assert.equal(here.note.hidden, true);
  assert.equal(here.links['#size-save'].href, '#size-save of the answer');
});

test('the last results stay, marked, while a field cannot be read', () => {
  const here = page(false);
  assert.equal(takeResult(here, page(true)), false);
  assert.equal(here.result.replaced, undefined);
  assert.equal(here.result.classList.contains('old'), true);
  assert.equal(here.note.hidden, false);
  assert.equal(here.note.textContent, 'the last results');
});
