import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../src/index.js';
import { type FramesSpec, speaking } from '../../src/testing/script.js';
import {
  assertBeginning,
  assertHeard,
  exact,
  expected,
  firstSound,
  largestStep,
  lastSound,
  placeOf,
  SPEECH_RATE,
} from './support/sound.js';
import { makeSpeaker, next, removeSpeakers, sessionUrl, speakerOf, transport } from './support/speaker.js';
import { engine } from './support/engine.js';
import { rounds } from '../setup/gateway-url.js';
import { forceSampleRate, heard, heardToSilence } from './support/tap.js';

/** A render quantum of 128 samples and a ramp of 5 ms. */
const SILENT_WITHIN = 128 + 0.005 * SPEECH_RATE;

/** Until the audio thread learns of it: a few quanta; the others hand on messages only when their device asks for more. */
const DELIVERY = engine !== 'chromium' && transport === 'message' ? 0.03 * SPEECH_RATE : 2 * 128;

describe('<svc-speaker> that is interrupted', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('goes on from the same sample after a pause', async () => {
    const frames: FramesSpec = { noise: 60, seconds: 0.6 };
    const speaker = speakerOf(frames, { ...exact, 'jitter-buffer-target': 4000 });
    const { started, finished } = speaker.speak('Where was I?');
    await started;
    speaker.pause();
    const whole = expected(frames);
    const before = assertBeginning(await heardToSilence(), whole);
    void speaker.play();
    await finished;
    const after = await heard();
    const [rest] = assertHeard(after, [whole.subarray(before.to - before.from)]);
    // The first sample of a ramp is zero.
    expect(firstSound(after)).to.equal(rest!.from + 1);
  });

  it('makes no click when it is removed, or given another source', async () => {
    const tone: FramesSpec = { tone: 220, seconds: 5 };
    const step = (2 * Math.PI * 220) / SPEECH_RATE;
    for (const end of [
      (speaker: SvcSpeakerElement) => speaker.remove(),
      (speaker: SvcSpeakerElement) => (speaker.src = 'wss://speech.test/'),
    ]) {
      const speaker = speakerOf(tone, exact);
      // Keeps the context, whose recording would be gone with it.
      const other = speakerOf({ tone: 220, seconds: 0.02 }, exact);
      await other.speak('Hush.').finished;
      await speaker.speak('On and on.').started;
      await heard();
      end(speaker);
      const rest = await heardToSilence();
      expect(lastSound(rest)).to.be.at.most(SILENT_WITHIN + DELIVERY);
      expect(largestStep(rest)).to.be.at.most(1.1 * step);
      await removeSpeakers();
      forceSampleRate(SPEECH_RATE);
    }
  });

  it('says nothing of what was cancelled and all of what comes next, twenty times', async function () {
    this.timeout(30_000 * rounds);
    const old: FramesSpec = { noise: 61, seconds: 20 };
    const fresh: FramesSpec = { noise: 62, seconds: 0.05 };
    let frames = fresh;
    const speaker = makeSpeaker(exact);
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(frames)));
    await speaker.speak('By now everything runs.').finished;
    await heard();
    const moments = [null, 'play', 'canplay', 'playing', 'utterancestart'] as const;
    for (let time = 0; time < 20 * rounds; time++) {
      const moment = moments[time % moments.length]!;
      frames = old;
      const reached = moment && next(speaker, moment);
      speaker.speak('Never mind.');
      await reached;

      speaker.cancel();
      frames = fresh;
      const { finished } = speaker.speak('Listen.');
      const before = await heard();
      await finished;
      const after = await heard();
      const begin = placeOf(after, expected(fresh));
      assertHeard(after.subarray(begin), [expected(fresh)]);
      const ramp = after.subarray(0, begin);
      expect(lastSound(ramp), moment).to.be.at.most(SILENT_WITHIN);
      const remains = Float32Array.of(...before, ...ramp);
      if (lastSound(remains) > 0) assertBeginning(remains, expected(old));
      else expect(moment).not.to.equal('utterancestart');
    }
    expect(speaker.getStats().underruns).to.equal(0);
  });
});
