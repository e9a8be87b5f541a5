import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateWords } from '../../static/js/run.js';
import { cellsOf, lanesOf, says } from '../../static/js/run-paint.js';
import { Reached, finishedAt } from '../../static/js/run-state.js';

// Two ranks swap one block each and add: rank 0 sends block 1, rank 1 block 0,
// then each hands its sum back.
const table = {
  outcome: 'running', ranks: 2, rows: 2, rounds: 2, slices: 2, warmups: 1, iterations: 3, needs: 2, masks: true, levels: ['h0', 'h4', 'h8'],
  start: [[1, 0], [1, 0], [2, 0], [2, 0]],
  steps: [
    [0, 1, 1, 1, 1, [[3, 3, 1]]],
    [1, 0, 1, 0, 1, [[0, 3, 1]]],
    [0, 1, 2, 0, 1, [[2, 3, 1]], [1]],
    [1, 0, 2, 1, 1, [[1, 3, 1]], [0]],
  ],
  ends: [[900, 1000], [1900, 2000], [2900, 3000], [-1, -1]],
  marks: [0, 2000, 3000],
  words: {
    finished: 'finished', idle: 'idle', receives: 'recv {block} from {peer}{share}', sends: 'send {block} to {peer}{share}', waits: 'waits for {peer}',
    running: '{iteration}/{iterations} {step}/{steps}', warmup: 'warm {iteration}/{iterations}', queued: 'behind {ahead}', next: 'next', starting: 'starting',
    elapsed: '{time}', left: '{time} left {left}',
  },
};

test('a cell shows what its latest arrived step has left there', () => {
  const reached = new Reached(table);
  assert.deepEqual(cellsOf(table, reached), table.start);
  reached.take([[0, 0, 1, 1, 5, 0], [1, 0, 0, 2, 5, 0]]);
  assert.deepEqual(cellsOf(table, reached)[3], [2, 0], 'half of a block has not arrived');
  reached.take([[1, 0, 1, 2, 9, 0]]);
  assert.deepEqual(cellsOf(table, reached)[3], [3, 1]);
});

test('rows of a later iteration begin the rank anew', () => {
  const reached = new Reached(table);
  reached.take([[1, 0, 1, 2, 9, 0], [0, 0, 1, 1, 8, 0]]);
  reached.take([[1, 1, 0, 1, 1, 1]]);
  assert.equal(reached.arrived(0), false);
  assert.equal(reached.left(0), true, 'the other rank is where it was');
  reached.take([[1, 0, 1, 2, 9, 0]]);
  assert.equal(reached.arrived(0), false, 'rows of the past change nothing');
});

test('a rank waits for what cannot have left yet', () => {
  const reached = new Reached(table);
  reached.take([[0, 0, 1, 1, 5, 0], [1, 0, 1, 2, 5, 0]]); // block 1 has come to rank 1
  const lanes = lanesOf(table, reached);
  assert.deepEqual(says(table, reached, lanes[0]), { state: 'moves', lines: ['recv 0 from 1', ''] });
  assert.deepEqual(says(table, reached, lanes[1]), { state: 'moves', lines: ['waits for 0', 'send 0 to 0'] });
  reached.take([[1, 1, 0, 1, 6, 0], [0, 1, 0, 2, 6, 0]]);
  assert.equal(says(table, reached, lanesOf(table, reached)[0]).lines[0], 'recv 0 from 1 50%');
});

test('the words above the grid', () => {
  const reached = new Reached(table);
  const message = (change) => ({ run: { outcome: 'running' }, ahead: 0, iteration: -1, elapsed_s: 0.5, ...change });
  assert.equal(stateWords(table, message({ run: { outcome: 'queued' }, ahead: 2 }), reached).state, 'behind 2');
  assert.equal(stateWords(table, message({ run: { outcome: 'queued' } }), reached).state, 'next');
  assert.equal(stateWords(table, message({}), reached).state, 'starting');
  assert.equal(stateWords(table, message({ iteration: 0 }), reached).state, 'warm 1/1');
  const half = stateWords(table, message({ iteration: 2, elapsed_s: 10 }), reached);
  assert.deepEqual(half, { state: '2/3 1/2', times: '10 s left 10 s', share: 0.5 });
});

test('a trace is seen as it was at a moment', () => {
  const final = (at) => cellsOf(table, finishedAt(table, at)).filter(([, f]) => f === 1).length;
  assert.deepEqual([0, 1000, 2000, 3000, 9000].map(final), [0, 1, 2, 3, 3]);
});
