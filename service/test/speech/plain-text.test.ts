import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isSpoken, toPlainText } from '../../src/speech/plain-text.js';
import { SpeechError } from '../../src/speech/speech-error.js';

/** Reason why a text cannot be spoken; 'none' if it can. */
function reasonAgainst(text: string): string {
  try {
    toPlainText(text, true);
  } catch (error) {
    if (error instanceof SpeechError) return error.reason;
  }
  return 'none';
}

describe('toPlainText', () => {
  for (const [text, plain] of [
    ['Hello, world!', 'Hello, world!'],
    ['Café naïve, Straße, Ærø', 'Cafe naive, Strasse, AEro'],
    ['“It’s” «fine»…', '"It\'s" "fine"...'],
    ['one — two–three', 'one, two, three'],
    // karashiiro/TextToTalk 179: a line of a table
    ['one─two ━ three ⸺ four', 'one, two, three, four'],
    ['a\u0000b\u200bc\ufeff', 'a bc'],
    ['  a \t b  ', 'a b'],
    ['one\r\n\r\ntwo', 'one\ntwo'],
    [
      'A line of a text file that ends where it is full,\r\nand goes on.',
      'A line of a text file that ends where it is full, and goes on.',
    ],
    [
      'A line of a list that ends where its words do\n\nand another one',
      'A line of a list that ends where its words do\nand another one',
    ],
    ['It works 🎉 well', 'It works well'],
    ['fullwidth ＡＢＣ１２３', 'fullwidth ABC123'],
    ['a\u202eb so\u00adft', 'ab soft'],
    ['Hello 世界', 'Hello'],
    ['Привет, Bob', ', Bob'],
    ['नमस्ते 1', 'one'],
    ['١٢٣', 'one hundred twenty-three'],
    // FluidInference/FluidAudio 710, myshell-ai/MeloTTS 129, ttlequals0/Audicle 114, fatchord/WaveRNN 131
    ['AI and APIs, the CEO’s', "A-I and A-P-I's, the C-E-O's"],
    ['DVDs, PCs, NASA, RAM', "D-V-D's, P-C's, NASA, RAM"],
    ['the US, US GDP, TELL US NOW, IT was IT', 'the U-S, U-S GDP, TELL US NOW, I-T was I-T'],
    ['the WHO, WHO CARES', 'the W-H-O, WHO CARES'],
    ['9 AM, I AM, AM I', 'nine A-M, I am, am I'],
    ['a BBB- outlook, AB+, OH-', 'a B-B-B minus outlook, A-B plus, O-H minus'],
    ['CO2, H₂SO₄, ES2015, B12', 'C-O-2, H-2-S-O-4, E-S-2015, B12'],
    ['vitamin A is, a Q&A for, A to Z, in A Room', 'vitamin Ay is, a Q and Ay for, Ay to Z, in A Room'],
    ['GitHub, OpenAI, iPhone, iOS, macOS', 'Ghit-Hub, Open-A-I, i-Phone, i-O-S, mac-O-S'],
    // rgbkrk/voice 61 and 89
    ['useEffect, GeoJSON, VSCode, WebRTC', 'use-Effect, Geo-Jason, VS-Code, Web-RTC'],
    ['McDonald, MacArthur, LeBron, MAX', 'McDonald, MacArthur, LeBron, MAX'],
    ['git, digit, Wi-Fi, JSON, IoT', 'ghit, digit, WiFi, Jason, I-o-T'],
    // USDepartmentofLabor/Child-Labor 136, sourcegraph/sourcegraph-public-snapshot 35189
    ['I/O, N/A, n/a, an A/B test, R/G/B, a/b', 'I-O, N-A, N-A, an A-B test, R-G-B, a/b'],
    ['12\u00a0345 or 12\u00a0cars', 'twelve thousand three hundred forty-five or twelve cars'],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(plain)}`, () => {
      assert.equal(toPlainText(text, true).text, plain);
    });
  }

  for (const [text, plain] of [
    ['It costs €5.50.', 'It costs five euros and fifty cents.'],
    ['£20 or ¥300', 'twenty pounds or three hundred yen'],
    ['20 °C, 45°', 'twenty degrees Celsius, forty-five degrees'],
    ['pages 10–12', 'pages ten to twelve'],
    ['2 × 3 ≠ 7', 'two times three is not equal to seven'],
    ['½ of it', 'one half of it'],
  ] as const) {
    it(`writes ${JSON.stringify(text)} out if it is to normalise`, () => {
      assert.equal(toPlainText(text, true).text, plain);
      assert.notEqual(toPlainText(text, false).text, plain);
    });
  }

  for (const text of ['', ' ', '😀', '...', '—', '\0', '\u202e', '!?', '👩‍👩‍👧']) {
    it(`finds nothing to speak in ${JSON.stringify(text)}`, () => {
      assert.equal(reasonAgainst(text), 'nothing-to-speak');
    });
  }

  for (const text of ['Привет', '世界', 'مرحبا بالعالم', 'שלום']) {
    it(`says that it cannot read ${JSON.stringify(text)}`, () => {
      assert.equal(reasonAgainst(text), 'foreign-script');
    });
  }

  it('gives printable ASCII with something in it that sounds, or refuses', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: process.env.SVC_LONG ? 1000 : 100 }),
        fc.boolean(),
        (text, normalize) => {
          try {
            const plain = toPlainText(text, normalize).text;
            assert.match(plain, /^[\n\x20-\x7e]+$/);
            assert.ok(isSpoken(plain));
          } catch (error) {
            assert.ok(error instanceof SpeechError);
          }
        },
      ),
    );
  });
});
