import { resampled } from '../../src/testing/analysis.js';
import { expect, joined, noise, silence, type Recording, startGateway, test, tone } from '../../src/testing/index.js';
import type { Sound } from '../../src/testing/sound.js';

const RATE = 48_000;

/** Facts of a recording without a page. Times in seconds; the marks' are those of the recording. */
interface RecordingDetails {
  readonly sent?: Sound | null;
  readonly marks?: readonly { name: string; at: number }[];
  readonly wordStarts?: readonly number[];
}

/** Creates a recording without a page: a sound, or samples, 0.2 s after the recording starts. */
function recordingOf(
  sound: Sound | Float32Array,
  { sent = null, marks = [], wordStarts = [] }: RecordingDetails = {},
): Recording {
  const played = sound instanceof Float32Array ? sound : ramped(resampled(sound, RATE));
  const samples = new Float32Array(0.2 * RATE + played.length + 2 * RATE);
  samples.set(played, 0.2 * RATE);
  const heard = {
    samples,
    sampleRate: RATE,
    startedAt: 0,
    outputLatency: 0.02,
    marks: marks.map(({ name, at }) => ({ name, at: at * RATE })),
  };
  return { read: () => Promise.resolve(heard), sent, wordStarts } as unknown as Recording;
}

function ramped(samples: Float32Array): Float32Array {
  for (let i = 0; i < 200; i++) {
    const gain = Math.sin((Math.PI * i) / 400) ** 2;
    samples[i]! *= gain;
    samples[samples.length - 1 - i]! *= gain;
  }
  return samples;
}

/** Message of an expectation's failure. */
async function complaintOf(expectation: Promise<unknown>): Promise<string> {
  return expectation.then(
    () => 'It did not fail.',
    (error: Error) => error.message,
  );
}

const second = noise(3, 1);
const nothing = new Float32Array(0);

test('a recording without sound fails every matcher of what was played', async () => {
  const recording = recordingOf(nothing);
  const complaints = await Promise.all([
    complaintOf(expect(recording).toHavePlayed({ seconds: 0, timeout: 0 })),
    complaintOf(expect(recording).toHaveNoGaps()),
    complaintOf(expect(recording).toHaveNoClicks()),
    complaintOf(expect(recording).toMatchAudio(second)),
  ]);
  for (const complaint of complaints) expect(complaint).toMatch(/Nothing was heard in 2\.20 s of recording\.$/);
});

test('toHaveClosedSockets fails if no socket was opened', async () => {
  const gateway = await startGateway();
  const complaint = await complaintOf(expect(gateway).toHaveClosedSockets({ withinMs: 10 }));
  expect(complaint).toMatch(/^No socket was opened: /);
  await gateway.close();
});

test('.not reports what was found', async () => {
  const recording = recordingOf(second, { sent: second, marks: [{ name: 'cancel', at: 1.19 }] });
  expect(await complaintOf(expect(recording).not.toHavePlayed({ seconds: 1 }))).toMatch(
    /not\.toHavePlayed: 1\.000 s were heard, from 0\.200 s to 1\.200 s; expected another time than 1 s\.$/,
  );
  expect(await complaintOf(expect(recording).not.toHaveNoGaps())).toMatch(
    /not\.toHaveNoGaps: no gap of 5 ms or more is in what was heard, from 0\.200 s to 1\.200 s\.$/,
  );
  expect(await complaintOf(expect(recording).not.toHaveNoClicks())).toMatch(/not\.toHaveNoClicks: no click is in /);
  expect(await complaintOf(expect(recording).not.toMatchAudio(second))).toMatch(
    /not\.toMatchAudio: it is what was sent, 1\.000 times as loud, with a signal-to-noise ratio of \d{2,3}\.\d dB, /,
  );
  expect(await complaintOf(expect(recording).not.toBeSilentWithin(50))).toMatch(
    /not\.toBeSilentWithin: sound ends 10 ms after cancel at 1\.190 s, within 50 ms\.$/,
  );
});

test('finds frames that play long after they were cancelled', async () => {
  const late = joined(tone(440, 0.5), silence(0.9), tone(440, 0.1));
  const recording = recordingOf(late, { sent: late, marks: [{ name: 'cancel', at: 0.69 }] });
  expect(await complaintOf(expect(recording).toBeSilentWithin(50))).toMatch(
    /Sound begins again at 1\.(599|60\d) s, 9[01]\d ms after cancel at 0\.690 s, until 1\.70\d s; expected silence after 50 ms\.$/,
  );
});

test('finds a lost head and a lost tail, with their place', async () => {
  const all = resampled(second, RATE);
  const head = recordingOf(ramped(all.slice(0.03 * RATE)));
  expect(await complaintOf(expect(head).toMatchAudio(second))).toMatch(
    /It differs from 0\.190 s on: the first 30\.\d ms of what was sent are missing, before 0\.200 s\.$/,
  );
  const tail = recordingOf(ramped(all.slice(0, 0.94 * RATE)));
  expect(await complaintOf(expect(tail).toMatchAudio(second))).toMatch(
    /It differs from 1\.1[34]\d s on: the last 60\.\d ms of what was sent are missing, after 1\.140 s\.$/,
  );
});

test('finds 10 ms of bad audio, and reports the ratio in them', async () => {
  const samples = ramped(resampled(second, RATE));
  samples.fill(0, 0.5 * RATE, 0.51 * RATE);
  expect(await complaintOf(expect(recordingOf(samples)).toMatchAudio(second))).toMatch(
    /ratio is (19|20)\.\d dB, -?\d\.\d dB in the worst 10 ms; expected 40 dB\. It differs from 0\.(69|70)\d s on\.$/,
  );
});

test('finds a wrong pitch', async () => {
  // 24 kHz speech that plays as if its rate were 26122 Hz, like 44.1 kHz audio in a 48 kHz context.
  const sent = tone(440, 1);
  const high = recordingOf({ ...sent, sampleRate: 26_122 });
  expect(await complaintOf(expect(high).toMatchAudio(sent))).toMatch(/Its pitch is 1\.08[89] times what was sent\.$/);
});

test('toMatchAudio compares the loudness if `gain` is set', async () => {
  const soft = recordingOf(ramped(resampled(second, RATE)).map((sample) => sample / 2));
  await expect(soft).toMatchAudio(second, { gain: 0.5 });
  expect(await complaintOf(expect(soft).toMatchAudio(second, { gain: 1 }))).toMatch(
    /It is 0\.500 times as loud; expected 1\.$/,
  );
});

test('toBeDucked compares the level between two calls with the expected one', async () => {
  const loud = resampled(noise(5, 3), RATE);
  const level = (sample: number): number => (sample > 1.05 * RATE && sample < 2 * RATE ? 0.2 : 1);
  const ducked = loud.map((sample, index) => sample * level(index));
  const marks = [
    { name: 'duck', at: 1.2 },
    { name: 'unduck', at: 2.2 },
  ];
  await expect(recordingOf(ducked, { marks })).toBeDucked();
  await expect(recordingOf(ducked)).toBeDucked({ from: 1.2, to: 2.2 });
  await expect(recordingOf(ducked, { marks })).not.toBeDucked({ level: 0.4 });
  const complaint = await complaintOf(expect(recordingOf(loud, { marks })).toBeDucked());
  expect(complaint).toMatch(
    /The sound from 1\.300 s to 2\.200 s is (0\.9|1\.0)\d\d times as loud as before; expected 0\.2\.$/,
  );
  const noDuck = await complaintOf(expect(recordingOf(loud)).toBeDucked());
  expect(noDuck).toMatch(/Nothing was heard/);
});

test('toHaveSpokenWords compares the events with the words and with their sound', async () => {
  const words = ['One', 'two'];
  const wordStarts = [0.1, 0.6];
  const marksAt = (...times: number[]) => times.map((at, index) => ({ name: `word: ${words[index]!}`, at }));
  // The recording begins 0.2 s before the sound, and the listener hears it 0.02 s later.
  const right = recordingOf(second, { sent: second, wordStarts, marks: marksAt(0.33, 0.8) });
  await expect(right).toHaveSpokenWords(words);
  await expect(right).not.toHaveSpokenWords(['One', 'three'], { timeout: 0 });
  const fewer = await complaintOf(expect(right).toHaveSpokenWords(['One'], { timeout: 0 }));
  expect(fewer).toContain('The words were "One" "two"; expected "One".');
  const late = recordingOf(second, { sent: second, wordStarts, marks: marksAt(0.32, 0.97) });
  const complaint = await complaintOf(expect(late).toHaveSpokenWords(words));
  expect(complaint).toMatch(/"two" begins at 0\.800 s, and its event came 150 ms later\. Expected 100 ms at most\./);
  await expect(late).toHaveSpokenWords(words, { withinMs: 160 });
  const silent = recordingOf(nothing, { sent: second, wordStarts, marks: marksAt(0.32, 0.82) });
  expect(await complaintOf(expect(silent).toHaveSpokenWords(words))).toContain('The sound of "One" was not heard.');
  const unknown = await complaintOf(expect(recordingOf(second)).toHaveSpokenWords(words, { timeout: 0 }));
  expect(unknown).toContain('The words were none; expected "One" "two".');
});

test('toHaveHeard allows a difference of one word', async ({ page }) => {
  const handle = await page.evaluateHandle(() => ({ heard: { seconds: 1.5, text: 'One two three' } }));
  await expect(handle).toHaveHeard('One two three');
  await expect(handle).toHaveHeard('One two three four.');
  await expect(handle).not.toHaveHeard('One two three four.', { words: 0, timeout: 0 });
  await expect(handle).not.toHaveHeard('Two three', { timeout: 0 });
  const complaint = await complaintOf(expect(handle).toHaveHeard('', { timeout: 0 }));
  expect(complaint).toContain('"One two three" was heard, in 1.500 s; expected "", give or take 1 words.');
  await page.evaluate((utterance) => {
    setTimeout(() => (utterance.heard.text = 'One two three four five six'));
  }, handle);
  await expect(handle).toHaveHeard('One two three four five six.'.slice(0, -1));
});
