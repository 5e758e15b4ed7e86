import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heardCharacters } from '../../../src/playback/heard-text.js';

const TEXT = 'One two three four. Five six seven, eight nine ten.';

function heard(seconds: number, duration: number | null, text = TEXT): string {
  return text.slice(0, heardCharacters(text, seconds, duration));
}

describe('heardCharacters', () => {
  it('is 0 at the beginning, and the whole text at the end', () => {
    assert.equal(heard(0, 4), '');
    assert.equal(heard(Number.NaN, null), '');
    assert.equal(heard(4, 4), TEXT);
    assert.equal(heard(4, 4, `${TEXT} \n`), `${TEXT} \n`);
  });

  it('grows word by word, with the marks that follow a word', () => {
    const all = new Set(Array.from({ length: 400 }, (_, step) => heard(step / 100, 4)));
    const words = TEXT.split(' ');
    assert.deepEqual(
      [...all],
      ['', ...words].map((_, count) => words.slice(0, count).join(' ')),
    );
  });

  it('includes the pause after a sentence in its time', () => {
    const [withPause, without] = ['Aaaa. Aaaa', 'Aaaa Aaaa.'].map((text) => heard(0.5, 1, text));
    assert.equal(withPause, 'Aaaa.');
    assert.equal(without, 'Aaaa');
    assert.equal(heard(0.47, 1, 'Aaaa. Aaaa'), 'Aaaa.');
    assert.equal(heard(0.45, 1, 'Aaaa. Aaaa'), '');
  });

  it('assumes the pace of earlier speech, or else a usual one, while the duration is unknown', () => {
    assert.equal(heard(0.5, null), 'One two');
    const slow = [{ text: 'a'.repeat(800), seconds: 100 }];
    assert.equal(TEXT.slice(0, heardCharacters(TEXT, 0.5, null, slow)), 'One');
    assert.equal(heard(100, null), TEXT);
  });

  it('assigns pauses to punctuation marks', () => {
    const during = (seconds: number, duration: number | null, ...quiet: { from: number; to: number }[]): string =>
      TEXT.slice(0, heardCharacters(TEXT, seconds, duration, [], quiet));
    const pause = { from: 1.3, to: 1.8 };
    assert.equal(during(1.85, null), 'One two three four. Five six');
    assert.equal(during(1.85, null, pause), 'One two three four.');
    assert.equal(during(1.85, 4.2, pause, { from: 2.8, to: 3 }), 'One two three four.');
    // Too short for a pause: a part of a consonant.
    assert.equal(during(1.85, null, { from: 1.3, to: 1.38 }), 'One two three four. Five six');
  });

  it('assigns no time to a silence at the beginning', () => {
    const quiet = [{ from: 0, to: 0.9 }];
    assert.equal(heardCharacters(TEXT, 0.9, null, [], quiet), 0);
    assert.equal(heardCharacters(TEXT, 1.2, null, [], quiet), 'One'.length);
  });

  it('finds the marks of other scripts, and the ends of lines', () => {
    const quiet = [{ from: 0.4, to: 0.8 }];
    for (const text of [
      'aaaa؟ bbbb cccc',
      'कककक। खखखख गगगग',
      'aaaa – bbbb cccc',
      '«aaaa.» bbbb cccc',
      'aaaa\nbbbb cccc',
    ]) {
      const end = heardCharacters(text, 0.85, null, [], quiet);
      assert.equal(end, text.search(/[ \n][bख]/u), text);
    }
  });

  it('assigns more time to a digit than to a letter', () => {
    assert.equal(heard(0.5, 1, 'aaaa 42'), 'aaaa');
    assert.equal(heard(0.5, 1, '42 aaaa'), '');
    assert.equal(heard(0.5, 1, '€ aa'), '');
  });

  it('cuts Chinese and Japanese between words, not between characters', () => {
    const text = '今天天气很好。我们去公园。';
    const all = new Set(Array.from({ length: 100 }, (_, step) => heard(step / 100, 1, text)));
    assert.ok(all.has('今天'));
    assert.ok(all.has('今天天气很好。'));
    assert.ok(!all.has('今'));
  });

  it('assigns no time to symbols that are not spoken', () => {
    assert.equal(heard(0.5, 1, 'one ** two'), 'one **');
    assert.equal(heardCharacters('', 1, null), 0);
  });
});
