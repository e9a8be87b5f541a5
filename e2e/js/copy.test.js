import assert from 'node:assert/strict';
import test from 'node:test';

import { installCopy, oneLine } from '../../static/js/copy.js';

/** A page with one command and its button. */
function page() {
  const command = { textContent: '\n  console run  --ranks 4 \n ' };
  const said = { textContent: '复制' };
  const button = {
    hidden: true,
    dataset: { copied: '已复制' },
    parentElement: { querySelector: () => command },
    querySelector: () => said,
    addEventListener: (_, listener) => {
      button.click = listener;
    },
  };
  const selected = [];
  const document = {
    querySelectorAll: () => [button],
    getSelection: () => ({ selectAllChildren: (node) => selected.push(node) }),
  };
  return { document, button, command, said, selected };
}

test('the button copies the command as one line and says so', async () => {
  const { document, button, said } = page();
  const copied = [];
  installCopy(document, { writeText: async (text) => copied.push(text) });
  assert.equal(button.hidden, false);
  await button.click();
  assert.deepEqual(copied, ['console run --ranks 4']);
  assert.equal(said.textContent, '已复制');
});

test('where copying is not allowed, the command is selected', async () => {
  const { document, button, command, said, selected } = page();
  installCopy(document, { writeText: async () => { throw new Error('denied'); } });
  await button.click();
  assert.deepEqual(selected, [command]);
  assert.equal(said.textContent, '复制');
});

test('without a clipboard the button stays hidden', () => {
  const { document, button } = page();
  installCopy(document, undefined);
  assert.equal(button.hidden, true);
});

test('a command becomes one line', () => {
  assert.equal(oneLine(' a\n b\t c '), 'a b c');
});
