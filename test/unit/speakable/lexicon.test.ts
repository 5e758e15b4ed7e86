import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeLexicon } from '../../../src/speakable/lexicon.js';
import { Markdown } from '../../../src/speakable/markdown.js';
import { originalOf, spokenOf } from '../../../src/speakable/runs.js';

function say(text: string, lexicon: Record<string, string>): string {
  return spokenOf(makeLexicon(lexicon)([{ original: text, spoken: text }]));
}

describe('makeLexicon', () => {
  it('replaces whole words', () => {
    assert.equal(say('SQL, MySQL and SQL.', { SQL: 'sequel' }), 'sequel, MySQL and sequel.');
    assert.equal(say("SQL's and SQL’s, can't can", { SQL: 'sequel', can: 'tin' }), "sequel's and sequel’s, can't tin");
    assert.equal(say('example.org, an example. Org', { example: 'sample', org: 'o' }), 'example.org, an sample. o');
    assert.equal(
      say('C++ and .NET: C++11', { 'C++': 'C plus plus', '.NET': 'dot net' }),
      'C plus plus and dot net: C plus plus11',
    );
    assert.equal(say('well-known', { known: 'famous' }), 'well-famous');
  });

  it('tells capitals from small letters only for an entry with a capital', () => {
    assert.equal(say('US us Us', { US: 'U. S.' }), 'U. S. us Us');
    assert.equal(say('Nginx NGINX nginx', { nginx: 'engine x' }), 'engine x engine x engine x');
  });

  it('prefers the longest entry', () => {
    const lexicon = { New: 'nu', 'New York': 'N. Y.', 'New York City': 'N. Y. C.' };
    assert.equal(say('New York City, New York, New Jersey', lexicon), 'N. Y. C., N. Y., nu Jersey');
  });

  it('knows words of any script', () => {
    assert.equal(say('Жук и жуки', { жук: 'жюк' }), 'жюк и жуки');
    assert.equal(say('東京都は東京', { 東京: 'とうきょう' }), 'とうきょう都はとうきょう');
    assert.equal(say('naïve na', { na: 'x' }), 'naïve x');
    assert.equal(say('cafe\u0301 cafe', { cafe: 'x' }), 'cafe\u0301 x');
    assert.equal(say('สวัสดีครับ', { สวัสดี: 'ไฮ' }), 'ไฮครับ');
  });

  it('replaces words between marks, and keeps the original', () => {
    const markdown = new Markdown();
    const text = 'Use **SQL** or `New` York.';
    const runs = [...markdown.push(text), ...markdown.end()];
    const replaced = makeLexicon({ SQL: 'sequel', 'New York': 'N. Y.' })(runs);
    assert.equal(spokenOf(replaced), 'Use sequel or N. Y..');
    assert.equal(originalOf(replaced), text);
  });

  it('ignores an empty entry, and knows one that is longer than the text', () => {
    assert.equal(say('a c', { '': 'never', a: 'b', 'c d': 'no' }), 'b c');
  });
});
