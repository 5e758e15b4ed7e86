import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import type { FramesSpec } from '../../../src/testing/script.js';
import { exact, largestStep, peak, SPEECH_RATE } from '../support/sound.js';
import { closeOwnContexts, ownContext } from '../support/own-contexts.js';
import { makeSpeaker, next, removeSpeakers, speakerOf } from '../support/speaker.js';
import { forceSampleRate, heard, heardFor, heardToSilence, joined } from '../support/tap.js';

const HERTZ = 200;
/** A tone at half of full scale. */
const tone: FramesSpec = { tone: HERTZ, seconds: 20 };
/** Largest difference between neighbouring samples of the tone itself. */
const STEP = (0.5 * 2 * Math.PI * HERTZ) / SPEECH_RATE;
const PERIOD = SPEECH_RATE / HERTZ;

/** Peak of each period of a tone. */
function levels(recording: Float32Array): number[] {
  return Array.from({ length: Math.floor(recording.length / PERIOD) }, (_, period) =>
    recording
      .subarray(period * PERIOD, (period + 1) * PERIOD)
      .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
}

/** Plays the tone, and drops the recording so far. */
async function play(speaker: SvcSpeakerElement): Promise<void> {
  await speaker.speak('Tone.').started;
  await heard();
}

/** Records the events around `duck`, each with the value of `ducked`. The returned array grows. */
function ducks(speaker: SvcSpeakerElement): string[] {
  const seen: string[] = [];
  for (const type of ['duckstart', 'duckend', 'volumechange', 'pause'] as const) {
    speaker.addEventListener(type, () => seen.push(`${type} ${speaker.ducked}`));
  }
  return seen;
}

describe('duck() of <svc-speaker>', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(closeOwnContexts);
  afterEach(removeSpeakers);

  it('lowers speech to a fifth, and unduck() restores it, without a step', async () => {
    const speaker = speakerOf(tone, exact);
    const events = ducks(speaker);
    await play(speaker);
    speaker.duck();
    const down = await heardFor(0.3);
    speaker.unduck();
    const up = await heardFor(0.7);
    expect(levels(down)[0], 'it begins at once, but not with a step').to.be.within(0.15, 0.5);
    expect(levels(down).at(-1)).to.be.closeTo(0.1, 0.001);
    expect(levels(up).at(-1)).to.be.closeTo(0.5, 0.0001);
    expect(largestStep(joined(down, up))).to.be.at.most(1.1 * STEP);
    expect(events).to.deep.equal(['duckstart true', 'duckend false']);
    expect([speaker.volume, speaker.muted]).to.deep.equal([1, false]);
  });

  it('takes the requested time', async () => {
    const speaker = speakerOf(tone, exact);
    await play(speaker);
    speaker.duck({ to: 0, ms: 300 });
    const levelAt = levels(await heardFor(1));
    const begin = levelAt.findIndex((level) => level < 0.49);
    const end = levelAt.findIndex((level) => level < 0.01);
    expect(((end - begin) * PERIOD) / SPEECH_RATE).to.be.within(0.2, 0.3);
    expect(levelAt.at(-1)).to.equal(0);
  });

  it('makes no step in the middle of ramps, however short they are, nor when the volume changes', async () => {
    const speaker = speakerOf(tone, exact);
    await play(speaker);
    let all: Float32Array = new Float32Array();
    for (let round = 0; round < 10; round++) {
      speaker.duck({ to: round / 20, ms: 5 * round });
      all = joined(all, await heardFor(0.005));
      speaker.volume = round % 2 ? 0.5 : 1;
      speaker.unduck({ ms: 0 });
      all = joined(all, await heardFor(0.005 + 0.01 * (round % 3)));
    }
    speaker.volume = 1;
    all = joined(all, await heardFor(0.3));
    expect(largestStep(all)).to.be.at.most(1.2 * STEP);
    expect(levels(all).at(-1)).to.be.closeTo(0.5, 0.0001);
  });

  it('ends with one unduck() after two calls, and not with an earlier unduck()', async () => {
    const speaker = speakerOf(tone, exact);
    const events = ducks(speaker);
    await play(speaker);
    speaker.unduck();
    speaker.duck({ to: 0.5 });
    speaker.duck({ to: 0.1 });
    expect(levels(await heardFor(0.3)).at(-1)).to.be.closeTo(0.05, 0.001);
    speaker.unduck();
    speaker.unduck();
    expect(levels(await heardFor(0.7)).at(-1)).to.be.closeTo(0.5, 0.0001);
    expect(events).to.deep.equal(['duckstart true', 'duckend false']);
  });

  it('holds for the first sound, and for the utterances that follow', async () => {
    const speaker = speakerOf({ tone: HERTZ, seconds: 0.2 }, exact);
    speaker.duck({ to: 0.5 });
    for (const text of ['One.', 'Two.']) {
      const ended = next(speaker, 'ended');
      await speaker.speak(text).finished;
      await ended;
      expect(peak(await heardToSilence())).to.be.closeTo(0.25, 0.001);
    }
    expect(speaker.ducked).to.equal(true);
  });

  it('ends with cancel(): what follows is at full level from its first sample', async () => {
    const speaker = speakerOf(tone, exact);
    const events = ducks(speaker);
    await play(speaker);
    speaker.duck();
    const ducked = await heardFor(0.3);
    speaker.cancel();
    expect(speaker.ducked).to.equal(false);
    const rest = await heardToSilence();
    expect(peak(rest)).to.be.at.most(0.11);
    expect(largestStep(joined(ducked, rest))).to.be.at.most(1.1 * STEP);
    expect(events).to.deep.equal(['duckstart true', 'pause false', 'duckend false']);
    const { started } = speaker.speak('Again.');
    const again = await heardToSound();
    await started;
    // The first period contains the ramp that every playback starts with.
    expect(levels(again)[1]).to.be.closeTo(0.5, 0.001);
  });

  it('ends when the only utterance is cancelled and with close(), not when one of two is cancelled', async () => {
    const speaker = speakerOf(tone, exact);
    const [first, second] = [speaker.speak('One.'), speaker.speak('Two.')];
    await first.started;
    speaker.duck();
    first.cancel();
    expect(speaker.ducked).to.equal(true);
    second.cancel();
    expect(speaker.ducked).to.equal(false);
    speaker.duck();
    speaker.close();
    expect(speaker.ducked).to.equal(false);
  });

  it('moves with speech to another context', async () => {
    const contexts = [ownContext(), ownContext()];
    const speaker = speakerOf(tone, exact);
    speaker.audioContext = contexts[0]!;
    await speaker.speak('Tone.').started;
    speaker.duck();
    const waiting = next(speaker, 'waiting');
    speaker.audioContext = contexts[1]!;
    await waiting;
    await next(speaker, 'playing');
    let after = await heard(contexts[1]);
    while (levels(after).filter((level) => level > 0.05).length < 20) after = joined(after, await heard(contexts[1]));
    expect(peak(after)).to.be.closeTo(0.1, 0.001);
  });

  it('refuses what is not a level or a time', () => {
    const speaker = makeSpeaker();
    for (const wrong of [{ to: -0.1 }, { to: 1.1 }, { ms: -1 }]) {
      expect(() => speaker.duck(wrong), JSON.stringify(wrong)).to.throw(RangeError);
    }
    for (const wrong of [{ to: Number.NaN }, { ms: Infinity }, { ms: 'soon' as unknown as number }]) {
      expect(() => speaker.duck(wrong), JSON.stringify(wrong)).to.throw(TypeError);
    }
    expect(() => speaker.unduck({ ms: -1 })).to.throw(RangeError);
    expect(() => speaker.unduck({ ms: Number.NaN })).to.throw(TypeError);
    expect(speaker.ducked).to.equal(false);
  });
});

/** Collects at least 50 ms of sound, without the silence before it. */
async function heardToSound(): Promise<Float32Array> {
  let all = await heard();
  while (all.length - all.findIndex((sample) => sample !== 0) < 0.05 * SPEECH_RATE || !all.some(Boolean)) {
    all = joined(all, await heard());
  }
  return all.subarray(all.findIndex((sample) => sample !== 0));
}
