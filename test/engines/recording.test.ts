import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import '../../src/define.js';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../../src/index.js';
import { engine } from '../page/support/engine.js';
import type { Recorded } from './launch/recorder.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import { gatewayUrl } from '../setup/gateway-url.js';
import { samplesOf, type Stretch, sounds, toneOf } from './tone.js';

const PITCH = 440;
const SECONDS = 0.8;
/** Number of utterances that must be recorded without a fault. */
const TIMES = 5;
/**
 * Maximum number of recordings. An utterance is recorded again if the browser made a gap, which happens on a busy
 * machine.
 */
const ATTEMPTS = 40;
/** Level of the gateway's tone: half of full scale. */
const LEVEL = 0.5;
/** Maximum difference in length between an utterance and its recording, in seconds. */
const EXACT_SECONDS = 0.002;
/** Length of ramps, and of the resampler's filter at both ends, in seconds. */
const EDGE_SECONDS = 0.01;
/**
 * Maximum error of a clean tone, as a fraction of the level. A click at the threshold of hearing has a greater error;
 * one lost sample in the middle of a rising edge has an error of 0.03.
 */
const CLEAN = 0.01;

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

async function record(speaker: SvcSpeakerElement): Promise<{ recorded: Recorded; moments: Moments }> {
  await executeServerCommand('start-recording');
  const times = Promise.all(events.map((type) => moment(speaker, type)));
  speaker.speak('Tone.');
  const [utterancestart, utteranceend, ended] = (await times) as [number, number, number];
  const recorded = await executeServerCommand<Recorded, undefined>('stop-recording');
  return { recorded, moments: { utterancestart, utteranceend, ended } };
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

describe(`A sound card to which <svc-speaker> plays over the ${transport} transport`, () => {
  const speaker = makeSpeaker();
  const whole: Utterance[] = [];
  const faults: string[] = [];

  before(async function () {
    this.timeout(170_000);
    // When a context begins to play, WebKitGTK's sound card underruns for about 7 ms.
    if (engine === 'webkit') await speaker.speak('Tone.').finished;
    while (whole.length < TIMES && whole.length + faults.length < ATTEMPTS) {
      const { recorded, moments } = await record(speaker);
      try {
        whole.push(expectWhole(recorded, moments));
      } catch (error) {
        faults.push((error as Error).message);
      }
    }
    if (faults.length > 0) console.log(`Recorded again: ${faults.join('; ')}`);
  });
  after(() => speaker.remove());

  it('receives all of the speech, without a gap or a click, at its pitch', () => {
    expect(speaker.getStats().transport).to.equal(transport);
    expect(whole, faults.join('; ')).to.have.length(TIMES);
  });

  it('has received the last sample when `utteranceend` and `ended` are dispatched, within 20 ms', () => {
    const late = (type: keyof Moments): number[] =>
      whole.map(
        ({ moments, soundStart, soundEnd }) => moments[type] - (type === 'utterancestart' ? soundStart : soundEnd),
      );
    for (const type of events) {
      const times = late(type).map((ms) => ms.toFixed(1));
      console.log(`${type}: ${times.join(', ')} ms after the sound`);
    }
    // A single event may be late because the page was busy, so the median counts.
    for (const type of ['utteranceend', 'ended'] as const) expect(Math.abs(median(late(type))), type).to.be.at.most(20);
  });

  it('receives the end of a ramp, and no click, from a speaker that is removed while it speaks', async () => {
    const seconds = 4;
    document.body.append(speaker);
    speaker.sessionProvider = () => Promise.resolve(toneUrl(seconds));
    await executeServerCommand('start-recording');
    const { finished } = speaker.speak('Tone.');
    finished.catch(() => {});
    const before = speaker.currentTime;
    while (speaker.currentTime < before + SECONDS / 2) await moment(speaker, 'timeupdate');
    speaker.remove();
    const cut = await executeServerCommand<Recorded, undefined>('stop-recording');
    const sound = samplesOf(cut);
    // A gap that the browser makes may split the sound.
    const stretches = sounds(sound, cut.rate);
    const [{ from }, { to }] = [stretches[0]!, stretches.at(-1)!];
    const last = sound.subarray(to - Math.round(0.0005 * cut.rate), to);
    expect((to - from) / cut.rate).to.be.within(SECONDS / 2, seconds - 0.01);
    expect(Math.max(...last.map(Math.abs))).to.be.below(LEVEL / 8);
  });
});
