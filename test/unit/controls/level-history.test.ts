import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LevelHistory } from '../../../src/controls/level-history.js';

const levels = (history: LevelHistory, to: number): number[] =>
  Array.from({ length: to + 1 }, (_, bar) => history.levelOf(bar));

describe('LevelHistory', () => {
  it('keeps the loudest level of each bar', () => {
    const history = new LevelHistory(0.5, 8);
    history.note(0.1, 0.25);
    history.note(0.2, 0.75);
    history.note(0.4, 0.5);
    history.note(0.5, 0.125);
    assert.deepEqual(levels(history, 2), [0.75, 0.125, 0]);
  });

  it('fills a short gap, as after a late animation frame, and leaves a long one empty', () => {
    const history = new LevelHistory(1, 16);
    history.note(0, 0.5);
    history.note(3, 0.25);
    history.note(9, 1);
    assert.deepEqual(levels(history, 9), [0.5, 0.25, 0.25, 0.25, 0, 0, 0, 0, 0, 1]);
  });

  it('accepts a level at an earlier time, and keeps the later ones', () => {
    const history = new LevelHistory(1, 8);
    history.note(0, 0.25);
    history.note(1, 0.5);
    history.note(0.9, 0.75);
    assert.deepEqual(levels(history, 1), [0.75, 0.5]);
  });

  it('forgets levels that are older than its capacity', () => {
    const history = new LevelHistory(1, 4);
    for (let second = 0; second < 6; second++) history.note(second, 0.5);
    assert.deepEqual(levels(history, 6), [0, 0, 0.5, 0.5, 0.5, 0.5, 0]);
    history.note(0, 1);
    assert.equal(history.levelOf(4), 0.5, 'it lies where bar 0 was');
  });

  it('is empty when it is cleared', () => {
    const history = new LevelHistory(1, 4);
    history.note(2, 0.5);
    history.clear();
    assert.deepEqual(levels(history, 3), [0, 0, 0, 0]);
  });
});
