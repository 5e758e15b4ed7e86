import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Markdown } from '../../../src/speakable/markdown.js';
import { SpeakableText } from '../../../src/speakable/speakable-text.js';
import { originalOf, spokenOf } from '../../../src/speakable/runs.js';
import { readPieces } from './read-pieces.js';

const PIECES = [
  [
    'One. ',
    'two',
    ' ',
    '\n',
    '\n\n',
    '5',
    '.',
    '1. ',
    '!',
    'h',
    'https',
    '://example.org/a',
    'Http',
    ' ^',
    '[a]',
    ' {>>a<<}',
    ' %',
    ' :ab',
    ':c',
    '%',
    'fTp',
    'w',
    'ww.',
    '漢字',
    '    ',
  ],
  [
    '*',
    '**b**',
    '`c`',
    '# ',
    '- ',
    '[a](b)',
    '![',
    '| a |\n',
    '|---|\n',
    '$x_1$',
    '$n$',
    '$3 ',
    '+ 4',
    '$',
    '\\(',
    '\\)',
    '&amp;',
    '[1]',
    ' [2]',
    '【4†a】',
    '<think>',
    '</think>',
    '```md\n',
    '```js\n',
    '```\n',
    '• ',
    ':',
    '─',
  ],
].flat();
const PIECE = fc.constantFrom(...PIECES);

describe('SpeakableText', () => {
  it('returns what the parser does, whichever piece it was loaded with', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(PIECE, { maxLength: 20 }), async (pieces) => {
        const markdown = new Markdown();
        const expected = [...markdown.push(pieces.join('')), ...markdown.end()];
        const { runs } = await readPieces(...pieces);
        assert.equal(spokenOf(runs), spokenOf(expected));
        assert.equal(originalOf(runs), pieces.join(''));
      }),
      { numRuns: process.env.SVC_LONG ? 50_000 : 1000 },
    );
  });

  it('does not load the parser for a text without marks', async () => {
    const text =
      'Hello, world! It is 5.50 (or so), a well-known C# "thing" – 42. It costs $3.50, or $4.\n\nHow? www, http and 100%\n1.5 %';
    const { runs, isLoaded } = await readPieces(...text.split(''));
    assert.equal(spokenOf(runs), text);
    assert.equal(isLoaded, false);
  });

  it('returns what precedes the first mark at once', () => {
    const text = new SpeakableText();
    assert.equal(spokenOf(text.push('Hello there. This is **bold**')), 'Hello there. This is');
    assert.equal(text.waits, true);
  });

  it('holds back what may become a mark, and gives it when nothing follows', async () => {
    for (const [written, held] of [
      ['42.', '42.'],
      ['It is $5', '$5'],
      ['Wow!', '!'],
      ['See https', 'https'],
      ['So it is. ', ' '],
      ['I like C#', '#'],
      ['Listen:', ':'],
      ['Ask c', ' c'],
    ] as const) {
      const text = new SpeakableText();
      assert.equal(spokenOf(text.push(written)), written.slice(0, -held.length));
      assert.equal(text.held, held);
      assert.equal(spokenOf(text.settle()), held);
    }
    // With the parser, likewise.
    for (const [written, held] of [
      ['*Is* it $5', '$5'],
      ['*Wow*!', '!'],
      ['*See* https', 'https'],
      ['*So* it is. ', ' '],
      ['*I* like C#', '#'],
      ['*Listen*:', ':'],
      ['*Ask* c', ' c'],
    ] as const) {
      const text = new SpeakableText();
      text.push(written);
      const known = spokenOf(await text.load());
      const spoken = written.replaceAll('*', '');
      assert.equal(known, spoken.slice(0, -held.length));
      assert.equal(text.held, held);
      assert.equal(spokenOf(text.settle()), held);
    }
    const parsed = new SpeakableText();
    assert.equal(parsed.push('*See* https://example.org/a.').length, 0);
    assert.equal(spokenOf(await parsed.load()), 'See ');
    assert.equal(parsed.held, 'https://example.org/a.');
    assert.equal(spokenOf(parsed.settle()), 'example.org.');
  });
});
