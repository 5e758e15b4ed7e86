import { expect } from 'chai';
import { type SessionResponse, type SpeakerError, SvcSpeakerElement } from '../../../src/index.js';
import { type GatewayStep, speaking } from '../../../src/testing/script.js';
import {
  ended,
  endedConnection,
  gatewayLog,
  journal,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  sessionResponse,
  sessionUrl,
  speakerOf,
  speakingOnce,
} from '../support/speaker.js';
import { heard } from '../support/tap.js';

const tone = { tone: 440, seconds: 0.2 };

/** Response of a session call whose socket runs `steps`. */
function sessionOf(steps: readonly GatewayStep[], ...contextIds: string[]): SessionResponse {
  const messages = contextIds.flatMap((id) => [
    { type: 'synthesize', context_id: id, text: `Text of ${id}.`, segment_mode: 'auto' },
    { type: 'end', context_id: id },
  ]);
  return sessionResponse(sessionUrl(steps), { messages });
}

/** Types and contexts of the messages that the gateway received on a socket. */
async function messagesOn(url: string): Promise<string[]> {
  const { messages } = await endedConnection(url);
  return messages.map(({ message }) => {
    const { type, context_id } = message as { type: string; context_id: string };
    return `${type} ${context_id}`;
  });
}

describe('Attributes of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  for (const [attribute, property] of [
    ['autoplay', 'autoplay'],
    ['controls', 'controls'],
    ['muted', 'defaultMuted'],
    ['keep-open', 'keepOpen'],
  ] as const) {
    it(`reflect a boolean at once: ${attribute}`, () => {
      const speaker = makeSpeaker();
      expect(speaker[property]).to.equal(false);
      speaker[property] = true;
      expect(speaker.getAttribute(attribute)).to.equal('');
      speaker[property] = 0 as unknown as boolean;
      expect(speaker.hasAttribute(attribute)).to.equal(false);
      speaker.setAttribute(attribute, 'false');
      expect(speaker[property], 'present is true').to.equal(true);
    });
  }

  for (const [attribute, property] of [
    ['src', 'src'],
    ['text', 'text'],
    ['session-endpoint', 'sessionEndpoint'],
    ['worklet-url', 'workletUrl'],
    ['worker-url', 'workerUrl'],
    ['prepare', 'prepare'],
  ] as const) {
    it(`reflect text at once: ${attribute}`, () => {
      const speaker = makeSpeaker();
      expect(speaker[property]).to.equal('');
      speaker[property] = 'wss://example.test/';
      expect(speaker.getAttribute(attribute)).to.equal('wss://example.test/');
      speaker.setAttribute(attribute, 'other');
      expect(speaker[property]).to.equal('other');
      speaker.removeAttribute(attribute);
      expect(speaker[property]).to.equal('');
    });
  }

  it('clamp a number, and use the default for an invalid value', () => {
    const speaker = makeSpeaker();
    expect(speaker.jitterBufferTarget).to.equal(120);
    const cases: [string, number][] = [
      ['250', 250],
      ['250.5', 250.5],
      ['0', 0],
      ['-3', 0],
      ['9000', 4000],
      ['', 120],
      ['soon', 120],
      ['Infinity', 120],
      ['NaN', 120],
    ];
    for (const [value, read] of cases) {
      speaker.setAttribute('jitter-buffer-target', value);
      expect(speaker.jitterBufferTarget, value).to.equal(read);
    }
    speaker.jitterBufferTarget = 5000;
    expect(speaker.getAttribute('jitter-buffer-target')).to.equal('5000');
    expect(speaker.jitterBufferTarget).to.equal(4000);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 'soon', undefined]) {
      expect(() => (speaker.jitterBufferTarget = value as number), String(value)).to.throw(TypeError);
    }
  });

  it('have a lower target for low delay, unless one is set', () => {
    const speaker = makeSpeaker({ 'jitter-buffer': 'low-delay' });
    expect(speaker.jitterBufferTarget).to.equal(60);
    speaker.jitterBufferTarget = 90;
    expect(speaker.jitterBufferTarget).to.equal(90);
    speaker.jitterBuffer = 'fixed';
    expect(speaker.jitterBufferTarget).to.equal(90);
    speaker.removeAttribute('jitter-buffer-target');
    expect(speaker.jitterBufferTarget).to.equal(120);
    expect(speaker.getAttribute('jitter-buffer')).to.equal('fixed');
  });

  it('accept their keywords in any case, and use the default for others', () => {
    const speaker = makeSpeaker();
    for (const [attribute, property, known] of [
      ['transport', 'transport', ['auto', 'shared', 'message']],
      ['audio-backend', 'audioBackend', ['auto', 'native', 'standardized']],
      ['jitter-buffer', 'jitterBuffer', ['adaptive', 'fixed', 'low-delay']],
      ['resampler', 'resampler', ['fine', 'eco']],
    ] as const) {
      expect(speaker[property]).to.equal(known[0]);
      for (const word of known) {
        speaker.setAttribute(attribute, word.toUpperCase());
        expect(speaker[property]).to.equal(word);
      }
      for (const word of ['', 'telepathy']) {
        speaker.setAttribute(attribute, word);
        expect(speaker[property], word).to.equal(known[0]);
      }
      (speaker[property] as string) = known[1];
      expect(speaker.getAttribute(attribute)).to.equal(known[1]);
    }
  });

  it('hold a session request as JSON, which the property overrides', () => {
    const speaker = makeSpeaker({ 'session-request': '{"voice_id":"a","sample_rate":16000}' });
    expect(speaker.sessionRequest).to.deep.equal({ voice_id: 'a', sample_rate: 16000 });
    speaker.sessionRequest = { voice_id: 'b' };
    expect(speaker.sessionRequest).to.deep.equal({ voice_id: 'b' });
    speaker.sessionRequest = null;
    expect(speaker.sessionRequest).to.deep.equal({ voice_id: 'a', sample_rate: 16000 });
    speaker.setAttribute('session-request', '{voice');
    expect(speaker.sessionRequest).to.equal(null);
    speaker.removeAttribute('session-request');
    expect(speaker.sessionRequest).to.equal(null);
  });

  it('mute only initially', () => {
    const speaker = makeSpeaker({ muted: true });
    expect(speaker.muted).to.equal(true);
    speaker.defaultMuted = false;
    expect(speaker.muted).to.equal(true);
    speaker.muted = false;
    speaker.defaultMuted = true;
    expect(speaker.muted).to.equal(false);
  });

  for (const muted of [true, false]) {
    it(muted ? 'silence a speaker that is muted initially' : 'do not silence any other speaker', async () => {
      const speaker = speakerOf(tone, { muted });
      speaker.speak('Tone.');
      await next(speaker, 'ended');
      expect((await heard()).some((sample) => sample !== 0)).to.equal(!muted);
    });
  }
});

describe('Properties of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('survive a second definition of the element', async () => {
    const defined = customElements.get('svc-speaker');
    const again = '/src/define.ts?again';
    await import(again);
    expect(customElements.get('svc-speaker')).to.equal(defined);
  });

  it('may be set before the element is defined', async () => {
    const early = document.createElement('late-speaker') as SvcSpeakerElement;
    const url = sessionUrl(speaking(tone));
    const provider = (): Promise<string> => Promise.resolve(url);
    Object.assign(early, {
      sessionProvider: provider,
      sessionRequest: { voice_id: 'a' },
      text: 'Early.',
      volume: 0.5,
      muted: true,
      keepOpen: true,
      jitterBufferTarget: 300,
      playbackRate: 1.5,
      transport: 'message',
      unknown: 'stays',
    });
    document.body.append(early);
    customElements.define('late-speaker', class extends SvcSpeakerElement {});
    expect(Object.keys(early)).to.not.include('volume');
    expect(early.sessionProvider).to.equal(provider);
    expect(early.sessionRequest).to.deep.equal({ voice_id: 'a' });
    expect([early.volume, early.muted, early.playbackRate]).to.deep.equal([0.5, true, 1.5]);
    expect(early.jitterBufferTarget).to.equal(300);
    expect(early.getAttribute('text')).to.equal('Early.');
    expect(early.hasAttribute('keep-open')).to.equal(true);
    expect(early.getAttribute('transport')).to.equal('message');
    expect((early as unknown as { unknown: string }).unknown).to.equal('stays');
    await early.play();
  });

  it('that were set early and are invalid are reported, and the others are set', () => {
    const early = document.createElement('later-speaker') as SvcSpeakerElement;
    Object.assign(early, { sessionProvider: 'no function', volume: 0.5 });
    document.body.append(early);
    const errors: unknown[] = [];
    const report = window.reportError;
    window.reportError = (error) => errors.push(error);
    try {
      customElements.define('later-speaker', class extends SvcSpeakerElement {});
    } finally {
      window.reportError = report;
    }
    expect(errors).to.have.length(1);
    expect(errors[0]).to.be.instanceOf(TypeError);
    expect(early.volume).to.equal(0.5);
    expect(early.sessionProvider).to.equal(null);
  });

  it('reject invalid values, with the value in the message', () => {
    const speaker = makeSpeaker();
    expect(() => (speaker.session = 'wss://x' as unknown as SessionResponse)).to.throw(TypeError, 'string');
    expect(() => (speaker.sessionProvider = 'x' as unknown as null)).to.throw(TypeError, 'string');
    expect(() => (speaker.sessionRequest = '{}' as unknown as null)).to.throw(TypeError, 'string');
    expect(() => speaker.speak(7 as unknown as string)).to.throw(TypeError, 'number');
    for (const contextId of ['', 'x'.repeat(257), 7 as unknown as string]) {
      expect(() => speaker.speak('Hello.', { contextId })).to.throw(TypeError, 'contextId');
    }
    for (const pauseAfter of [-1, 11]) {
      expect(() => speaker.speak('Hello.', { pauseAfter })).to.throw(RangeError, 'pauseAfter');
    }
    expect(() => speaker.speak('Hello.', { pauseAfter: Number.NaN })).to.throw(TypeError, 'pauseAfter');
    expect(() => (speaker.audioContext = 7 as unknown as null)).to.throw(TypeError, 'number');
    expect(() => (speaker.destination = {} as unknown as null)).to.throw(TypeError, 'object');
    expect(() => (speaker.volume = 2)).to.throw(DOMException, '2');
  });
});

describe('<svc-speaker> with a session', () => {
  afterEach(removeSpeakers);

  it('speaks the one-shot messages of the session', async () => {
    const speaker = makeSpeaker();
    const session = sessionOf(speaking(tone), 'turn-1');
    speaker.session = session;
    expect(speaker.src).to.equal(session.url);
    const start = next(speaker, 'utterancestart');
    await speaker.play();
    expect((await start).utterance.contextId).to.equal('turn-1');
    await ended(speaker);
    expect(await messagesOn(session.url)).to.deep.equal(['synthesize turn-1', 'end turn-1']);
  });

  it('speaks several contexts, each an utterance, on one socket', async () => {
    const speaker = makeSpeaker();
    const session = sessionOf(speaking(tone), 'a', 'b', 'c');
    speaker.session = session;
    const ids: string[] = [];
    speaker.addEventListener('utteranceend', ({ utterance }) => ids.push(utterance.contextId));
    void speaker.play();
    await next(speaker, 'ended');
    expect(ids).to.deep.equal(['a', 'b', 'c']);
    expect((await gatewayLog(session.url)).connections).to.have.length(1);
    expect(speaker.duration).to.be.closeTo(0.6, 1e-9);
  });

  it('speaks them before the text of speak()', async () => {
    const speaker = makeSpeaker();
    const session = sessionOf(speaking(tone), 'greeting');
    speaker.session = session;
    const ids: string[] = [];
    speaker.addEventListener('utteranceend', ({ utterance }) => ids.push(utterance.contextId));
    const { finished } = speaker.speak('And more.', { contextId: 'mine' });
    await finished;
    expect(ids).to.deep.equal(['greeting', 'mine']);
    expect(await messagesOn(session.url)).to.deep.equal([
      'synthesize greeting',
      'end greeting',
      'synthesize mine',
      'end mine',
    ]);
  });

  it('is emptied and loads again when another session is set; null only empties it', async () => {
    const speaker = makeSpeaker();
    const told = journal(speaker);
    speaker.session = sessionOf(speaking(tone));
    await next(speaker, 'loadstart');
    speaker.session = sessionOf(speaking(tone));
    await next(speaker, 'loadstart');
    speaker.session = null;
    await next(speaker, 'emptied');
    expect(told).to.deep.equal(['loadstart', 'emptied', 'loadstart', 'emptied']);
    expect(speaker.hasAttribute('src')).to.equal(false);
  });

  it('forgets the session when src is set to something else', () => {
    const speaker = makeSpeaker();
    speaker.session = sessionOf(speaking(tone));
    speaker.src = 'wss://example.test/';
    expect(speaker.session).to.equal(null);
  });
});

describe('<svc-speaker> with only src', () => {
  afterEach(removeSpeakers);

  it('plays what the service sends without a request, at the rate in the URL', async () => {
    const frames = { tone: 440, seconds: 0.2, rate: 16000 };
    const speaker = makeSpeaker({ src: sessionUrl([{ frames }, { done: 'whatever' }], { sample_rate: 16000 }) });
    await speaker.play();
    await ended(speaker);
    expect(speaker.duration).to.be.closeTo(0.2, 1e-9);
    expect(speaker.getStats().sampleRate).to.equal(16000);
  });

  it('speaks its text', async () => {
    const src = sessionUrl(speaking(tone));
    const speaker = makeSpeaker({ src, text: 'Say it.' });
    await speaker.play();
    await ended(speaker);
    const { messages } = await endedConnection(src);
    expect(messages.map(({ message }) => message)).to.deep.equal([
      { type: 'synthesize', context_id: 'turn-1', text: 'Say it.', segment_mode: 'auto' },
      { type: 'end', context_id: 'turn-1' },
    ]);
  });
});

describe('<svc-speaker> and its socket', () => {
  afterEach(removeSpeakers);

  it('closes it with 1000 after the last utterance', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(tone)]);
    const closed = next(speaker, 'socketclose');
    await speaker.speak('Once.').finished;
    const { code, openMs } = await closed;
    expect(code).to.equal(1000);
    expect(openMs).to.be.greaterThan(0);
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
    await speaker.speak('Twice.').finished;
    expect(sessions).to.have.length(2);
  });

  it('keeps it open with keep-open, and speaks again on it', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(tone)], { 'keep-open': true });
    await speaker.speak('Once.').finished;
    await speaker.speak('Twice.').finished;
    expect(sessions).to.have.length(1);
    expect((await gatewayLog(sessions[0]!.url)).open).to.be.at.least(1);
    const closed = next(speaker, 'socketclose');
    speaker.keepOpen = false;
    expect((await closed).code).to.equal(1000);
    expect(await messagesOn(sessions[0]!.url)).to.have.length(4);
  });

  it('closes it at once when the element is removed', async () => {
    const { speaker, sessions } = scriptedSessions([speaking({ tone: 440, seconds: 30, pace: 'realtime' })]);
    await speaker.speak('Long.').started;
    speaker.remove();
    const connection = await endedConnection(sessions[0]!.url);
    expect(connection.closed!.code).to.equal(1000);
    expect(connection.samplesSent).to.equal(0); // so the close did not wait for the speech
  });

  it('closes it at once when everything is cancelled', async () => {
    const { speaker, sessions } = scriptedSessions([speaking({ tone: 440, seconds: 30, pace: 'realtime' })]);
    const { started, finished } = speaker.speak('Long.');
    await started;
    speaker.cancel();
    expect(((await rejection(finished)) as DOMException).name).to.equal('AbortError');
    expect((await endedConnection(sessions[0]!.url)).closed!.code).to.equal(1000);
  });
});

describe('speak() of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('throws InvalidStateError without a source', () => {
    const speaker = makeSpeaker();
    expect(() => speaker.speak('Nobody hears.'))
      .to.throw(DOMException)
      .with.property('name', 'InvalidStateError');
  });

  it('cancels by a signal, and only that utterance', async () => {
    const speaker = speakerOf(tone);
    const stop = new AbortController();
    const first = speaker.speak('One.');
    const second = speaker.speak('Two.', { signal: stop.signal });
    stop.abort();
    expect(((await rejection(second.finished)) as DOMException).name).to.equal('AbortError');
    await first.finished;
    expect(speaker.duration).to.be.closeTo(0.2, 1e-9);
  });

  it('throws the reason of a signal that is aborted already', () => {
    const speaker = speakerOf(tone);
    expect(() => speaker.speak('No.', { signal: AbortSignal.abort(new RangeError('why')) })).to.throw(
      RangeError,
      'why',
    );
    expect(speaker.paused).to.equal(true);
  });

  it('waits while the user has paused', async () => {
    const long = { tone: 440, seconds: 10 };
    const script = [...speakingOnce(long), ...speakingOnce(tone)];
    const { speaker, sessions } = scriptedSessions([script, speaking(tone)]);
    const first = speaker.speak('One.');
    await first.started;
    speaker.pause();
    const second = speaker.speak('Two.');
    expect(speaker.paused).to.equal(true);
    first.cancel();
    await speaker.play();
    await second.finished;
    expect(sessions.length).to.be.within(1, 2);
  });
});

describe('play() of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('rejects with InvalidStateError without a source', async () => {
    const error = (await rejection(makeSpeaker({ text: 'Hello.' }).play())) as DOMException;
    expect(error.name).to.equal('InvalidStateError');
    expect(error.message).to.include('session-endpoint');
  });

  it('rejects with NotSupportedError when the session fails, and the element has the reason', async () => {
    const speaker = makeSpeaker({ text: 'Hello.' });
    speaker.sessionProvider = () => Promise.reject(new Error('no backend'));
    const error = (await rejection(speaker.play())) as DOMException;
    expect(error.name).to.equal('NotSupportedError');
    expect(speaker.error!.reason).to.equal('session-request-failed');
    expect(speaker.error!.message).to.include('no backend');
  });

  it('works outside the page', async () => {
    const speaker = document.createElement('svc-speaker');
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(tone)));
    speaker.text = 'Out of the page.';
    await speaker.play();
    speaker.close();
  });
});

describe('autoplay of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('plays as soon as there is a source, whatever the order of attributes', async () => {
    for (const order of [
      ['autoplay', 'text', 'src'],
      ['src', 'autoplay', 'text'],
      ['text', 'src', 'autoplay'],
    ]) {
      const src = sessionUrl(speaking(tone));
      const values: Record<string, string> = { autoplay: '', text: 'Hello.', src };
      const speaker = makeSpeaker();
      for (const name of order) speaker.setAttribute(name, values[name]!);
      await next(speaker, 'ended');
      expect((await gatewayLog(src)).connections, order.join()).to.have.length(1);
      expect(await messagesOn(src)).to.deep.equal(['synthesize turn-1', 'end turn-1']);
    }
  });

  it('plays when the source is a property', async () => {
    const speaker = makeSpeaker({ autoplay: true, text: 'Hello.' });
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(tone)));
    await next(speaker, 'playing');
  });

  it('plays once, not each time the text changes', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(tone)], { autoplay: true, text: 'Hello.' });
    await next(speaker, 'ended');
    speaker.text = 'Again.';
    await Promise.resolve();
    expect(speaker.paused).to.equal(true);
    expect(sessions).to.have.length(1);
  });

  it('does not play after pause() or without autoplay', async () => {
    const paused = scriptedSessions([speaking(tone)], { autoplay: true, text: 'Hello.' });
    paused.speaker.pause();
    const plain = scriptedSessions([speaking(tone)], { text: 'Hello.' });
    await Promise.resolve();
    await Promise.resolve();
    expect([paused.speaker.paused, plain.speaker.paused]).to.deep.equal([true, true]);
  });
});

describe('Thread files of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('may be the page’s own, and then nothing else is loaded', async () => {
    const loaded: string[] = [];
    const { Worker } = window;
    const { addModule } = AudioWorklet.prototype;
    window.Worker = class extends Worker {
      constructor(url: string | URL) {
        super(url);
        loaded.push(String(url));
      }
    };
    AudioWorklet.prototype.addModule = function add(url, options) {
      loaded.push(String(url));
      return addModule.call(this, url, options);
    };
    try {
      const files = {
        'worker-url': '/dist/threads/session.worker.js',
        'worklet-url': '/dist/threads/speaker.worklet.js',
      };
      const speaker = speakerOf(tone, files);
      await speaker.speak('Tone.').finished;
      // The tap of the tests is loaded from a blob: URL.
      expect(loaded.filter((url) => url.startsWith('/'))).to.have.members(Object.values(files));
      expect(loaded).to.have.length(3);
    } finally {
      window.Worker = Worker;
      AudioWorklet.prototype.addModule = addModule;
    }
  });

  for (const attribute of ['worker-url', 'worklet-url'] as const) {
    it(`that are missing are an error that names ${attribute}, without a fallback`, async () => {
      const { speaker, sessions } = scriptedSessions([speaking(tone)], { [attribute]: '/nothing/here.js' });
      const error = (await rejection(speaker.speak('Tone.').finished)) as SpeakerError;
      expect(error.reason).to.equal('output-failed');
      expect(error.code).to.equal(3);
      expect(error.message).to.include(attribute).and.include('/nothing/here.js');
      expect(speaker.error).to.equal(error);
      expect(speaker.paused).to.equal(true);
      expect(speaker.currentTime).to.equal(0);
      if (attribute === 'worker-url') expect(sessions).to.deep.equal([]);
    });
  }

  it('are loaded again after the attribute has changed', async () => {
    const speaker = speakerOf(tone, { 'worklet-url': '/nothing/here.js', 'worker-url': '/nor/here.js' });
    await rejection(speaker.speak('Tone.').finished);
    speaker.workletUrl = '/dist/threads/speaker.worklet.js';
    speaker.removeAttribute('worker-url');
    await speaker.speak('Tone.').finished;
    expect(speaker.error).to.equal(null);
  });
});
