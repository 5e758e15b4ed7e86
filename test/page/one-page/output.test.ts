import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { LINGER_MS } from '../../../src/launch/linger.js';
import { speaking } from '../../../src/testing/script.js';
import { deletableWorklet, itUnless, spareContexts } from '../support/engine.js';
import {
  ended,
  endedConnection,
  leavePage,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  speakerOf,
} from '../support/speaker.js';
import { becomes, connectedNodes, contextsClosed, heard, madeContexts, openContexts } from '../support/tap.js';
import { exact } from '../support/sound.js';
import { pendingTimers, withoutWaiting } from '../support/timers.js';
import { openWorkers, workersEnded } from '../support/workers.js';

const tone = { tone: 440, seconds: 0.1 };
/** Time without use, in milliseconds, after which a context is suspended. */
const IDLE_MS = 5000;

function peak(samples: Float32Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

describe('The audio output of a page', () => {
  afterEach(removeSpeakers);

  it('is not opened before the first utterance', async () => {
    const speaker = speakerOf(tone, { controls: true, text: 'Hello.' });
    await speaker.updateComplete;
    speaker.volume = 0.5;
    speaker.muted = true;
    speaker.muted = false;
    expect(openContexts()).to.deep.equal([]);
    await speaker.play();
    expect(openContexts()).to.have.length(1);
  });

  it('is one context for all speakers, at the rate of the device', async () => {
    const speakers = [8000, 24000, 48000].map((rate) => speakerOf({ ...tone, rate }));
    await Promise.all(speakers.map((speaker) => speaker.speak('Tone.').finished));
    expect(openContexts()).to.have.length(1);
    const device = new AudioContext();
    expect(openContexts()[0]!.sampleRate).to.equal(device.sampleRate);
    await device.close();
    expect(speakers.map((speaker) => speaker.getStats().sampleRate)).to.deep.equal([8000, 24000, 48000]);
  });

  it('plays several speakers at once', async () => {
    const speakers = [440, 1000].map((pitch) => speakerOf({ tone: pitch, seconds: 20 }));
    await Promise.all(speakers.map((speaker) => speaker.speak('Tone.').started));
    await next(speakers[1]!, 'timeupdate'); // a quarter of a second
    for (const speaker of speakers) speaker.cancel();
    // Each tone is at half of full scale. Together, the two add up to almost full scale.
    expect(peak(await heard())).to.be.greaterThan(0.9);
  });

  it('keeps each speaker’s volume and mute to itself', async () => {
    const loud = speakerOf(tone);
    const silent = speakerOf(tone, { muted: true });
    await Promise.all([loud, silent].map((speaker) => speaker.speak('Tone.').finished));
    const alone = peak(await heard());
    loud.volume = 0.5;
    await loud.speak('Tone.').finished;
    expect(peak(await heard())).to.be.closeTo(alone / 2, alone / 1000);
    silent.muted = false;
    await silent.speak('Tone.').finished;
    expect(peak(await heard())).to.be.closeTo(alone, alone / 1000);
  });

  it('stays when its last speaker is closed, and is used by the next one', async () => {
    const speakers = [speakerOf(tone), speakerOf(tone)];
    await Promise.all(speakers.map((speaker) => speaker.speak('Tone.').finished));
    const [context] = openContexts();
    speakers[0]!.close();
    await speakers[1]!.speak('Tone.').finished;
    speakers[1]!.remove();
    await speakerOf(tone).speak('Tone.').finished;
    await speakers[0]!.speak('Tone.').finished;
    expect(openContexts()).to.deep.equal([context]);
    expect(openWorkers()).to.equal(1);
  });

  it('ends with the worker 30 s after its last speaker, and is opened again after that', async () => {
    const before = pendingTimers();
    const speaker = speakerOf(tone);
    await speaker.speak('Tone.').finished;
    const [first] = openContexts();
    await withoutWaiting(async () => {
      speaker.close();
      await contextsClosed();
      await workersEnded();
    }, LINGER_MS);
    expect(pendingTimers()).to.deep.equal(before);
    await speaker.speak('Tone.').finished;
    expect(openContexts()).to.have.length(1);
    expect(openContexts()[0]).to.not.equal(first);
    expect(openWorkers()).to.equal(1);
  });

  it('is suspended while it is kept for the next speaker, which resumes it', async () => {
    const speaker = speakerOf(tone);
    await speaker.speak('Tone.').started;
    const [context] = openContexts();
    await withoutWaiting(() => {
      speaker.remove();
      return becomes(context!, 'suspended');
    }, IDLE_MS);
    await heard();
    const made = madeContexts();
    await Promise.all([becomes(context!, 'running'), speakerOf(tone).speak('Tone.').finished]);
    expect(peak(await heard(openContexts().at(-1)))).to.be.greaterThan(0.4);
    expect(madeContexts() - made).to.be.at.most(spareContexts);
  });

  it('ends at once, with the worker, when the page is left while they are kept', async () => {
    const speaker = speakerOf(tone);
    await speaker.speak('Tone.').finished;
    speaker.remove();
    while (connectedNodes() > 0) await new Promise(requestAnimationFrame);
    expect(openWorkers()).to.equal(1);
    leavePage();
    expect(openWorkers()).to.equal(0);
    await contextsClosed();
  });

  it('ends at once, with the worker and its socket, when the page is left while a speaker speaks', async () => {
    const { speaker, sessions } = scriptedSessions([speaking({ tone: 440, seconds: 60, pace: 'realtime' })]);
    const { finished } = speaker.speak('On and on.');
    await next(speaker, 'playing');
    leavePage();
    expect(openWorkers()).to.equal(0);
    expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
    await contextsClosed();
    await endedConnection(sessions[0]!.url);
    await speakerOf(tone).speak('Back again.').finished;
  });

  it('is one context for each implementation of Web Audio that is used', async () => {
    const speakers = ['native', 'standardized'].map((backend) => speakerOf(tone, { 'audio-backend': backend }));
    await Promise.all(speakers.map((speaker) => speaker.speak('Tone.').finished));
    expect(openContexts()).to.have.length(2);
    expect(speakers.map((speaker) => speaker.getStats().audioBackend)).to.deep.equal(['native', 'standardized']);
  });

  it('has its underruns in the statistics where the browser counts them', async () => {
    const [native, standardized] = ['native', 'standardized'].map((backend) =>
      speakerOf(tone, { 'audio-backend': backend }),
    ) as [SvcSpeakerElement, SvcSpeakerElement];
    await native.speak('Tone.').finished;
    const counted = (openContexts()[0] as { playbackStats?: { underrunEvents: number; underrunDuration: number } })
      .playbackStats;
    // The browser updates its counters between tasks, so both sources are read in one task.
    const { outputUnderruns, outputUnderrunMs } = native.getStats();
    expect(outputUnderruns).to.equal(counted?.underrunEvents);
    expect(outputUnderrunMs).to.equal(counted && counted.underrunDuration * 1000);
    expect(typeof outputUnderruns).to.equal('AudioPlaybackStats' in globalThis ? 'number' : 'undefined');
    await standardized.speak('Tone.').finished;
    expect(standardized.getStats().outputUnderruns, 'that library does not pass them on').to.equal(undefined);
  });

  it('is suspended while all speakers are paused, and resumes at the same sample', async () => {
    const seconds = 2;
    const speaker = speakerOf({ tone: 440, seconds }, exact);
    await speaker.speak('Tone.').started;
    const [context] = openContexts();
    speaker.pause();
    await withoutWaiting(() => becomes(context!, 'suspended'), IDLE_MS);
    await speaker.play();
    await ended(speaker);
    expect(speaker.currentTime).to.equal(seconds);
    expect(speaker.getStats().underruns).to.equal(0);
  });

  it('is not suspended while another speaker speaks', async () => {
    const short = speakerOf(tone);
    const long = speakerOf({ tone: 440, seconds: 20 });
    const states: string[] = [];
    await long.speak('Long.').started;
    const context = openContexts()[0]!;
    const note = (): number => states.push(context.state);
    context.addEventListener('statechange', note);
    await withoutWaiting(() => short.speak('Tone.').finished, IDLE_MS);
    expect(long.ended).to.equal(false);
    context.removeEventListener('statechange', note);
    expect(states).to.deep.equal([]);
  });
});

describe('An audio output that cannot be opened', () => {
  afterEach(removeSpeakers);

  async function errorOf(speaker: SvcSpeakerElement): Promise<void> {
    await rejection(speaker.speak('Hello.').finished);
  }

  itUnless(deletableWorklet)('is reported with a remedy', async () => {
    const speaker = makeSpeaker({ 'audio-backend': 'native' });
    speaker.sessionProvider = () => new Promise(() => {});
    const { AudioWorklet: Worklet } = globalThis;
    Reflect.deleteProperty(globalThis, 'AudioWorklet');
    try {
      await errorOf(speaker);
    } finally {
      globalThis.AudioWorklet = Worklet;
    }
    expect(speaker.error!.reason).to.equal('output-failed');
    expect(speaker.error!.message).to.include('https');
  });

  it('is reported if the browser refuses another context', async () => {
    const { AudioContext } = globalThis;
    const speaker = makeSpeaker();
    speaker.sessionProvider = () => new Promise(() => {});
    globalThis.AudioContext = function refuse() {
      throw new DOMException('The number of hardware contexts reached maximum', 'NotSupportedError');
    } as unknown as typeof AudioContext;
    try {
      await errorOf(speaker);
    } finally {
      globalThis.AudioContext = AudioContext;
    }
    expect(speaker.error!.reason).to.equal('output-failed');
    expect(speaker.error!.message).to.include('hardware contexts');
    speaker.sessionProvider = speakerOf(tone).sessionProvider;
    await speaker.speak('Now there is one.').finished;
  });
});
