import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../src/index.js';
import { type FramesSpec, type GatewayStep, speaking } from '../../src/testing/script.js';
import { assertBeginning, assertHeard, exact, expected, firstSound } from './support/sound.js';
import { largestStep, lastSound, placeOf, SPEECH_RATE } from './support/sound.js';
import {
  endedConnection,
  journal,
  makeSpeaker,
  next,
  removeSpeakers,
  scriptedSessions,
  sessionUrl,
  speakerOf,
  transport,
} from './support/speaker.js';
import { rounds } from '../setup/gateway-url.js';
import { forceSampleRate, heard, heardFor, heardToSilence, joined } from './support/tap.js';
import { STOP_LIMIT_MS, withPatience } from './support/timers.js';

/** A render quantum of 128 samples and a ramp of 5 ms, in samples. */
const SILENT_WITHIN = 128 + 0.005 * SPEECH_RATE;

/** Delay of a command to the audio thread, in samples: in a message, or through shared memory. */
const DELIVERY = transport === 'message' ? 0.05 * SPEECH_RATE : 2 * 128;

describe('<svc-speaker> that is interrupted', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('continues from the same sample after a pause', async () => {
    const frames: FramesSpec = { noise: 60, seconds: 4 };
    const speaker = speakerOf(frames, exact);
    const { started } = speaker.speak('Where was I?');
    await started;
    speaker.pause();
    const whole = expected(frames);
    const before = assertBeginning(await heardToSilence(), whole);
    void speaker.play();
    await next(speaker, 'playing');
    const resumed = await heardFor(0.05);
    speaker.cancel();
    const after = joined(resumed, await heardToSilence());
    const rest = assertBeginning(after, whole.subarray(before.to - before.from));
    // The first sample of a ramp is zero.
    expect(firstSound(after)).to.equal(rest.from + 1);
  });

  it('makes no click when it is removed, or given another source', async () => {
    const tone: FramesSpec = { tone: 220, seconds: 5 };
    const step = (2 * Math.PI * 220) / SPEECH_RATE;
    for (const end of [
      (speaker: SvcSpeakerElement) => speaker.remove(),
      (speaker: SvcSpeakerElement) => (speaker.src = 'wss://speech.test/'),
    ]) {
      const speaker = speakerOf(tone, exact);
      // Keeps the context open, and with it the recording.
      const other = speakerOf({ tone: 220, seconds: 0.02 }, exact);
      await other.speak('Hush.').finished;
      await speaker.speak('On and on.').started;
      await heard();
      const [during, rest] = await withPatience(STOP_LIMIT_MS, async () => {
        end(speaker);
        await Promise.resolve(); // an element may be moved: it is removed in a microtask
        const first = await heard(); // the tap receives this after the command
        return [first, await heardToSilence(first)];
      });
      expect(lastSound(rest)).to.be.at.most(during.length + SILENT_WITHIN + DELIVERY);
      expect(largestStep(rest)).to.be.at.most(1.1 * step);
      await removeSpeakers();
      forceSampleRate(SPEECH_RATE);
    }
  });

  it('closes its socket, also with keep-open, if cancelled audio keeps arriving, and speaks on a new one', async () => {
    const old: GatewayStep[] = [
      { wait: 'end' },
      { frames: { noise: 63, seconds: 5 } },
      { frames: { noise: 65, seconds: 60, pace: 'realtime' } },
      { done: true },
    ];
    const fresh: FramesSpec = { noise: 64, seconds: 0.3 };
    // Begins when the end is known: a late end would be concealed, which is sound after the last sample.
    const { speaker, sessions } = scriptedSessions([old, speaking(fresh)], { ...exact, 'keep-open': true });
    const events = journal(speaker);
    await speaker.speak('Once upon a time.').started;
    const closed = next(speaker, 'socketclose');
    speaker.cancel();
    await heard();
    await speaker.speak('Yes?').finished;
    const recording = await heard();
    const begin = placeOf(recording, expected(fresh));
    assertHeard(recording.subarray(begin), [expected(fresh)]);
    expect(sessions.map(({ reason }) => reason)).to.deep.equal(['speak', 'speak']);
    const { closed: close, samplesSent } = await endedConnection(sessions[0]!.url);
    expect([close!.code, samplesSent], 'in the middle of the speech').to.deep.equal([1000, 5 * SPEECH_RATE]);
    await closed;
    expect(events.filter((type) => type === 'socketclose')).to.have.length(1);
  });

  it('plays nothing more of a cancelled utterance, and all of the next one, whenever it is cancelled', async function () {
    this.timeout(180_000 * rounds);
    const old: FramesSpec = { noise: 61, seconds: 5 };
    const fresh: FramesSpec = { noise: 62, seconds: 0.05 };
    const [cancelled, whole] = [expected(old), expected(fresh)];
    let frames = fresh;
    const speaker = makeSpeaker(exact);
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(frames)));
    const speak = async (): Promise<void> => {
      const ended = next(speaker, 'ended');
      await speaker.speak('Listen.').finished;
      await ended;
    };
    await speak();
    await heard();
    const moments = [null, 'play', 'canplay', 'playing', 'utterancestart'] as const;
    for (let time = 0; time < 10 * rounds; time++) {
      const moment = moments[time % moments.length]!;
      frames = old;
      const reached = moment && next(speaker, moment);
      speaker.speak('Never mind.');
      await reached;

      speaker.cancel();
      frames = fresh;
      const spoken = speak();
      const before = await heard(); // on a busy machine, the next utterance may have begun by now
      await spoken;
      const recording = joined(before, await heard());
      const begin = placeOf(recording, whole);
      assertHeard(recording.subarray(begin), [whole]);
      const remains = recording.subarray(0, begin);
      expect(lastSound(remains) - before.length, moment).to.be.at.most(SILENT_WITHIN + DELIVERY);
      if (lastSound(remains) > 0) assertBeginning(remains, cancelled);
      else expect(moment).not.to.equal('utterancestart');
    }
    expect(speaker.getStats().underruns).to.equal(0);
  });
});
