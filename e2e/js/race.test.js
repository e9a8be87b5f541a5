import assert from 'node:assert/strict';
import test from 'node:test';
import { nearest } from '../../static/js/race_cross.js';

test('the stop nearest to a place on the chart', () => {
  const places = [[10], [20], [30.5]];
  assert.equal(nearest(places, -5), 0);
  assert.equal(nearest(places, 15), 0);
  assert.equal(nearest(places, 15.1), 1);
  assert.equal(nearest(places, 26), 2);
  assert.equal(nearest(places, 999), 2);
});
