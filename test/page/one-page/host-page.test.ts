import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { PROCESSOR_NAME } from '../../../src/ring/index.js';
import type { SessionResponse, SpeakerError, SvcSpeakerElement } from '../../../src/index.js';
import { type FramesSpec, speaking } from '../../../src/testing/script.js';
import { setAutoplayPolicy } from '../support/autoplay.js';
import { framesEnd, itUnless } from '../support/engine.js';
import { assertHeard, exact, expected, firstSound, SPEECH_RATE } from '../support/sound.js';
import { nothingLeft } from '../support/nothing-left.js';
import { closeOwnContexts, ownContext } from '../support/own-contexts.js';
import {
  endedConnection,
  gatewayLog,
  journal,
  makeSpeaker,
  next,
  onAndOn,
  rejection,
  removeSpeakers,
  scriptedSessions,
  sessionResponse,
  sessionUrl,
  speakPaused,
  speakerOf,
} from '../support/speaker.js';
import { forceSampleRate, heard, heardToSilence, openContexts } from '../support/tap.js';
import { withoutWaiting } from '../support/timers.js';
import { openWorkers, workersStarted } from '../support/workers.js';

/** Shorter than the default target delay, so playback starts when all of it has arrived. */
const short: FramesSpec = { noise: 70, seconds: 0.1 };

/** Creates another document of this page, in a frame. */
async function makeFrame(head = ''): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.srcdoc = `<!doctype html><title>Another document</title>${head}`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  return frame;
}

describe('<svc-speaker> on any page', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('ignores attributes with invalid values', async () => {
    const nonsense = 'jitter-buffer-target jitter-buffer resampler transport audio-backend session-request';
    const attributes = Object.fromEntries(nonsense.split(' ').map((name) => [name, '{"\u0000']));
    const speaker = speakerOf(short, { ...attributes, style: '}', 'made-up': 'x' });
    await speaker.speak('Hello.').finished;
    expect(speaker.error).to.equal(null);
    expect(speaker.getStats().audioBackend).to.equal('native');
    expect(firstSound(await heard())).to.be.greaterThan(0);
  });

  it('plays the new src, and no more of the old one, when it changes', async () => {
    await speakerOf(short).speak('This keeps the output open.').finished;
    await heard();
    const [old, fresh] = [sessionUrl(onAndOn), sessionUrl(speaking(short))];
    const speaker = makeSpeaker({ ...exact, src: old });
    const { finished } = speaker.speak('On and on.');
    await next(speaker, 'utterancestart');
    const told = journal(speaker);
    speaker.src = fresh;
    expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
    expect([speaker.paused, speaker.currentTime]).to.deep.equal([true, 0]);
    expect(told.slice(0, 2)).to.deep.equal(['emptied', 'loadstart']);
    await heardToSilence();
    await speaker.speak('Something else.').finished;
    assertHeard(await heard(), [expected(short)]);
    expect((await endedConnection(old)).closed!.code).to.equal(1000);
    expect((await gatewayLog(fresh)).connections).to.have.length(1);
  });

  for (const field of ['url', 'gateway', 'protocol', 'voice_id', 'format', 'sample_rate', 'messages']) {
    it(`reports a session without ${field}, and opens no socket`, async () => {
      const url = sessionUrl(speaking(short));
      const session: Record<string, unknown> = { ...sessionResponse(url) };
      delete session[field];
      const speaker = makeSpeaker();
      speaker.session = session as unknown as SessionResponse;
      const error = (await rejection(speaker.speak('Hello.').finished)) as SpeakerError;
      expect(error.reason).to.equal('session-invalid');
      expect(error.message).to.include(field);
      expect((await gatewayLog(url)).connections).to.have.length(0);
    });
  }

  it('plays at the same time as another one at another rate, and both are whole', async () => {
    const low: FramesSpec = { noise: 72, seconds: 0.5, rate: 16000 };
    const high: FramesSpec = { noise: 73, seconds: 0.5, rate: SPEECH_RATE };
    const speakers = [low, high].map((frames) => speakerOf(frames, exact));
    const closes = speakers.map((speaker) => next(speaker, 'socketclose'));
    const utterances = speakers.map(speakPaused);
    await Promise.all(closes); // all of both is there
    await Promise.all(speakers.map((speaker) => speaker.play()));
    await Promise.all(utterances.map(({ finished }) => finished));
    expect(speakers.map((speaker) => speaker.getStats().sampleRate)).to.deep.equal([16000, SPEECH_RATE]);
    expect(openContexts()).to.have.length(1);
    const sum = await heard();
    const parts = [low, high].map((frames) => expected(frames));
    const [first, second] = parts.map((part) => correlationPeak(sum, part));
    expect(Math.abs(first! - second!), 'they overlap').to.be.lessThan(0.5 * SPEECH_RATE);
    const places = [first!, second!];
    // After both are subtracted, only the differences in their ramps remain.
    const rest = sum.slice();
    parts.forEach((part, index) => part.forEach((sample, at) => (rest[places[index]! + at]! -= sample)));
    const ramp = 0.005 * SPEECH_RATE;
    const ends = parts.flatMap((part, index) => [places[index]!, places[index]! + part.length]);
    const loud = [...rest.keys()].filter(
      (at) => Math.abs(rest[at]!) > 1e-5 && ends.every((end) => Math.abs(at - end) > ramp),
    );
    expect(loud).to.deep.equal([]);
  });
});

/**
 * Index at which a part begins in a recording. Compares the middle of the part, because ramps and other sound change
 * the rest.
 */
function correlationPeak(recording: Float32Array, part: Float32Array): number {
  let best = { at: 0, sum: -Infinity };
  const from = Math.round(part.length / 3);
  for (let at = 0; at + part.length <= recording.length; at++) {
    let sum = 0;
    for (let index = from; index < from + 500; index++) sum += recording[at + index]! * part[index]!;
    if (sum > best.sum) best = { at, sum };
  }
  return best.at;
}

describe('<svc-speaker> in another document', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('keeps playing when it is moved there and back', async () => {
    const frame = await makeFrame();
    const frames: FramesSpec = { noise: 74, seconds: 0.4 };
    const speaker = speakerOf(frames, { ...exact, controls: true });
    speaker.addEventListener('canplay', () => frame.contentDocument!.body.append(speaker));
    speaker.addEventListener('playing', () => document.body.append(speaker));
    await speaker.speak('Moving house.').finished;
    assertHeard(await heard(), [expected(frames)]);
  });

  it('speaks, has its styles, and leaves nothing behind when the document is removed', async () => {
    const frame = await makeFrame();
    const errors: unknown[] = [];
    const listen = (event: ErrorEvent): void => void errors.push(event.error);
    addEventListener('error', listen);
    const { speaker, sessions } = scriptedSessions([onAndOn], { controls: true });
    const fresh = document.createElement('svc-speaker');
    fresh.controls = true;
    frame.contentDocument!.body.append(speaker, fresh);
    await Promise.all([speaker.updateComplete, fresh.updateComplete]);
    removeEventListener('error', listen);
    expect(errors).to.deep.equal([]);
    for (const one of [speaker, fresh]) {
      const bar = one.shadowRoot!.querySelector('[part=controls]')!;
      const look = frame.contentWindow!.getComputedStyle(bar);
      while (look.display !== 'flex') await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const { finished } = speaker.speak('On and on.');
    await next(speaker, 'playing');
    frame.remove();
    expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
    await nothingLeft();
  });

  it('asks to reload the page if a file of the player is gone, as after a new version of the site', async () => {
    const imports = { '/src/element/on-demand.ts': '/nothing/here.js' };
    const frame = await makeFrame(
      `<script type="importmap">${JSON.stringify({ imports })}</script>` +
        '<script type="module" src="/src/define.ts"></script>',
    );
    await frame.contentWindow!.customElements.whenDefined('svc-speaker');
    const speaker = frame.contentDocument!.createElement('svc-speaker');
    speaker.src = sessionUrl(speaking(short));
    const error = (await rejection(speaker.speak('Hello.').finished)) as SpeakerError;
    expect([error.reason, error.code]).to.deep.equal(['output-failed', 3]);
    expect(error.message).to.include('Reload the page');
    expect((error.cause as Error).name).to.equal('TypeError');
  });

  itUnless(framesEnd)('closes with the frame in which it was created, even after it was moved out of it', async () => {
    // WebKit loads a worklet into a frame with `srcdoc` only from a data: URL.
    const frame = await makeFrame('<script type="module" src="/src/define.ts"></script>');
    await frame.contentWindow!.customElements.whenDefined('svc-speaker');
    const speaker = frame.contentDocument!.createElement('svc-speaker');
    const url = sessionUrl(onAndOn);
    speaker.sessionProvider = () => Promise.resolve(url);
    speaker.controls = true;
    frame.contentDocument!.body.append(speaker);
    speaker.speak('On and on.');
    await next(speaker, 'playing');
    document.body.append(speaker);
    await next(speaker, 'timeupdate');
    frame.remove();
    await endedConnection(url);
  });

  it('closes when it is adopted by a document without a page', async () => {
    const { speaker, sessions } = scriptedSessions([onAndOn]);
    const { finished } = speaker.speak('On and on.');
    await next(speaker, 'playing');
    document.implementation.createHTMLDocument().adoptNode(speaker);
    expect(((await rejection(finished)) as Error).name).to.equal('AbortError');
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
    await nothingLeft();
  });
});

/** Creates a speaker of another copy of the package: the built one. */
async function speakerOfOtherCopy(frames: FramesSpec): Promise<SvcSpeakerElement> {
  const index = '/dist/index.js';
  const { SvcSpeakerElement: Other } = (await import(index)) as typeof import('../../../src/index.js');
  expect(Other).to.not.equal(customElements.get('svc-speaker'));
  if (!customElements.get('other-speaker')) customElements.define('other-speaker', class extends Other {});
  const other = document.createElement('other-speaker') as SvcSpeakerElement;
  document.body.append(other);
  other.sessionProvider = () => Promise.resolve(sessionUrl(speaking(frames)));
  return other;
}

describe('Two copies of the package in one page', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('leave the tag to the first one, and both speak', async () => {
    const first = customElements.get('svc-speaker');
    const built = '/dist/define.js';
    await import(built);
    expect(customElements.get('svc-speaker')).to.equal(first);
    const speakers = [speakerOf(short), await speakerOfOtherCopy(short)];
    await Promise.all(speakers.map((speaker) => speaker.speak('Hello.').finished));
    expect([openContexts().length, openWorkers()]).to.deep.equal([2, 2]);
    document.body.replaceChildren();
    await nothingLeft(2);
  });

  it('play through one context of the page', async () => {
    const context = ownContext();
    for (const speaker of [speakerOf(short, exact), await speakerOfOtherCopy(short), speakerOf(short, exact)]) {
      Object.assign(speaker, { jitterBuffer: 'fixed', jitterBufferTarget: 4000, audioContext: context });
      await speaker.speak('Hello.').finished;
      assertHeard(await heard(), [expected(short)]);
    }
    document.body.replaceChildren();
    await closeOwnContexts();
    await nothingLeft(2);
  });
});

/** Creates the worklet file of another version. */
async function otherVersion(): Promise<string> {
  const file = await fetch('/dist/threads/speaker.worklet.js');
  const text = await file.text();
  expect(text).to.include(PROCESSOR_NAME);
  const other = text.replace(PROCESSOR_NAME, 'svc-speaker-0.0.1');
  return URL.createObjectURL(new Blob([other], { type: 'text/javascript' }));
}

describe('Two versions of the package', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('can share a context of the page', async () => {
    const context = ownContext();
    await context.audioWorklet.addModule(await otherVersion());
    const speaker = speakerOf(short, exact);
    speaker.audioContext = context;
    await speaker.speak('Hello.').finished;
    assertHeard(await heard(), [expected(short)]);
    await closeOwnContexts();
  });

  it('do not share a worklet file: the error names the version that is needed', async () => {
    const speaker = speakerOf(short, { 'worklet-url': await otherVersion() });
    await rejection(speaker.speak('Hello.').finished);
    expect(speaker.error!.reason).to.equal('output-failed');
    expect(speaker.error!.message).to.match(/worklet-url.* is of another version: copy that of/);
  });
});

describe('Thread files of several <svc-speaker>', () => {
  beforeEach(() => forceSampleRate(SPEECH_RATE));
  afterEach(removeSpeakers);

  it('start one worker for each worker-url', async () => {
    const own = { 'worker-url': '/dist/threads/session.worker.js' };
    const speakers = [speakerOf(short), speakerOf(short, own), speakerOf(short, own)];
    await Promise.all(speakers.map((speaker) => speaker.speak('Hello.').finished));
    expect(openWorkers()).to.equal(2);
    document.body.replaceChildren();
    await nothingLeft(2);
  });

  it('load one worklet for the page, that of the first worklet-url', async () => {
    await speakerOf(short).speak('One.').finished;
    await speakerOf(short, { 'worklet-url': '/nothing/here.js' }).speak('Two.').finished;
  });
});

describe('<svc-speaker> without a sound device', () => {
  const Context = AudioContext;
  const { resume } = Context.prototype;

  beforeEach(() => {
    setAutoplayPolicy('disallowed');
    globalThis.AudioContext = class extends Context {
      constructor(options?: AudioContextOptions) {
        super(options);
        void this.suspend();
      }
    };
    Context.prototype.resume = () => new Promise(() => {});
  });
  afterEach(findDevice);
  function findDevice(): void {
    setAutoplayPolicy('allowed');
    globalThis.AudioContext = Context;
    Context.prototype.resume = resume;
  }
  afterEach(removeSpeakers);

  // Chromium without a device plays to a fake one, and does not report it.
  it('reports it if a context stays suspended after a gesture, as in Firefox', async () => {
    const speaker = speakerOf(short, { text: 'Hello.' });
    expect(((await rejection(speaker.play())) as Error).name).to.equal('NotAllowedError');
    expect([speaker.blocked, speaker.error]).to.deep.equal([true, null]);
    await workersStarted(); // its time limit uses timers of the same delay

    await sendMouse({ type: 'click', position: [1, 1] });
    const refusal = await withoutWaiting(() => rejection(speaker.play()), 5000);
    expect((refusal as Error).name).to.equal('NotSupportedError');
    expect([speaker.error!.reason, speaker.error!.code]).to.deep.equal(['output-failed', 3]);
    expect(speaker.error!.message).to.include('No sound device').and.include('connect one');

    findDevice();
    await speaker.play();
    expect(speaker.error).to.equal(null);
  });
});
