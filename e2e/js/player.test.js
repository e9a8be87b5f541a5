import assert from 'node:assert/strict';
import test from 'node:test';

import { atStep, contributors, keyAction, phaseTarget, states, stepAt, tickClass } from '../../static/js/player_steps.js';

const step = (phase, end, rest = {}) => ({ phase, end_s: end, ...rest });
const steps = [step(-1, 0), step(0, 1), step(0, 2), step(0, 3), step(1, 4), step(1, 5), step(1, 6)];

test('a state is an index', () => {
  const table = { who: [1, 2], steps: [step(-1, 0, { final: [1] }), step(0, 1, { changed: [[0, 3]] }), step(0, 2, { changed: [[1, 3]], final: [0] })] };
  const all = states(table);
  assert.deepEqual(all.map((state) => [...state.who]), [[1, 2], [3, 2], [3, 3]]);
  assert.deepEqual(all.map((state) => [...state.final]), [[0, 1], [0, 1], [1, 1]]);
});

test('contributors are counted from a set, and given beyond 32 ranks', () => {
  assert.equal(contributors(0b1011, 4), 3);
  assert.equal(contributors(2 ** 31 + 1, 32), 2);
  assert.equal(contributors(40, 64), 40);
});

test('a tick says whether the contribution is there, new, on its way or missing', () => {
  assert.equal(tickClass(true, true, false), 'tick-on');
  assert.equal(tickClass(false, true, false), 'tick-in');
  assert.equal(tickClass(false, true, true), 'tick-new');
  assert.equal(tickClass(false, false, true), 'tick-off');
});

test('Shift and an arrow go to the ends of phases', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 6].map((at) => phaseTarget(steps, at, 1)), [3, 3, 3, 6, 6, 6]);
  assert.deepEqual([0, 1, 3, 4, 6].map((at) => phaseTarget(steps, at, -1)), [0, 0, 0, 3, 3]);
});

test('a time belongs to the step that is under way', () => {
  assert.deepEqual([0, 0.5, 1, 5.9, 6, 7].map((time) => stepAt(steps, time)), [1, 1, 2, 6, 6, 6]);
});

test('keys ask for what the help says', () => {
  const press = (key, shiftKey = false, ctrlKey = false) => keyAction({ key, shiftKey, ctrlKey, metaKey: false, altKey: false });
  assert.deepEqual([' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End', '[', ']', 'g', 'C', 'P', 'b', '?', 'PageUp', 'PageDown', 'Escape'].map((key) => press(key)),
    ['play', 'prev', 'next', 'first', 'last', 'slower', 'faster', 'go', 'compare', 'present', 'blank', 'help', 'prev', 'next', 'leave']);
  assert.equal(press('ArrowLeft', true), 'phase-prev');
  assert.equal(press('ArrowRight', true), 'phase-next');
  assert.equal(press('p', false, true), '', 'the browser keeps its own keys');
  assert.equal(press('x'), '');
});

test('another step keeps the rest of the address', () => {
  assert.equal(atStep('http://h/zh/learn/a/b?n=4&step=2', 3), 'http://h/zh/learn/a/b?n=4&step=3');
  assert.equal(atStep('http://h/zh/learn/a/b?n=4&step=2#code', 0), 'http://h/zh/learn/a/b?n=4#code');
});

test('what an address says about its step goes with the step', () => {
  const asked = 'http://h/zh/learn/a/b?n=4&step=2&ask=value&who=1&of=0&guess=1&guess=2';
  assert.equal(atStep(asked, 2), asked);
  assert.equal(atStep(asked, 3), 'http://h/zh/learn/a/b?n=4&step=3&ask=value');
  assert.equal(atStep('http://h/zh/learn/a/b?ask=next&who=1&block=0&to=2', 0), 'http://h/zh/learn/a/b?ask=next&who=1&block=0&to=2');
});
