import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Block } from '../../../src/reader/readable-text.js';
import { Sentences } from '../../../src/reader/sentences.js';

describe('The sentences of a page', () => {
  const blockOf = (text: string): Block => ({ text, language: 'en' }) as Block;

  it('are ranges of the text of a block, at least one', async () => {
    const sentences = new Sentences('');
    assert.deepEqual(await sentences.of(blockOf('  One is here.  Two. ')), [
      { from: 2, to: 14 },
      { from: 16, to: 20 },
    ]);
    assert.deepEqual(await sentences.of(blockOf(' ')), [{ from: 0, to: 1 }]);
  });

  it('are kept for the blocks around the one that is read, and not for all of a long text', async () => {
    const sentences = new Sentences('');
    const blocks = Array.from({ length: 40 }, (_, index) => blockOf(`Block ${index}.`));
    for (const block of blocks) await sentences.of(block);
    const isKnown = blocks.map((block) => !(sentences.of(block) instanceof Promise));
    assert.deepEqual(isKnown, [...Array<boolean>(24).fill(false), ...Array<boolean>(16).fill(true)]);
  });
});
