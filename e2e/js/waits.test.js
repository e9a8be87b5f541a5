import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Reached } from '../../static/js/run-state.js';
import { waitTexts } from '../../static/js/run-waits.js';

const moments = JSON.parse(readFileSync(new URL('../../web/present/testdata/waits.json', import.meta.url), 'utf8'));

for (const { name, table, rows, quiet_s, sum, lines, more } of moments) {
  test(`the script says who waits as the server does: ${name}`, () => {
    const reached = new Reached(table);
    reached.take(rows);
    assert.deepEqual(waitTexts(table, reached, quiet_s, lines.length), { sum, lines, more });
  });
}

test('there are moments to compare', () => assert.ok(moments.length >= 10));
