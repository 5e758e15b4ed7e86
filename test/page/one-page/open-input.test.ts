import { expect } from 'chai';
import { wavHeader } from '../../../src/base/wav-header.js';
import { SpeakerError, type SpeechInput, type SvcSpeakerElement } from '../../../src/index.js';
import { type FramesSpec, pcmOf } from '../../../src/testing/script.js';
import { pcmBytes } from '../support/audio-file.js';
import { assertHeard, exact, expected } from '../support/sound.js';
import { ended, journal, makeSpeaker, next, rejection, removeSpeakers, transport } from '../support/speaker.js';
import { forceSampleRate, heard } from '../support/tap.js';

const RATE = 24000;
/** Noise at full scale, in which every wrong sample shows. */
const noise: FramesSpec = { noise: 11, seconds: 0.5 };

/** Creates a speaker without a source that plays every sample unchanged. */
function plainSpeaker(): SvcSpeakerElement {
  forceSampleRate(RATE);
  return makeSpeaker({ ...exact, transport });
}

/** Divides an array into pieces of changing lengths. */
function piecesOf<T extends { readonly length: number; slice(from: number, to: number): T }>(whole: T): T[] {
  const pieces: T[] = [];
  for (let from = 0, length = 1; from < whole.length; from += length, length = (length * 7 + 3) % 997) {
    pieces.push(whole.slice(from, from + length));
  }
  return pieces;
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function noiseBytes(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(pcmBytes(noise));
}

/** Returns a WAV file whose samples have 16 bits. */
function waveOf(samples: Uint8Array, rate = RATE): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...wavHeader(rate, 1, 16, samples.length), ...samples]);
}

type Chunk = Parameters<SpeechInput['write']>[0];

describe('openInput()', () => {
  afterEach(removeSpeakers);

  const kinds: Record<string, () => Chunk[]> = {
    'an Int16Array': () => [pcmOf(noise)],
    'Int16Arrays that are parts of an array': () => {
      const all = pcmOf(noise);
      return [all.subarray(0, 5000), all.subarray(5000)];
    },
    Float32Arrays: () => piecesOf(Float32Array.from(pcmOf(noise), (sample) => sample / 32_768)),
    'ArrayBuffers, also of half samples': () => piecesOf(noiseBytes()).map(({ buffer }) => buffer),
    base64: () => piecesOf(noiseBytes()).map(base64Of),
    'base64 of URLs, without padding, in lines': () => [
      base64Of(noiseBytes()).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '').replace(/.{76}/g, '$&\r\n'),
    ],
    'WAV files, one in each chunk': () => {
      const pieces = [noiseBytes().slice(0, 10_000), noiseBytes().slice(10_000)];
      return pieces.map((piece) => base64Of(waveOf(piece)));
    },
    'WAV files of two channels': () => {
      const samples = noiseBytes();
      const both = Uint8Array.from({ length: 2 * samples.length }, (_, at) => samples[2 * (at >> 2) + (at % 2)]!);
      return [new Uint8Array([...wavHeader(RATE, 2, 16, both.length), ...both]).buffer];
    },
    'a WAV file in parts, the first of which is its header': () => {
      const file = waveOf(noiseBytes());
      return [file.slice(0, 44), ...piecesOf(file.slice(44))].map(({ buffer }) => buffer);
    },
  };
  for (const [what, chunks] of Object.entries(kinds)) {
    it(`plays ${what}, every sample once`, async () => {
      const speaker = plainSpeaker();
      const input = speaker.openInput({ sampleRate: RATE });
      for (const chunk of chunks()) input.write(chunk);
      input.end();
      await input.utterance.finished;
      assertHeard(await heard(), [expected(noise)]);
      expect(speaker.duration).to.be.closeTo(0.5, 1e-9);
      expect(input.bufferedSeconds).to.equal(0);
      expect(speaker.getStats().bytesReceived).to.be.greaterThan(0);
    });
  }

  it('takes an ArrayBuffer over, and leaves a view with the page', () => {
    const input = plainSpeaker().openInput({ sampleRate: RATE });
    const [buffer, view] = [new ArrayBuffer(100), new Int16Array(50)];
    input.write(buffer);
    input.write(view);
    expect([buffer.byteLength, view.length]).to.deep.equal([0, 50]);
    expect(input.bufferedSeconds).to.equal(100 / RATE);
  });

  it('has the events of an utterance, and waits for its turn', async () => {
    const speaker = plainSpeaker();
    const events = journal(speaker);
    const first = speaker.openInput({ sampleRate: RATE });
    const second = speaker.openInput({ sampleRate: RATE });
    second.write(pcmOf({ ...noise, seconds: 0.1 }));
    second.end();
    first.write(pcmOf(noise));
    first.end();
    await ended(speaker);
    assertHeard(await heard(), [expected(noise), expected({ ...noise, seconds: 0.1 })]);
    expect(events.filter((type) => type.startsWith('utterance'))).to.deep.equal([
      'utterancestart',
      'utteranceend',
      'utterancestart',
      'utteranceend',
    ]);
  });

  it('ends without audio if nothing was written', async () => {
    const speaker = plainSpeaker();
    const input = speaker.openInput({ sampleRate: RATE });
    input.end();
    await input.utterance.finished;
    expect(speaker.error).to.equal(null);
  });

  it('has a text, and words that are found in it or are it', async () => {
    const speaker = plainSpeaker();
    const words: string[] = [];
    speaker.addEventListener('word', ({ word }) => words.push(`${word.text} ${word.from}`));
    const input = speaker.openInput({ sampleRate: RATE, text: 'One ' });
    input.addWords([{ text: 'One', start: 0, end: 0.1 }]);
    input.addWords([{ text: 'one', start: 0.2, end: 0.3 }]);
    input.write(pcmOf(noise));
    input.addText('and none, one.');
    input.end();
    await input.utterance.finished;
    expect(input.utterance.text).to.equal('One and none, one.');
    expect(words).to.deep.equal(['One 0', 'one 14']);
    const other = speaker.openInput({ sampleRate: RATE });
    other.addWords([
      { text: 'Two', start: 0, end: 0.1 },
      { text: 'more', start: 0.1, end: 0.2 },
      { text: 'gone', start: Number.NaN, end: 1 },
    ]);
    other.write(pcmOf(noise));
    other.end();
    await other.utterance.finished;
    expect(other.utterance.text).to.equal('Two more');
    expect(words.slice(2)).to.deep.equal(['Two 0', 'more 4']);
    expect(other.utterance.words.every(({ isEstimated }) => !isEstimated)).to.equal(true);
  });

  it('is silent at once when it is cancelled, and ignores what comes later', async () => {
    const speaker = plainSpeaker();
    speaker.jitterBufferTarget = 20;
    const stop = new AbortController();
    const input = speaker.openInput({ sampleRate: RATE, signal: stop.signal });
    input.write(pcmOf(noise));
    await next(speaker, 'playing');
    stop.abort();
    expect(await rejection(input.utterance.finished)).to.include({ name: 'AbortError' });
    input.write(pcmOf(noise));
    expect(input.bufferedSeconds).to.equal(0);
    expect(speaker.state).to.equal('idle');
    input.end();
  });

  it('plays while the page is blocked', async () => {
    const speaker = plainSpeaker();
    const input = speaker.openInput({ sampleRate: RATE });
    input.write(pcmOf(noise));
    const until = performance.now() + 300;
    while (performance.now() < until);
    input.end();
    await input.utterance.finished;
    assertHeard(await heard(), [expected(noise)]);
  });

  it('says what is wrong', async () => {
    const speaker = plainSpeaker();
    for (const sampleRate of [0, 7999, 96_001, 24_000.5, Number.NaN, undefined, '24000']) {
      expect(() => speaker.openInput({ sampleRate } as never), String(sampleRate)).to.throw(RangeError, /sampleRate/);
    }
    const input = speaker.openInput({ sampleRate: RATE });
    for (const wrong of [null, undefined, 7, {}, [1], new Uint8Array(2)]) {
      expect(() => input.write(wrong as never)).to.throw(TypeError, /Int16Array, Float32Array, ArrayBuffer or base64/);
    }
    input.cancel();
    await rejection(input.utterance.finished);
    const refused: [Chunk, RegExp][] = [
      ['not base64!', /text that is not base64/],
      [new TextEncoder().encode('ID3\x04\0\0 and more').buffer, /MP3/],
      [waveOf(noiseBytes(), 22_050).buffer, /a WAV file without usual samples at 24000 Hz/],
    ];
    for (const [chunk, what] of refused) {
      const bad = speaker.openInput({ sampleRate: RATE });
      bad.write(chunk);
      const error = await rejection(bad.utterance.finished);
      expect(error).to.be.instanceOf(SpeakerError).and.include({ reason: 'format-unsupported' });
      expect((error as SpeakerError).message).to.match(what);
    }
    const other = speaker.openInput({ sampleRate: RATE });
    other.end();
    other.end();
    for (const call of [() => other.write(''), () => other.addText('x'), () => other.addWords([])]) {
      expect(call).to.throw(DOMException, /after end\(\)/);
    }
  });
});
