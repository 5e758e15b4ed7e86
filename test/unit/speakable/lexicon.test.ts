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
      'C plus plus and dot net: C plus plus 11',
    );
    assert.equal(say('well-known', { known: 'famous' }), 'well-famous');
  });

  // elebumm/RedditVideoMakerBot 1248
  it('does not join what it says for a sign to the words beside it', () => {
    const signs = { '%': 'percent', '&': 'and', '@': ' at ', '++': 'plus plus', '#': 'sharp', '→': 'to', '👍': 'yes' };
    assert.equal(
      say('7%, 7 % of B&B, a@b, C++&C# 8', signs),
      '7 percent, 7 percent of B and B, a at b, C plus plus and C sharp 8',
    );
    assert.equal(say('A→B→𝒂 ok👍👍no', signs), 'A to B to 𝒂 ok yes yes no');
    assert.equal(say('約7％です。7%는', { '％': 'パーセント', '%': '퍼센트' }), '約7パーセントです。7퍼센트는');
    assert.equal(say('東京ABC', { 東京: 'Tokyo' }), 'Tokyo ABC');
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

  // FluidInference/FluidAudio 774, vshulcz/deja-vu 1098, xujialiu/Zotero-TTS 86
  it('knows each form in which a word may be written', () => {
    assert.equal(
      say("don't don’t O’Brien’s", { "don't": 'do not', "O'Brien": 'oh brian' }),
      'do not do not oh brian’s',
    );
    assert.equal(say('café cafe\u0301 CAFE\u0301', { 'cafe\u0301': 'kaffay' }), 'kaffay kaffay kaffay');
    assert.equal(say('각 \u1100\u1161\u11A8', { 각: 'gak' }), 'gak gak');
    assert.equal(say('e-mail e\u2011mail e‐mail', { 'e-mail': 'post' }), 'post post post');
    assert.equal(say('New York New\u00A0York', { 'New York': 'N. Y.' }), 'N. Y. N. Y.');
    assert.equal(say('ok \u2714 \u2714\uFE0F, 👍🏽', { '\u2714\uFE0F': 'done', '👍': 'yes' }), 'ok done done, yes');
    assert.equal(say('👩‍🚀 and 👩', { '👩': 'woman' }), '👩‍🚀 and woman');
  });

  it('takes signs of patterns as they are', () => {
    const lexicon = {
      'a.b': '1',
      '(a)': '2',
      '[b]': '3',
      'a|b': '4',
      '\\d': '5',
      '^x$': '6',
      'a+': '7',
      '{2}': '8',
      '/': '9',
    };
    assert.equal(say('a.b (a) [b] a|b \\d ^x$ a+ {2} / axb d 2', lexicon), '1 2 3 4 5 6 7 8 9 axb d 2');
  });

  it('divides words in a language that is written wrongly, too', () => {
    for (const language of ['ja_JP', 'x', '*']) {
      const runs = makeLexicon({ 東京: 'T' }, language)([{ original: '東京都は東京', spoken: '東京都は東京' }]);
      assert.equal(spokenOf(runs), 'T都はT');
    }
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
