import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SpeechEngine } from '../src/index.js';
import { createFliteEngine } from './support/built.js';
import type { Conversation } from './support/conversation.js';
import { host, type Host } from './support/host.js';

const SENTENCE = 'Hello, this is a streaming speech test.';

let engine: SpeechEngine;
let service: Host<SpeechEngine>;
before(async () => {
  engine = await createFliteEngine();
  service = await host({ engine, maxConcurrentSessions: 100 });
});
after(async () => {
  await service.close();
  await engine.close();
});

/** Speaks a text on a socket of its own, and closes it. */
async function speak(text: string, request: Record<string, unknown> = {}): Promise<Int16Array> {
  const conversation = await service.open(request);
  conversation.say(text);
  await conversation.message('context_done');
  await conversation.close();
  return conversation.samples();
}

/** Root mean square, as a fraction of full scale. */
function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length);
}

/** Number of samples that {@link measureBands} looks at, from the start: 1.4 s at 24 kHz. A power of two. */
const SPECTRUM_SAMPLES = 32_768;

/** Returns a function that gives the share of the energy between two frequencies in Hz, from 0 to 1. */
function measureBands(samples: Int16Array, sampleRate: number): (low: number, high: number) => number {
  const real = Float64Array.from(samples.subarray(0, SPECTRUM_SAMPLES));
  const power = spectrum(real, new Float64Array(SPECTRUM_SAMPLES)).slice(0, SPECTRUM_SAMPLES / 2);
  const binOf = (frequency: number): number => Math.round((frequency / sampleRate) * SPECTRUM_SAMPLES);
  const sum = (from: number, to: number): number => power.slice(binOf(from), binOf(to)).reduce((a, b) => a + b, 0);
  return (low, high) => sum(low, high) / sum(0, sampleRate / 2);
}

/**
 * Power spectrum by the recursive Fourier transform (J. W. Cooley, J. W. Tukey, 1965). The length is a power of two.
 */
function spectrum(real: Float64Array, imaginary: Float64Array): number[] {
  const transform = (re: number[], im: number[]): [number[], number[]] => {
    const half = re.length / 2;
    if (half < 1) return [re, im];
    const odd = (_: number, at: number): boolean => at % 2 === 1;
    const even = (_: number, at: number): boolean => at % 2 === 0;
    const [er, ei] = transform(re.filter(even), im.filter(even));
    const [or, oi] = transform(re.filter(odd), im.filter(odd));
    for (let k = 0; k < half; k++) {
      const [cos, sin] = [Math.cos((Math.PI * k) / half), -Math.sin((Math.PI * k) / half)];
      const [tr, ti] = [cos * or[k]! - sin * oi[k]!, cos * oi[k]! + sin * or[k]!];
      [re[k], im[k], re[k + half], im[k + half]] = [er[k]! + tr, ei[k]! + ti, er[k]! - tr, ei[k]! - ti];
    }
    return [re, im];
  };
  const [re, im] = transform([...real], [...imaginary]);
  return re.map((value, at) => value ** 2 + im[at]! ** 2);
}

describe('the embedded voice', () => {
  it('makes sound with the length, level and frequencies of speech', async () => {
    const samples = await speak(SENTENCE);
    const seconds = samples.length / 24_000;
    // A person speaks 40 characters in 2 to 4 seconds.
    assert.ok(seconds > 2 && seconds < 4, `${seconds} s`);
    assert.ok(rms(samples) > 0.05 && rms(samples) < 0.3, `RMS ${rms(samples)}`);
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.ok(peak > 8000 && peak < 32_767, `peak ${peak}`);
    // White noise would have 0.33 there.
    const shareOfBand = measureBands(samples, 24_000);
    const share = shareOfBand(80, 4000);
    assert.ok(share > 0.9, `${share} of the energy is between 80 and 4000 Hz`);
    assert.ok(shareOfBand(8000, 12_000) < 1e-4, 'there is no image above what the voice has');
  });

  it('begins at once: its first sound comes within 60 ms', async () => {
    const samples = await speak(SENTENCE);
    const first = samples.findIndex((sample) => Math.abs(sample) > 300);
    assert.ok(first < 0.06 * 24_000, `first sound after ${first / 24} ms`);
  });

  it('pauses at a comma, and longer at the end of a sentence, but never for half a second', async () => {
    const longestPause = (samples: Int16Array): number => {
      let [longest, run] = [0, 0];
      for (const sample of samples) longest = Math.max(longest, (run = Math.abs(sample) > 300 ? 0 : run + 1));
      return longest / 24_000;
    };
    const comma = longestPause(await speak('My mother, my alarm.'));
    const stop = longestPause(await speak('My mother. My alarm.'));
    assert.ok(comma > 0.1 && comma < 0.3, `${comma} s at a comma`);
    assert.ok(stop > 0.15 && stop < 0.5, `${stop} s at a full stop`);
  });

  it('says the same text the same way, bit for bit, whatever was said in between', async () => {
    const once = await speak(SENTENCE);
    await speak('Something else, 12345.', { voice_id: 'kal16' });
    assert.deepEqual(await speak(SENTENCE), once);
  });

  it('says another text another way', async () => {
    assert.notDeepEqual(await speak('Yes.'), await speak('No.'));
  });

  it('has five voices, slt by default', async () => {
    const lengths = new Set<number>();
    for (const voice_id of ['slt', 'rms', 'awb', 'kal16', 'kal']) {
      const samples = await speak(SENTENCE, { voice_id });
      assert.ok(rms(samples) > 0.03, voice_id);
      lengths.add(samples.length);
    }
    assert.equal(lengths.size, 5);
    assert.equal((await service.session()).voice_id, 'slt');
  });

  it('speaks at the rate of the session, for equally long', async () => {
    const seconds = (await speak(SENTENCE, { sample_rate: 16_000 })).length / 16_000;
    for (const sample_rate of [8000, 44_100, 96_000, ...(process.env.SVC_LONG ? [22_050, 48_000] : [])]) {
      const samples = await speak(SENTENCE, { sample_rate });
      assert.ok(Math.abs(samples.length / sample_rate - seconds) < 0.001, `${sample_rate} Hz`);
      assert.ok(rms(samples) > 0.05);
    }
  });

  it('speaks faster and slower by sampling.rate', async () => {
    for (const [voice_id, rates] of [
      ['slt', process.env.SVC_LONG ? [0.5, 0.8, 1.25, 2] : [0.5, 1.25]],
      ['kal16', process.env.SVC_LONG ? [0.5, 0.8, 1.25, 2] : [0.8, 2]],
    ] as const) {
      const usual = (await speak(SENTENCE, { voice_id })).length;
      for (const rate of rates) {
        const ratio = usual / (await speak(SENTENCE, { voice_id, sampling: { rate } })).length;
        assert.ok(Math.abs(ratio / rate - 1) < 0.12, `${voice_id} at ${rate}: ${ratio}`);
      }
      assert.equal((await speak(SENTENCE, { voice_id, sampling: { rate: 1 } })).length, usual);
    }
  });

  it('reads numbers', async () => {
    assert.ok((await speak('It is 1234.')).length > 1.5 * (await speak('It is so.')).length);
  });

  it('writes signs out unless normalize_text is false', async () => {
    const written = (await speak('It is 20 °C.')).length;
    assert.ok((await speak('It is 20 °C.', { normalize_text: false })).length < 0.8 * written);
  });

  it('makes shorter pieces if chunk_seconds is less', async () => {
    const text = 'This is a rather long sentence without any commas that goes on and on until it finally ends here.';
    const piecesOf = async (chunkSeconds: number): Promise<number> => {
      const request = { text, voice: engine.voices[0]!, sampling: {}, sampleRate: 24_000, normalizeText: true };
      const speech = engine.speak({ ...request, chunkSeconds, quickStart: true, client: {} }, AbortSignal.timeout(1e5));
      let pieces = 0;
      // Each piece begins with a part of one frame.
      for await (const samples of speech) if (samples.length === 1440) pieces++;
      return pieces;
    };
    assert.equal(await piecesOf(15), 1);
    const pieces = await piecesOf(1);
    assert.ok(pieces >= 5, `${pieces} pieces of about 1 s`);
  });

  for (const text of ['', '   ', '😀🎉', '...', 'Привет, мир', '你好', 'مرحبا']) {
    it(`answers ${JSON.stringify(text)} with an error, not with silence`, async () => {
      const conversation = await service.open();
      conversation.say(text);
      assert.equal((await conversation.message('error')).context_id, 'turn-1');
      assert.equal(conversation.frames().length, 0);
      conversation.say('Hello');
      await conversation.message('context_done');
      await conversation.close();
    });
  }

  for (const text of ['', '\n', '🎉 ', '— ', '"', 'Поздравляем! ']) {
    it(`skips ${JSON.stringify(text)} in front of what it can say`, async () => {
      const conversation = await service.open();
      for (const piece of [text, 'Congratulations on your order.', text, ' It is on its way.']) {
        conversation.send({ type: 'synthesize', context_id: 'turn-1', text: piece });
      }
      conversation.send({ type: 'end', context_id: 'turn-1' });
      await conversation.message('context_done');
      assert.ok(conversation.samples().length > 2.5 * 24_000, `${conversation.samples().length / 24_000} s`);
      await conversation.close();
    });
  }

  for (const text of ['-voice kal hello', '/etc/passwd', '%s%n', '--help', 'a\0b', '<b>bold</b>', '$(ls)', '-o /x y']) {
    it(`reads ${JSON.stringify(text)} out`, async () => {
      assert.ok(rms(await speak(text)) > 0.02);
    });
  }
});

describe('fairness', () => {
  it('speaks on two sockets at the same time', async () => {
    const text = 'One, two, three, four. '.repeat(8);
    const [one, two] = [await service.open(), await service.open()];
    // Both have their slots before either says more.
    for (const conversation of [one, two]) {
      conversation.send({ type: 'synthesize', context_id: 'talk', text: 'Hello. ' });
      await conversation.until(({ kind }) => kind === 'frame');
    }
    const order: Conversation[] = [];
    for (const conversation of [one, two]) {
      conversation.socket.on('message', () => order.push(conversation));
      conversation.say(text, 'talk');
    }
    await Promise.all([one.message('context_done'), two.message('context_done')]);
    // Each has received half of its frames before the other has received all.
    const firstDone = Math.min(order.lastIndexOf(one), order.lastIndexOf(two));
    const other = order.lastIndexOf(one) === firstDone ? two : one;
    const heardOfOther = order.slice(0, firstDone).filter((each) => each === other).length;
    assert.ok(heardOfOther > other.frames().length / 2, `${heardOfOther} of ${other.frames().length}`);
    await Promise.all([one.close(), two.close()]);
  });

  it('serves a short sentence before most of the text of other clients', async () => {
    const modest = await service.open();
    modest.send({ type: 'synthesize', context_id: 'talk', text: 'Hello. ' });
    await modest.until(({ kind }) => kind === 'frame'); // it has its slot
    const greedy = await Promise.all(Array.from({ length: 3 }, () => service.open()));
    for (const conversation of greedy) conversation.say('This is one of very many sentences. '.repeat(200));
    await Promise.all(greedy.map((conversation) => conversation.until(({ kind }) => kind === 'frame')));
    modest.say('Hello there.', 'talk');
    await modest.message('context_done');
    for (const conversation of greedy) {
      // The short sentence waits for only a few of the 200 sentences, of 2 seconds each.
      assert.ok(conversation.samples().length / 24_000 < 100);
      conversation.socket.terminate();
    }
    await modest.close();
  });

  it('survives hostile text, and so do the others', async () => {
    const texts = [
      'a'.repeat(5000),
      'W'.repeat(9000),
      '1234567890'.repeat(500),
      '\0'.repeat(5000),
      '\u202eabc\u202c مرحبا '.repeat(300),
      '😀'.repeat(4000),
      'e\u0301'.repeat(4000),
      '.'.repeat(9999),
      '$'.repeat(2000),
      ', '.repeat(4000),
      'a'.repeat(1_000_000),
    ];
    const hostile = await Promise.all(texts.map(() => service.open()));
    for (const [index, conversation] of hostile.entries()) conversation.say(texts[index]!);
    // Every client gets an answer: sound, an error, or a close for the megabyte.
    const answers = await Promise.all(hostile.map((conversation) => conversation.until(() => true)));
    assert.ok(answers.every(({ kind, ...rest }) => kind !== 'close' || ('code' in rest && rest.code === 1009)));
    const samples = await speak(SENTENCE);
    assert.ok(samples.length > 2 * 24_000 && samples.length < 4 * 24_000);
    for (const { socket } of hostile) socket.terminate();
    assert.deepEqual(service.reports, []);
  });

  describe('with timings', () => {
    interface Timings {
      readonly context_id: string;
      readonly words: readonly { from: number; to: number; start: number; end: number }[];
      readonly phones?: readonly { phone: string; start: number; end: number }[];
    }

    async function timingsOf(texts: readonly string[], timings: string): Promise<[Timings[], Conversation]> {
      const conversation = await service.open({ timings });
      for (const text of texts) conversation.send({ type: 'synthesize', context_id: 'turn-1', text });
      conversation.send({ type: 'end', context_id: 'turn-1' });
      await conversation.message('context_done');
      await conversation.close();
      const messages = conversation.heard.flatMap((each) => (each.kind === 'message' ? [each.message] : []));
      return [messages.filter(({ type }) => type === 'timings') as unknown as Timings[], conversation];
    }

    it('tells when each word of all texts of a context is spoken, just before its audio or after it', async () => {
      const texts = ['Hello there. ', '… ', 'I have 25 cats.'];
      const [timings, conversation] = await timingsOf(texts, 'words');
      const words = timings.flatMap((message) => message.words);
      assert.deepEqual(
        words.map(({ from, to }) => texts.join('').slice(from, to)),
        ['Hello', 'there', 'I', 'have', '25', 'cats'],
      );
      assert.deepEqual(
        words.map(({ start }) => start),
        words.map(({ start }) => start).toSorted((one, other) => one - other),
      );
      assert.ok(timings.every(({ context_id, phones }) => context_id === 'turn-1' && phones === undefined));
      let received = 0;
      for (const each of conversation.heard) {
        if (each.kind === 'frame') received += each.samples.length / 24_000;
        if (each.kind !== 'message' || each.message.type !== 'timings') continue;
        const { words: some } = each.message as unknown as Timings;
        // Speech comes in parts of half a second. The last word of a piece is reported when its end is known.
        for (const { start, end } of some) {
          const isBefore = start >= received - 0.01 && start < received + 0.6;
          assert.ok(isBefore || (end <= received + 0.01 && end > received - 0.5), `${start} to ${end} at ${received}`);
        }
      }
    });

    it('tells the sounds of the words, too, if it is asked for phones', async () => {
      const [timings] = await timingsOf(['Hello there.'], 'phones');
      const phones = timings.flatMap((message) => message.phones!);
      assert.equal(phones.map(({ phone }) => phone).join(' '), 'hh ax l ow dh eh r');
      const words = timings.flatMap((message) => message.words);
      assert.deepEqual([phones[0]!.start, phones.at(-1)!.end], [words[0]!.start, words.at(-1)!.end]);
    });

    it('echoes them in the answer and in the URL, and sends none that were not asked for', async () => {
      const { timings, url } = await service.session({ timings: 'words' });
      assert.equal(timings, 'words');
      assert.equal(new URL(url).searchParams.get('timings'), 'words');
      const conversation = await service.open();
      conversation.say('Hello.');
      await conversation.message('context_done');
      await conversation.close();
      assert.equal(conversation.heard.filter(({ kind }) => kind === 'message').length, 1);
      assert.equal('timings' in (await service.session({})), false);
    });
  });
});
