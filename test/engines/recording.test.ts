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
/** Utterances in a recording. */
const TIMES = 5;
/** The gateway's tone is at half of full scale. */
const LEVEL = 0.5;
/** By which an utterance may be longer or shorter. */
const EXACT_SECONDS = 0.002;
/** Length of ramps, and of what a resampler does at the ends. */
const EDGE_SECONDS = 0.01;
/** Of the level; a click of the ear's threshold has more, and one lost sample in the middle of a rise has 0.03. */
const CLEAN = 0.01;
/** A browser that is kept from its sound card by other programs has gaps of its own: then another recording is made. */
const ATTEMPTS = 5;

const transport = crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined' ? 'shared' : 'message';

/** Times of the events of one utterance, in milliseconds since the epoch. */
type Moments = Record<(typeof events)[number], number>;
const events = ['utterancestart', 'utteranceend', 'ended'] as const;

/** URL of a socket on which the service answers with a tone. */
function toneUrl(seconds: number): string {
  return scriptUrl(gatewayUrl, speaking({ tone: PITCH, seconds }));
}

function makeSpeaker(): SvcSpeakerElement {
  const speaker = document.createElement('svc-speaker');
  // It starts when all of an utterance has arrived.
  speaker.jitterBuffer = 'fixed';
  speaker.jitterBufferTarget = 4000;
  speaker.sessionProvider = () => Promise.resolve(toneUrl(SECONDS));
  document.body.append(speaker);
  return speaker;
}

async function record(speaker: SvcSpeakerElement): Promise<{ recorded: Recorded; moments: Moments[] }> {
  await executeServerCommand('start-recording');
  const moments: Moments[] = [];
  while (moments.length < TIMES) {
    const times = Promise.all(events.map((type) => moment(speaker, type)));
    speaker.speak('Tone.');
    const [utterancestart, utteranceend, ended] = (await times) as [number, number, number];
    moments.push({ utterancestart, utteranceend, ended });
  }
  return { recorded: await executeServerCommand<Recorded, undefined>('stop-recording'), moments };
}

function moment(speaker: SvcSpeakerElement, type: keyof SvcSpeakerEventMap): Promise<number> {
  return new Promise((resolve) => {
    speaker.addEventListener(type, () => resolve(Date.now()), { once: true });
  });
}

/** Each utterance was heard in one piece, and to its end. */
function isWhole(heard: readonly Stretch[] = [], rate = 1): boolean {
  return (
    heard.length === TIMES && heard.every(({ from, to }) => Math.abs((to - from) / rate - SECONDS) <= EXACT_SECONDS)
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

describe(`A sound card to which <svc-speaker> plays over the ${transport} transport`, () => {
  const speaker = makeSpeaker();
  let recorded: Recorded;
  let moments: Moments[];
  let samples: Float32Array;
  let heard: Stretch[];

  before(async function () {
    this.timeout(60_000);
    // As a context begins to play, WebKitGTK's sound card runs dry for some 7 ms.
    if (engine === 'webkit') await speaker.speak('Tone.').finished;
    for (let attempt = 0; attempt < ATTEMPTS && !isWhole(heard, recorded?.rate); attempt++) {
      ({ recorded, moments } = await record(speaker));
      samples = samplesOf(recorded);
      heard = sounds(samples, recorded.rate);
    }
  });
  after(() => speaker.remove());

  it('gets all of the speech, without a gap or a click, at its pitch', () => {
    const { rate } = recorded;
    expect(speaker.getStats().transport).to.equal(transport);
    const places = heard.map(({ from, to }) => `${(from / rate).toFixed(3)} to ${(to / rate).toFixed(3)} s`);
    expect(heard, `Heard: ${places.join(', ')}`).to.have.length(TIMES);
    for (const { from, to } of heard) {
      expect((to - from) / rate).to.be.closeTo(SECONDS, EXACT_SECONDS);
      const edge = EDGE_SECONDS * rate;
      const { pitch, level, error } = toneOf(samples.subarray(from + edge, to - edge), rate, PITCH);
      expect(pitch).to.be.closeTo(PITCH, 0.01);
      expect(level).to.be.closeTo(LEVEL, 0.005);
      expect(error).to.be.below(CLEAN);
    }
  });

  it('has got the last sample when `utteranceend` and `ended` say so, within 20 ms', () => {
    expect(heard).to.have.length(TIMES);
    const { rate, startedAt } = recorded;
    const soundAt = (sample: number): number => startedAt + (sample / rate) * 1000;
    const late = (type: keyof Moments): number[] =>
      heard.map(({ from, to }, index) => moments[index]![type] - soundAt(type === 'utterancestart' ? from : to));
    for (const type of events) {
      console.log(
        `${type}: ${late(type)
          .map((ms) => ms.toFixed(1))
          .join(', ')} ms after the sound`,
      );
    }
    // One of several may be late: the page was busy with something else.
    for (const type of ['utteranceend', 'ended'] as const) expect(Math.abs(median(late(type))), type).to.be.at.most(20);
  });

  it('gets the end of a ramp, and no click, from a speaker that is removed while it speaks', async () => {
    const seconds = 4;
    speaker.sessionProvider = () => Promise.resolve(toneUrl(seconds));
    await executeServerCommand('start-recording');
    const { finished } = speaker.speak('Tone.');
    finished.catch(() => {});
    const before = speaker.currentTime;
    while (speaker.currentTime < before + SECONDS / 2) await moment(speaker, 'timeupdate');
    speaker.remove();
    const cut = await executeServerCommand<Recorded, undefined>('stop-recording');
    const sound = samplesOf(cut);
    const [{ from, to }] = sounds(sound, cut.rate) as [Stretch];
    const last = sound.subarray(to - Math.round(0.0005 * cut.rate), to);
    expect((to - from) / cut.rate).to.be.within(SECONDS / 2, seconds - 0.01);
    expect(Math.max(...last.map(Math.abs))).to.be.below(LEVEL / 8);
  });
});
