import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../src/index.js';
import { ecoResampler } from '../../src/dsp/index.js';
import type { FramesSpec } from '../../src/testing/script.js';
import { assertHeard, exact, expected, firstSound, largestStep, pitchOf, sound, SPEECH_RATE } from './support/sound.js';
import { next, removeSpeakers, speakerOf, transport } from './support/speaker.js';
import { forceSampleRate, heard, heardAt, joined, nextFrame, openContexts } from './support/tap.js';

const CONTEXT_RATE = 48000;
const SECONDS = 0.5;
const PITCH = 440;
const tone: FramesSpec = { tone: PITCH, seconds: SECONDS };
const noise: FramesSpec = { noise: 70, seconds: 0.3 };

/** Maximum error of the length of stretched speech: one splice (15 ms) and the wait before it (50 ms). */
const STRETCH_SECONDS = 0.065;
/** Maximum length of exact silence at the beginning or end of a ramp. */
const EDGE_SECONDS = 0.002;
/** Largest step between two samples of a tone at half of full scale, per hertz of its pitch. */
const STEP_PER_HZ = (0.5 * 2 * Math.PI) / CONTEXT_RATE;

/** The same samples at another sample rate, like a tape that is played at another speed. */
function taped(frames: FramesSpec, rate: number): FramesSpec {
  return { ...frames, samples: frames.seconds! * SPEECH_RATE, rate: Math.round(SPEECH_RATE * rate) };
}

async function speak(speaker: SvcSpeakerElement, rate: number, preservesPitch = true): Promise<Float32Array> {
  speaker.playbackRate = rate;
  speaker.preservesPitch = preservesPitch;
  await speaker.speak('Tone.').finished;
  return heard();
}

describe(`The playback rate of <svc-speaker>, transport ${transport}`, () => {
  beforeEach(() => forceSampleRate(CONTEXT_RATE));
  afterEach(removeSpeakers);

  // For other rates, see test/unit/worklet/stretching.test.ts.
  for (const rate of [0.5, 1.5]) {
    it(`${rate} keeps the pitch, and makes speech last 1/${rate} of its time`, async () => {
      const speaker = speakerOf(tone, { ...exact, transport });
      const heardTone = sound(await speak(speaker, rate));
      expect(heardTone.length / CONTEXT_RATE).to.be.closeTo(SECONDS / rate, STRETCH_SECONDS);
      expect(pitchOf(heardTone, CONTEXT_RATE)).to.be.closeTo(PITCH, 0.005 * PITCH);
      expect(largestStep(heardTone)).to.be.lessThan(1.5 * STEP_PER_HZ * PITCH);
      expect([speaker.currentTime, speaker.duration]).to.deep.equal([SECONDS, SECONDS]);
      expect(speaker.getStats().underruns).to.equal(0);
    });

    it(`${rate} without preservesPitch resamples, bit for bit`, async () => {
      const speaker = speakerOf(noise, { ...exact, transport });
      assertHeard(await speak(speaker, rate, false), [expected(taped(noise, rate), CONTEXT_RATE)], CONTEXT_RATE);
      expect([speaker.currentTime, speaker.duration]).to.deep.equal([0.3, 0.3]);
    });
  }

  it('1 plays bit for bit again after other rates', async () => {
    const speaker = speakerOf(noise, { ...exact, transport });
    await speak(speaker, 2);
    await speak(speaker, 1.25, false);
    for (const preservesPitch of [true, false]) {
      assertHeard(await speak(speaker, 1, preservesPitch), [expected(noise, CONTEXT_RATE)], CONTEXT_RATE);
    }
  });

  for (const preservesPitch of [true, false]) {
    it(`takes effect at once, without a click, preservesPitch ${preservesPitch}`, async () => {
      const seconds = 8; // the last one is played at the new rate, also if the page is slow to set it
      const speaker = speakerOf({ ...tone, seconds }, { ...exact, transport });
      speaker.preservesPitch = preservesPitch;
      const { finished } = speaker.speak('Tone.');
      while (speaker.currentTime < 0.1) await nextFrame();
      const changedAt = speaker.currentTime;
      speaker.playbackRate = 2;
      const before = await heard(); // the tap receives this after the change
      await finished;
      const heardTone = sound(joined(before, await heard()));
      const latest = (before.length - firstSound(before)) / CONTEXT_RATE;
      const atOldRate = (2 * heardTone.length) / CONTEXT_RATE - seconds;
      expect(atOldRate).to.be.within(changedAt - 0.3, latest + 0.3);
      const end = heardTone.subarray(-CONTEXT_RATE); // long enough to count crossings to 0.5 Hz
      const pitch = preservesPitch ? PITCH : 2 * PITCH;
      expect(pitchOf(end, CONTEXT_RATE)).to.be.closeTo(pitch, 0.005 * pitch);
      expect(largestStep(heardTone)).to.be.lessThan(1.5 * STEP_PER_HZ * pitch);
      expect(speaker.currentTime).to.equal(seconds);
    });
  }

  for (const [rate, preservesPitch] of [
    [1, true],
    [0.5, true],
    [1.5, true],
    [1.5, false],
  ] as const) {
    it(`is the rate of currentTime: ${rate}, preservesPitch ${preservesPitch}`, async () => {
      const speaker = speakerOf({ ...tone, seconds: 20 }, { ...exact, transport });
      speaker.playbackRate = rate;
      speaker.preservesPitch = preservesPitch;
      speaker.speak('Tone.').finished.catch(() => {});
      await next(speaker, 'playing');
      const [context] = openContexts();
      const looks: { at: number; position: number; latency: number }[] = [];
      for (let last = -Infinity; looks.length < 20;) {
        const now = performance.now();
        const at = context!.currentTime;
        const position = speaker.currentTime;
        // The browser measures it again and again.
        const latency = speaker.getStats().outputLatency!;
        // After a longer pause of the page, reports of the audio thread wait to be read.
        const isFresh = now - last < 100;
        if (isFresh && context!.currentTime === at) looks.push({ at, position, latency });
        last = now;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const { samples, frame } = await heardAt();
      const from = (frame + firstSound(samples)) / CONTEXT_RATE;
      // A render quantum, the silence of a ramp, and a splice if the pitch is preserved.
      const tolerance = rate * (128 / CONTEXT_RATE + EDGE_SECONDS) + (preservesPitch && rate !== 1 ? 0.03 : 0);
      // The position never goes back, even if the browser then measures a longer latency.
      let furthest = 0;
      for (const { at, position, latency } of looks) {
        furthest = Math.max(furthest, (at - from - latency) * rate);
        expect(position, `at ${at - from} s`).to.be.closeTo(furthest, tolerance);
      }
    });
  }

  it('does not change buffered, which is in seconds of speech', async () => {
    const speaker = speakerOf(tone, { transport });
    speaker.playbackRate = 2;
    const { finished } = speaker.speak('Tone.');
    await next(speaker, 'socketclose'); // all of it has arrived
    // Audio that the device has buffered does not count. The audio thread reports every 100 ms.
    const least = SECONDS - 0.05 - 2 * speaker.getStats().outputLatency!;
    while (speaker.buffered.length === 0 || speaker.buffered.end(0) < least) await nextFrame();
    expect(speaker.buffered.end(0)).to.be.at.most(SECONDS);
    await finished;
    expect(speaker.buffered.end(0)).to.equal(SECONDS);
  });
});

describe(`The resampler of <svc-speaker>, transport ${transport}`, () => {
  beforeEach(() => forceSampleRate(CONTEXT_RATE));
  afterEach(removeSpeakers);

  it('is the one that the attribute names, also after a change', async () => {
    const speaker = speakerOf(noise, { ...exact, transport, resampler: 'eco' });
    assertHeard(await speak(speaker, 1), [expected(noise, CONTEXT_RATE, ecoResampler)], CONTEXT_RATE);
    speaker.resampler = 'fine';
    assertHeard(await speak(speaker, 1), [expected(noise, CONTEXT_RATE)], CONTEXT_RATE);
  });
});
