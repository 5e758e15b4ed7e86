import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WordFinder, type WordPlace } from '../../../src/base/word-finder.js';

const RUNS = process.env.SVC_LONG ? 5000 : 300;

/** Returns the places of words that are reported `size` at a time. */
function find(text: string, words: readonly string[], size: number = words.length): (WordPlace | null)[] {
  const finder = new WordFinder();
  finder.add(text);
  const places: (WordPlace | null)[] = [];
  for (let at = 0; at < words.length; at += size) places.push(...finder.find(words.slice(at, at + size)));
  return places;
}

/** Returns what is written for each reported word; `^` for one that belongs to the word before it. */
function written(text: string, words: string, size?: number): string {
  const places = find(text, words.split(' '), size);
  return places.map((place) => (place ? text.slice(place.from, place.to) : '^')).join(' ');
}

describe('WordFinder', () => {
  // A text, the words that a voice reports for it, and what they stand for.
  const cases: readonly [text: string, reported: string, stand: string][] = [
    // Kokoro-FastAPI pull request 264: what is said, not what is written.
    [
      'The price will be $100 after 9:30PM. And one more.',
      'The price will be one hundred dollars after nine thirtyPM . And one more',
      'The price will be $100 ^ ^ after 9:30PM ^ ^ And one more',
    ],
    // Zotero-TTS issue 86: "point" is not in "branchpoints", nor "a" in "and".
    [
      'In the authors’ 29.83 mm example eye, a scan of 3 ×3 mm. Vessels and branchpoints.',
      "In the authors' twenty-nine point eight three millimeters example eye a scan of three three millimeters Vessels and branchpoints",
      'In the authors’ 29.83 ^ ^ ^ mm example eye a scan of 3 ×3 mm Vessels and branchpoints',
    ],
    // Kokoro-FastAPI issue 368.
    ['It is 40–60°C today', 'It is forty- sixty°C today', 'It is 40–60°C ^ today'],
    // Kokoro-FastAPI pull request 484.
    ['La guerra de 1863', 'La guerra de mil ochocientos sesenta y tres', 'La guerra de 1863 ^ ^ ^ ^'],
    [
      'Dr. Smith, 12 Main St., St. Louis',
      'Doctor Smith twelve Main Street Saint Louis',
      'Dr Smith 12 Main St St Louis',
    ],
    ['東京に行きました。', '東京 に 行き まし た', '東京 に 行き まし た'],
    ['one two', 'ONE Two three', 'one two ^'],
    ['don’t stop', "don't stop", 'don’t stop'],
    ['5% of Tom & Jerry', 'five percent of Tom and Jerry', '5% ^ of Tom ^ Jerry'],
    ['well-known', 'well known', 'well known'],
    // vshulcz/deja-vu 1098: the same word, composed otherwise.
    ['Cafe\u0301 ﬁne ＡＢＣ Résumé', 'Café fine ABC resume', 'Cafe\u0301 ﬁne ＡＢＣ Résumé'],
    // hushh-labs/hushh-research 5327: a vowel is a mark.
    ['कीमत की', 'कीमत की', 'कीमत की'],
    // pipecat-ai/pipecat 5307, 5322: marks for the voice are not spoken, or are part of what it reports.
    ['Hi Ann.<break time="1s"/>Tell <speed ratio="2"/>me.', 'Hi Ann. Tell me.', 'Hi Ann. Tell me.'],
    ['<spell>0364</spell> now.', '<spell>0364</spell> now.', '<spell>0364</spell> now.'],
    ['a List<string> here', 'a list string here', 'a List string here'],
    // pipecat-ai/pipecat 4612 and 3334, rany2/edge-tts 335: no word beyond the number for a part of it.
    ['Call 800-555-0199 and ask for one.', 'Call eight zero zero five one', 'Call 800-555-0199 ^ ^ ^ ^'],
    ['In 2021 I won one medal.', 'In twenty twenty one', 'In 2021 ^ ^'],
    ['A code is 4 2 1 1. Say it to one.', 'A code is four two one one say it', 'A code is 4 2 1 1 Say it'],
    ['Room 101 has one bed.', 'Room one oh one has one', 'Room 101 ^ ^ has one'],
    // nimroddolev/chime_tts 328, MahmoudAshraf97/ctc-forced-aligner 17: vowels that are not reported.
    ['شُكْرًا لَكَ أَحْمَد', 'شكرا لك احمد', 'شُكْرًا لَكَ أَحْمَد'],
    ['שָׁלוֹם עוֹלָם', 'שלום עולם', 'שָׁלוֹם עוֹלָם'],
  ];

  for (const [text, reported, stand] of cases) {
    it(`finds the words of "${text}" if the voice reports "${reported}"`, () => {
      assert.equal(written(text, reported), stand);
      assert.equal(written(text, reported, 1), stand, 'one at a time');
    });
  }

  it('finds parts of a word that are reported together', () => {
    assert.equal(written("I can't", "I ca n't"), "I ca n't");
    assert.equal(written("I can't", "I ca n't", 1), "I can't ^");
  });

  it('does not divide a word before a vowel that is a mark', () => {
    assert.deepEqual(find('कीमत है', ['क']), [{ from: 0, to: 4 }]);
  });

  // Kokoro-FastAPI issue 139.
  it('finds words that are reported twice once', () => {
    const twice = 'Hello Hello world world ! ! Hello Hello again';
    assert.equal(written('Hello world! Hello again.', twice), 'Hello ^ world ^ ^ ^ Hello ^ again');
  });

  it('finds single words of a text, if the next one is near', () => {
    const text = 'One and none, one. I am on a train now to nowhere, and the point is not to go.';
    assert.equal(written(text, 'One one train', 1), 'One one train');
    assert.equal(written(text, 'One point', 1), 'One ^');
  });

  // pipecat issue 5111: a clause as one word, with the comma before it.
  it('finds several words that are reported as one', () => {
    const text = 'Yeah, I can do that. Sure.';
    const places = find(text, ['Yeah,', ', I can do that. ', 'Sure.'], 1);
    assert.deepEqual(
      places.map((place) => place && text.slice(place.from, place.to)),
      ['Yeah,', 'I can do that', 'Sure.'],
    );
  });

  // pipecat issue 4316: the beginning of a sentence, then all of it.
  it('goes on after words that are reported again', () => {
    const text = 'Hola, Antoine, soy Maria, la talent manager virtual de Orbio test.';
    const again = `Hola, Antoine, soy Maria, la t ${text}`;
    const [before, parts] = ['Hola, Antoine, soy Maria, la', '^ '.repeat(6)];
    assert.equal(written(text, again), `${before} ${parts}talent manager virtual de Orbio test.`);
    assert.equal(written(text, again, 1), `${before} talent ${parts}manager virtual de Orbio test.`);
  });

  // Kokoro-FastAPI issue 249: no times for a part of the text.
  it('goes on where the voice goes on after a part that it does not report', () => {
    const text =
      'The Marbles. --- In the heart of a vibrant city in Spain, stood the ancient temple, a masterpiece of art.';
    assert.equal(
      written(text, 'stood the ancient temple a masterpiece'),
      'stood the ancient temple a masterpiece',
      'words that are reported together',
    );
    assert.match(written(text, 'stood the ancient temple a masterpiece of art', 1), /a masterpiece of art$/);
  });

  // elevenlabs/elevenlabs-docs 76, strob/gentle 139
  it('goes on after a sentence of many words, or a long line, that is not reported', () => {
    const sentence = Array.from({ length: 60 }, (_, index) => `${'abcdefgh'[index % 8]}x${index}`).join(' ');
    const text = `Good morning. ${sentence}. After a break the members voted. ${'-'.repeat(1100)} Then it passed.`;
    assert.match(
      written(text, 'Good morning After a break the members voted Then it passed', 1),
      /members voted Then it/,
    );
  });

  it('leaves words for which text is still missing, and finds them when it arrives', () => {
    const finder = new WordFinder();
    finder.add('One ');
    assert.deepEqual(finder.find(['One', 'two', 'three'], true), [{ from: 0, to: 3 }]);
    finder.add('2 and three, and then a lot more text');
    assert.deepEqual(finder.find(['two', 'and', 'three'], true), [
      { from: 4, to: 5 },
      { from: 6, to: 9 },
      { from: 10, to: 15 },
    ]);
    assert.deepEqual(finder.find(['nothing'], true).length, 1);
    assert.deepEqual(finder.find(['nothing'], false).length, 1);
  });

  const word = fc.stringMatching(/^[a-g]{2,8}$/);
  const number = fc.integer({ min: 10, max: 99_999 }).map(String);
  const said = fc.array(fc.constantFrom('twelve', 'hundred', 'thousand', 'ninety', 'six'), {
    minLength: 1,
    maxLength: 5,
  });
  const part = fc.oneof(
    { weight: 4, arbitrary: word.map((text) => ({ text, reported: [text], isPlain: true })) },
    fc.tuple(number, said).map(([text, reported]) => ({ text, reported, isPlain: false })),
  );

  it('finds every word beside numbers that are said in words', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (parts, size) => {
        // Two numbers in a row, and words that numbers are made of, can be told apart only by who knows numbers.
        const list = parts.filter(({ isPlain }, index) => isPlain || parts[index - 1]?.isPlain !== false);
        const text = list.map((one) => one.text).join(' ');
        const reported = list.flatMap((one) => one.reported);
        const places = find(text, reported, size);
        let index = 0;
        let from = 0;
        for (const one of list) {
          const place = places[index];
          const to = from + one.text.length;
          assert.deepEqual(place, { from, to }, `${one.reported.join(' ')} in "${text}"`);
          index += one.reported.length;
          from = to + 1;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('gives places in order, without overlap, within the text, for any words', () => {
    const anyText = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', 'İ', ' ', '.', '-', '5', '%', '東', '😀', '\ud800'),
    });
    fc.assert(
      fc.property(
        anyText,
        fc.array(anyText, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (text, words, size) => {
          const places = find(text, words, size);
          assert.equal(places.length, words.length);
          let last = 0;
          for (const place of places) {
            if (!place) continue;
            assert.ok(place.from >= last && place.to > place.from && place.to <= text.length);
            last = place.to;
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
