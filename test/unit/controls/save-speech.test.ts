import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileName } from '../../../src/controls/save-speech.js';

describe('The name of a saved file', () => {
  for (const [text, name] of [
    ['The tide turns twice a day, and nobody has to ask it.', 'The tide turns twice a day'],
    ['Hello.', 'Hello'],
    ['  Wann?\nHeute: um 12/13 Uhr ', 'Wann Heute um 12 13 Uhr'],
    ['C:\\temp\\"x" <y>|*', 'C temp x y'],
    ['...hidden', 'hidden'],
    ['../../etc/passwd', 'etc passwd'],
    ['a\u{202E}vaw.exe', 'a vaw.exe'],
    ['', 'speech'],
    ['?!', 'speech'],
    ['潮'.repeat(100), '潮'.repeat(48)],
    ['😀'.repeat(60), '😀'.repeat(48)],
  ] as const) {
    it(`is made of its first words: ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.equal(fileName(text, 'speech'), name));
  }
});
