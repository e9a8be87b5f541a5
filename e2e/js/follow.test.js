import assert from 'node:assert/strict';
import test from 'node:test';

import { swap } from '../../static/js/follow.js';

/** A part of the page: some details, of which those named are open. */
function part(html, open = []) {
  const details = ['node-0-all', 'node-1-all'].map((id) => ({
    id,
    open: open.includes(id),
    setAttribute(name) {
      this[name] = true;
    },
  }));
  return {
    innerHTML: html,
    childNodes: details,
    querySelectorAll: () => details.filter((d) => d.open),
    querySelector: (selector) => details.find((d) => `#${d.id}` === selector),
    replaceChildren(...nodes) {
      this.childNodes = nodes;
    },
  };
}

test('what a visitor has opened stays open, and they stay where they are', () => {
  const focused = [];
  const document = { activeElement: { id: 'node-1-drain' }, getElementById: (id) => ({ focus: () => focused.push(id) }) };
  const old = part('<p>ready</p>', ['node-1-all']);
  const fresh = part('<p>draining</p>');
  swap(old, fresh, document);
  assert.deepEqual(old.childNodes.map((d) => d.open), [false, true]);
  assert.deepEqual(focused, ['node-1-drain']);
});

test('what is the same is left alone', () => {
  const document = { activeElement: null, getElementById: () => assert.fail('looked for') };
  const old = part('<p>ready</p>');
  const before = old.childNodes;
  swap(old, part('<p>ready</p>'), document);
  assert.equal(old.childNodes, before);
});
