/** Values are converted as Web IDL does for `boolean` and `double`, and refused as HTML does for media elements. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SoundSettings } from '../../../src/element/sound-settings.js';

let events: (string | undefined)[] = [];
let settings: SoundSettings;

beforeEach(() => {
  events = [];
  settings = new SoundSettings(() => false, { soundChanged: (event) => events.push(event), outputChanged: () => {} });
});

/** Sets a property. Returns its value, or the name of the error. */
function set(name: 'volume' | 'playbackRate' | 'defaultPlaybackRate' | 'muted' | 'preservesPitch', value: unknown) {
  try {
    Reflect.set(settings, name, value);
    return settings[name];
  } catch (error) {
    return (error as Error).name;
  }
}

/** Values of any type as numbers between 0.5 and 1, and values that are no finite number. */
const numbers: [unknown, number | 'TypeError'][] = [
  ['0.5', 0.5],
  [' 1 ', 1],
  [true, 1],
  [[0.75], 0.75],
  [{ valueOf: () => 0.75 }, 0.75],
  [{ toString: () => '0.75' }, 0.75],
  ...['loud', 'false', undefined, {}, () => {}, 1n, Symbol('volume'), Number.NaN, Infinity, -Infinity].map(
    (value): [unknown, 'TypeError'] => [value, 'TypeError'],
  ),
];
const label = (value: unknown): string => `${typeof value} ${String(value)}`;

describe('The volume of a speaker', () => {
  it('is a finite number from 0 to 1', () => {
    for (const [value, expected] of [...numbers, [0, 0], ['', 0], [null, 0], [false, 0], [[], 0]] as const) {
      assert.equal(set('volume', value), expected, label(value));
    }
    for (const value of [-0.1, -1, 1.5, 100]) assert.equal(set('volume', value), 'IndexSizeError', label(value));
    assert.equal(settings.volume, 0);
  });

  it('has an event for each change, together with muted', () => {
    for (const volume of [0.5, 0.5, 1, 1]) settings.volume = volume;
    for (const muted of [true, true, false, false]) settings.muted = muted;
    assert.deepEqual(events, Array(4).fill('volumechange'));
  });
});

for (const name of ['playbackRate', 'defaultPlaybackRate'] as const) {
  describe(`The ${name} of a speaker`, () => {
    it('is a finite number from 0.5 to 2', () => {
      for (const [value, expected] of [...numbers, [2, 2]] as const) {
        assert.equal(set(name, value), expected, label(value));
      }
      for (const value of [0, '', null, false, [], 0.49, 2.01, -1, 100]) {
        assert.equal(set(name, value), 'NotSupportedError', label(value));
      }
      assert.equal(settings[name], 2);
    });

    it('has an event for each change', () => {
      for (const rate of [1.5, 1.5, 0.5, 0.5]) settings[name] = rate;
      assert.deepEqual(events, ['ratechange', 'ratechange']);
    });
  });
}

for (const name of ['muted', 'preservesPitch'] as const) {
  it(`${name} of a speaker converts any value to a boolean`, () => {
    for (const value of [true, 1, -1, 'false', ' ', [], {}, () => {}, 1n, Symbol(name), Infinity]) {
      assert.equal(set(name, value), true, label(value));
    }
    for (const value of [false, 0, '', null, undefined, 0n, Number.NaN]) {
      assert.equal(set(name, value), false, label(value));
    }
  });
}
