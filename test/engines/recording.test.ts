import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import '../../src/define.js';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../../src/index.js';
import { engine } from '../page/support/engine.js';
import type { Recorded } from './launch/recorder.js';
import { type Heard, matchOf, silencesOf, soundOf } from '../../src/testing/analysis.js';
import { type FramesSpec, type GatewayLog, pcmOf, scriptUrl, speaking } from '../../src/testing/script.js';
import { gatewayUrl } from '../setup/gateway-url.js';
import { Random } from '../../src/testing/random.js';
import { rightOf, samplesOf, sounds, type Stretch, toneOf } from './tone.js';

const PITCH = 440;
const SECONDS = 0.8;
/** True in `npm run test:long`. Otherwise, one recording is enough. */
declare const isLong: boolean;
/** Number of utterances that are recorded without a fault. */
const TIMES = isLong ? 5 : 1;
/** Level of the gateway's tone: half of full scale. */
const LEVEL = 0.5;
/** Frequency in Hz and level of the control. */
const CONTROL_PITCH = 1000;
const CONTROL_LEVEL = 0.25;
/** Number of recordings of which one must be without a fault of the browser. */
const MOST_RECORDINGS = 25;
/** Maximum difference in length between an utterance and its recording, in seconds. */
const EXACT_SECONDS = 0.002;
/** Length of ramps, and of the resampler's filter at both ends, in seconds. */
const EDGE_SECONDS = 0.01;
/**
 * Maximum error of a clean tone, as a fraction of the level. A click at the threshold of hearing has a greater error;
 * one lost sample in the middle of a rising edge has an error of 0.03.
 */
const CLEAN = 0.01;
/** The same as a signal-to-noise ratio, in dB. */
const CLEAN_DB = 40;

/** Two parts of an utterance that sound different, a place in the second, and a place in the first to seek to. */
const PARTS: FramesSpec[] = [
  { tone: PITCH, seconds: 0.2 },
  { tone: 1.5 * PITCH, seconds: 0.4 },
];
const FROM = 0.25;
const TARGET = 0.1;
const SPEECH_RATE = 24_000;
const PARTS_SENT = Int16Array.from(PARTS.flatMap((part) => [...pcmOf(part)]));
/** Minimum silence at a seek, in seconds: from the end of a ramp to the next render quantum. */
const CUT_SECONDS = 0.001;
/** Random seeks in a tone: recordings, seeks in each, and the maximum time between a `seeked` and the next seek. */
const SEEK_RECORDINGS = 10;
const SEEKS = 20;
const SEEK_TONE_SECONDS = 4;
const BETWEEN_MS = 100;
/**
 * Limit of the second difference of the samples, as a fraction of the level. That of the tone is 0.0035, and ramps add
 * nothing to it; a click is as great as its step.
 */
const SMOOTH = 0.005;

const transport = crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined' ? 'shared' : 'message';

/** Times of one utterance's events, in milliseconds since the epoch. */
type Moments = Record<(typeof events)[number], number>;
const events = ['utterancestart', 'utteranceend', 'ended'] as const;

/** URL of a socket on which the service responds with a tone. */
function toneUrl(seconds: number): string {
  return scriptUrl(gatewayUrl, speaking({ tone: PITCH, seconds }));
}

function makeSpeaker(): SvcSpeakerElement {
  const speaker = document.createElement('svc-speaker');
  // Playback starts once the whole utterance has arrived.
  speaker.jitterBuffer = 'fixed';
  speaker.jitterBufferTarget = 4000;
  speaker.sessionProvider = () => Promise.resolve(toneUrl(SECONDS));
  document.body.append(speaker);
  return speaker;
}

/** One utterance, as the sound card received it. Times are in milliseconds since the epoch. */
interface Utterance {
  readonly moments: Moments;
  readonly soundStart: number;
  readonly soundEnd: number;
}

/**
 * Lets the browser play a tone of its own on the right channel from now on, beside the speech on both: the control. A fault
 * in it is one of the browser or of a busy machine.
 *
 * @returns A function that ends it.
 */
function playControl({ outputNode }: SvcSpeakerElement): () => void {
  const { context } = outputNode!;
  const tone = new OscillatorNode(context, { frequency: CONTROL_PITCH });
  const right = new ChannelMergerNode(context, { numberOfInputs: 2 });
  tone.connect(new GainNode(context, { gain: CONTROL_LEVEL })).connect(right, 0, 1);
  right.connect(context.destination);
  tone.start();
  return () => tone.stop();
}

/**
 * Returns true if the browser played the control without a fault, from just before the speech to just after it: a fault
 * at its end may swallow the ramp.
 */
function isClean(recorded: Recorded): boolean {
  const { rate } = recorded;
  const { from, to } = soundOf({ samples: samplesOf(recorded), sampleRate: rate });
  const edge = EDGE_SECONDS * rate;
  const control = rightOf(recorded).subarray(Math.max(0, from - edge), to + edge);
  return from >= to || toneOf(control, rate, CONTROL_PITCH).error < CLEAN;
}

/** Records what `play` plays: again, while the browser makes faults of its own. */
async function record<T>(play: () => Promise<T>): Promise<{ recorded: Recorded; result: T }> {
  for (let time = 1; time <= MOST_RECORDINGS; time++) {
    await executeServerCommand('start-recording');
    const result = await play();
    const recorded = await executeServerCommand<Recorded, undefined>('stop-recording');
    if (isClean(recorded)) return { recorded, result };
  }
  throw new Error(
    `The browser played its own tone with faults ${MOST_RECORDINGS} times. Run fewer programs beside it.`,
  );
}

/** Speaks a tone, and returns the times of its events. */
async function speakTone(speaker: SvcSpeakerElement): Promise<Moments> {
  const times = Promise.all(events.map((type) => moment(speaker, type)));
  speaker.speak('Tone.');
  const [utterancestart, utteranceend, ended] = (await times) as [number, number, number];
  return { utterancestart, utteranceend, ended };
}

function moment(speaker: SvcSpeakerElement, type: keyof SvcSpeakerEventMap): Promise<number> {
  return new Promise((resolve) => {
    speaker.addEventListener(type, () => resolve(Date.now()), { once: true });
  });
}

/**
 * Asserts that a recording contains all of the speech, in one piece, at its pitch and level.
 *
 * @throws {Chai.AssertionError} If it does not.
 */
function expectWhole({ pcm, rate, startedAt }: Recorded, moments: Moments): Utterance {
  const samples = samplesOf({ pcm, rate, startedAt });
  const heard = sounds(samples, rate);
  const places = heard.map(({ from, to }) => `${(from / rate).toFixed(3)} to ${(to / rate).toFixed(3)} s`);
  expect(heard, `Heard: ${places.join(', ')}`).to.have.length(1);
  const [{ from, to }] = heard as [Stretch];
  expect((to - from) / rate).to.be.closeTo(SECONDS, EXACT_SECONDS);
  const edge = EDGE_SECONDS * rate;
  const { pitch, level, error } = toneOf(samples.subarray(from + edge, to - edge), rate, PITCH);
  expect(pitch).to.be.closeTo(PITCH, 0.01);
  expect(level).to.be.closeTo(LEVEL, 0.005);
  expect(error).to.be.below(CLEAN);
  const timeOf = (sample: number): number => startedAt + (sample / rate) * 1000;
  return { moments, soundStart: timeOf(from), soundEnd: timeOf(to) };
}

/**
 * Speaks the parts, and seeks back from the second part to the first.
 *
 * @returns Identity of the socket in the gateway's log.
 */
async function recordSeek(speaker: SvcSpeakerElement): Promise<string> {
  const script = [{ wait: 'end' }, ...PARTS.map((frames) => ({ frames })), { done: true }] as const;
  const { recorded, result } = await record(async () => {
    const id = `seek-${performance.timeOrigin}-${Math.random()}`;
    speaker.sessionProvider = () => Promise.resolve(scriptUrl(gatewayUrl, script, { id }));
    speaker.clearHistory();
    const ended = moment(speaker, 'ended');
    speaker.speak('Low and high.');
    while (speaker.currentTime < FROM) await new Promise(requestAnimationFrame);
    speaker.currentTime = TARGET;
    await ended;
    return id;
  });
  const { samples, sampleRate } = soundFrom(recorded);
  const cuts = silencesOf({ samples, sampleRate }, CUT_SECONDS);
  expect(cuts).to.have.length(1);
  const cut = (cuts[0]!.from + cuts[0]!.to) >> 1;
  const begun = samples.subarray(0, cut);
  const seconds = secondsOf(begun, sampleRate);
  expect(seconds).to.be.at.least(FROM - EXACT_SECONDS);
  expectPart(begun, sampleRate, PARTS_SENT.subarray(0, Math.round(seconds * SPEECH_RATE)));
  expectPart(samples.subarray(cut), sampleRate, PARTS_SENT.subarray(TARGET * SPEECH_RATE));
  return result;
}

/** Plays all of the parts again. */
async function recordReplay(speaker: SvcSpeakerElement): Promise<void> {
  const { recorded } = await record(async () => {
    const ended = moment(speaker, 'ended');
    void speaker.play();
    await ended;
  });
  const { samples, sampleRate } = soundFrom(recorded);
  expect(silencesOf({ samples, sampleRate }, CUT_SECONDS)).to.have.length(0);
  expectPart(samples, sampleRate, PARTS_SENT);
}

/** Seeks to random positions in a tone. */
async function recordSeeks(speaker: SvcSpeakerElement, random: Random): Promise<void> {
  speaker.sessionProvider = () => Promise.resolve(toneUrl(SEEK_TONE_SECONDS));
  const { recorded } = await record(async () => {
    speaker.clearHistory();
    const started = moment(speaker, 'utterancestart');
    speaker.speak('Tone.').finished.catch(() => {});
    await started;
    for (let seek = 0; seek < SEEKS; seek++) {
      await new Promise((resolve) => setTimeout(resolve, random.uniform(0, BETWEEN_MS)));
      const seeked = moment(speaker, 'seeked');
      speaker.currentTime = random.uniform(0, SEEK_TONE_SECONDS - 1);
      await seeked;
    }
    speaker.cancel();
  });
  const { samples, sampleRate } = soundFrom(recorded);
  // The silence of a seek ends with the next render quantum, so some are shorter.
  expect(silencesOf({ samples, sampleRate }, CUT_SECONDS).length).to.be.within(SEEKS / 2, SEEKS);
  const { from, to } = soundOf({ samples, sampleRate });
  // The tone itself begins with a corner.
  const sound = samples.subarray(from + EDGE_SECONDS * sampleRate, to + 2);
  const roughest = sound.reduce((most, sample, at) => {
    return at < 2 ? most : Math.max(most, Math.abs(sample - 2 * sound[at - 1]! + sound[at - 2]!));
  }, 0);
  expect(roughest / LEVEL, 'second difference').to.be.below(SMOOTH);
}

function soundFrom(recorded: Recorded): Heard {
  return { samples: samplesOf(recorded), sampleRate: recorded.rate };
}

/** Asserts that a recording is what was sent, between ramps. */
function expectPart(samples: Float32Array, sampleRate: number, sent: Int16Array): void {
  expect(secondsOf(samples, sampleRate)).to.be.closeTo(sent.length / SPEECH_RATE, EXACT_SECONDS);
  const { bad, why } = matchOf({ samples, sampleRate }, { samples: sent, sampleRate: SPEECH_RATE }, CLEAN_DB);
  expect(bad, String(why)).to.equal(null);
}

/** Returns the length of the sound in a recording, in seconds. */
function secondsOf(samples: Float32Array, sampleRate: number): number {
  const { from, to } = soundOf({ samples, sampleRate });
  return (to - from) / sampleRate;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

describe(`A sound card to which <svc-speaker> plays over the ${transport} transport`, () => {
  const speaker = makeSpeaker();
  const whole: Utterance[] = [];

  let stopControl = (): void => {};

  before(async () => {
    await speaker.speak('Tone.').finished;
    stopControl = playControl(speaker);
  });
  after(() => {
    stopControl();
    speaker.remove();
  });

  async function recordWhole(): Promise<void> {
    const { recorded, result } = await record(() => speakTone(speaker));
    whole.push(expectWhole(recorded, result));
  }

  for (let time = 1; time <= TIMES; time++) {
    it(`receives all of the speech, without a gap or a click, at its pitch: ${time} of ${TIMES}`, async () => {
      await recordWhole();
      expect(speaker.getStats().transport).to.equal(transport);
    });
  }

  if (isLong) testEventsAndSeeks();

  it('receives the end of a ramp, and no click, from a speaker that is removed while it speaks', async () => {
    const seconds = 4;
    speaker.sessionProvider = () => Promise.resolve(toneUrl(seconds));
    const { recorded } = await record(async () => {
      document.body.append(speaker);
      speaker.speak('Tone.').finished.catch(() => {});
      const before = speaker.currentTime;
      while (speaker.currentTime < before + SECONDS / 2) await moment(speaker, 'timeupdate');
      speaker.remove();
    });
    const samples = samplesOf(recorded);
    const { from, to } = soundOf({ samples, sampleRate: recorded.rate });
    const last = samples.subarray(to - Math.round(0.0005 * recorded.rate), to);
    expect((to - from) / recorded.rate).to.be.within(SECONDS / 2, seconds - 0.01);
    expect(Math.max(...last.map(Math.abs))).to.be.below(LEVEL / 8);
  });

  function testEventsAndSeeks(): void {
    it('has received the last sample when `utteranceend` and `ended` are dispatched, within 20 ms', async function () {
      this.timeout(170_000);
      while (whole.length < TIMES) await recordWhole();
      const late = (type: keyof Moments): number[] =>
        whole.map(
          ({ moments, soundStart, soundEnd }) => moments[type] - (type === 'utterancestart' ? soundStart : soundEnd),
        );
      for (const type of events) {
        const times = late(type).map((ms) => ms.toFixed(1));
        console.log(`${type}: ${times.join(', ')} ms after the sound`);
      }
      // A single event may be late because the page was busy, so the median counts.
      const medians = (['utteranceend', 'ended'] as const).map((type) => Math.abs(median(late(type))));
      expect(Math.max(...medians)).to.be.at.most(20);
    });

    it('receives the target of a seek, and all of the speech again after the end, over one socket', async function () {
      this.timeout(170_000);
      const id = await recordSeek(speaker);
      await recordReplay(speaker);
      const log = await fetch(`${gatewayUrl.replace('ws:', 'http:')}log?id=${id}`);
      expect(((await log.json()) as GatewayLog).connections).to.have.length(1);
    });

    if (engine === 'chromium') {
      for (let seed = 1; seed <= SEEK_RECORDINGS; seed++) {
        it(`receives no click at ${SEEKS} seeks, with seed ${seed}`, () => recordSeeks(speaker, new Random(seed)));
      }
    }
  }
});
