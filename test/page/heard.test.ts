import { expect } from 'chai';
import type { SvcSpeakerElement, Utterance } from '../../src/index.js';
import { type FramesSpec, speaking } from '../../src/testing/script.js';
import { itUnless } from './support/engine.js';
import { assertBeginning, exact, expected, SPEECH_RATE } from './support/sound.js';
import {
  makeSpeaker,
  next,
  nextAfter,
  rejection,
  removeSpeakers,
  scriptedSpeaker,
  sessionUrl,
  speakerOf,
  transport,
} from './support/speaker.js';
import { forceSampleRate, heard, heardAt, heardFor, heardToSilence, joined, openContexts } from './support/tap.js';

const TEXT = 'One two three four. Five six seven eight, nine ten.';
/** So long that it is still played when a slow page cancels it. */
const noise: FramesSpec = { noise: 90, seconds: 12 };
/** Maximum error of `heard.seconds`, in seconds. */
const MOST = 0.005;
/** Length of a render quantum, in seconds. */
const QUANTUM = 128 / SPEECH_RATE;

/** Position of a cancel, measured in the recording. */
interface Cancelled {
  /** Seconds of the speech that have reached the destination. */
  readonly truth: number;
  /**
   * Maximum by which `heard.seconds` may exceed the truth, in seconds. Speech that plays while `cancel()` runs may be on
   * either side of the cut.
   */
  readonly above: number;
  /**
   * Maximum by which `heard.seconds` may fall short of the truth. The quantum that is being rendered is rendered to its
   * end. On the message transport, speech is still rendered until the command reaches the audio thread: one or two
   * blocks of 16 to 21 ms in Firefox.
   */
  readonly below: number;
}

/** Cancels speech of `frames`. `before` is the recording of it so far. */
async function cancel(speaker: SvcSpeakerElement, frames: FramesSpec, before?: Float32Array): Promise<Cancelled> {
  const [context] = openContexts();
  const begin = context!.currentTime;
  speaker.cancel();
  const passed = context!.currentTime - begin;
  // The tap receives this right after the command, and answers up to where the audio thread has rendered.
  const { samples, frame } = await heardAt(context);
  const arrived = (frame + samples.length) / SPEECH_RATE - begin;
  const rest = await heardToSilence(samples);
  const { from, to } = assertBeginning(before ? joined(before, rest) : rest, expected(frames));
  const below = transport === 'message' ? MOST + Math.max(arrived, passed) : QUANTUM + 1 / SPEECH_RATE + passed;
  return { truth: (to - from) / SPEECH_RATE, above: MOST + passed, below };
}

function assertExact({ seconds }: Utterance['heard'], { truth, above, below }: Cancelled): void {
  expect(seconds).to.be.within(truth - below, truth + above);
}

function assertPrefix({ text, heard: part }: Utterance): void {
  expect(text.startsWith(part.text)).to.equal(true);
  if (part.text) expect(text[part.text.length] ?? ' ').to.equal(' ');
}

/** Seeks when the audio there has arrived: seeks are limited to the audio that the page knows of. */
async function seekWhenKnown(speaker: SvcSpeakerElement, seconds: number): Promise<void> {
  while (speaker.seekable.length === 0 || speaker.seekable.end(0) < seconds) await next(speaker, 'timeupdate');
  speaker.currentTime = seconds;
}

describe('heard of an utterance', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('is exact after cancel(), and does not change any more', async () => {
    for (const seconds of [0, 0.3, 0.7]) {
      const speaker = speakerOf(noise, exact);
      const utterance = speaker.speak(TEXT);
      await utterance.started;
      const before = await heardFor(seconds);
      const atCall = utterance.heard.seconds;
      speaker.addEventListener('pause', () => expect(utterance.heard.seconds).to.be.at.least(atCall), { once: true });
      const cancelled = await cancel(speaker, noise, before);
      const { heard: final } = utterance;
      assertExact(final, cancelled);
      assertPrefix(utterance);
      speaker.speak('Another.');
      await next(speaker, 'playing');
      expect(utterance.heard).to.deep.equal(final);
      await removeSpeakers();
      forceSampleRate(SPEECH_RATE);
    }
  });

  it('is exact for the utterance after a cancelled one', async () => {
    const fresh: FramesSpec = { ...noise, noise: 91 };
    const specs = [noise, fresh];
    const speaker = makeSpeaker(exact);
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(specs.shift()!)));
    await speaker.speak(TEXT).started;
    await cancel(speaker, noise);
    await heard();
    const utterance = speaker.speak(TEXT);
    await utterance.started;
    const before = await heardFor(0.4);
    const cancelled = await cancel(speaker, fresh, before);
    assertExact(utterance.heard, cancelled);
  });

  it('follows the position while it plays, and is everything at the end', async () => {
    const length = 20;
    const speaker = speakerOf({ ...noise, seconds: length }, exact);
    const first = speaker.speak(TEXT);
    const second = speaker.speak('The second.');
    await first.started;
    const values: number[] = [];
    for (let look = 0; look < 10; look++) {
      await heardFor(0.02);
      const earlier = speaker.currentTime;
      values.push(first.heard.seconds);
      expect(values.at(-1)).to.be.within(earlier - 0.02, speaker.currentTime + 0.02);
      assertPrefix(first);
    }
    expect(values).to.deep.equal(values.toSorted((one, other) => one - other));
    expect(values.at(-1)).to.be.greaterThan(0.1);
    expect(second.heard).to.deep.equal({ seconds: 0, text: '' });
    await seekWhenKnown(speaker, length - 0.1);
    await first.finished;
    expect(first.heard).to.deep.equal({ seconds: length, text: TEXT });
    await second.started;
    await seekWhenKnown(speaker, 2 * length - 0.1);
    await second.finished;
    expect(second.heard).to.deep.equal({ seconds: length, text: 'The second.' });
  });

  it('is empty for an utterance that never began', async () => {
    const speaker = speakerOf(noise, exact);
    const nothing = { seconds: 0, text: '' };
    const [first, second] = [speaker.speak(TEXT), speaker.speak(TEXT)];
    expect(first.heard).to.deep.equal(nothing);
    await first.started;
    speaker.cancel();
    expect(second.heard).to.deep.equal(nothing);
    const failing = makeSpeaker();
    failing.sessionProvider = () => Promise.reject(new Error('There is no session.'));
    const failed = failing.speak(TEXT);
    await rejection(failed.finished);
    expect(failed.heard).to.deep.equal(nothing);
  });

  it('counts seconds of speech, whatever the rate', async () => {
    const speaker = speakerOf({ ...noise, seconds: 1 }, exact);
    speaker.playbackRate = 0.8;
    const utterance = speaker.speak(TEXT);
    await utterance.started;
    await heardFor(0.5);
    const earlier = speaker.currentTime;
    expect(utterance.heard.seconds).to.be.within(earlier - 0.02, speaker.currentTime + 0.02);
    await utterance.finished;
    expect(utterance.heard).to.deep.equal({ seconds: 1, text: TEXT });
  });

  // Over messages, the position is estimated between two reports, and a busy page may count up to 0.25 s too much.
  itUnless(transport === 'message' ? 'a position without estimates' : null)(
    'ends at the punctuation mark before a pause of the speech',
    async () => {
      const sound: FramesSpec = { noise: 90, seconds: 1.3 };
      const silence: FramesSpec = { tone: 0, seconds: 0.5 };
      const texts: string[] = [];
      for (const pause of [silence, { ...sound, seconds: 0.5 }]) {
        const frames = [sound, pause, { ...sound, seconds: 0.05 }].map((each) => ({ frames: each }));
        // Playback starts once almost all of it has arrived, so that it runs dry only at its end.
        const buffer = { 'jitter-buffer': 'fixed', 'jitter-buffer-target': 1800 };
        const speaker = scriptedSpeaker([{ wait: 'end' }, ...frames, { wait: 'end' }], buffer);
        const dry = nextAfter(speaker, 'playing', 'waiting');
        const utterance = speaker.speak(TEXT);
        await dry; // The rest never arrives.
        // The last 5 ms play while they fade into the concealment, and are not counted.
        expect(utterance.heard.seconds).to.be.within(1.844, 1.85);
        texts.push(utterance.heard.text);
      }
      expect(texts).to.deep.equal(['One two three four.', 'One two three four. Five six']);
    },
  );

  it('is the furthest position that was heard, after seeks and after a replay', async () => {
    const seconds = 20;
    const speaker = speakerOf({ ...noise, seconds }, exact);
    const utterance = speaker.speak(TEXT);
    await utterance.started;
    await seekWhenKnown(speaker, 2);
    await next(speaker, 'playing');
    await heard();
    await heardFor(0.2);
    const furthest = utterance.heard.seconds;
    expect(furthest).to.be.within(2 - 2 * MOST, speaker.currentTime + 0.02);
    speaker.currentTime = 0;
    // Sound that was rendered before the seek counts as heard.
    const reached = utterance.heard.seconds;
    expect(reached).to.be.at.least(furthest);
    await next(speaker, 'playing');
    await heard();
    await heardFor(0.2);
    expect(utterance.heard.seconds).to.be.within(reached, Math.max(reached, speaker.currentTime + 0.02));
    speaker.currentTime = seconds - 0.1;
    await utterance.finished;
    expect(utterance.heard).to.deep.equal({ seconds, text: TEXT });
    await utterance.replay();
    await heardFor(0.2);
    expect(utterance.heard).to.deep.equal({ seconds, text: TEXT });
  });
});
