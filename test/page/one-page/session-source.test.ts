import { expect } from 'chai';
import type { SessionProvider, SpeakerError, SvcSpeakerElement } from '../../../src/index.js';
import { deepgram } from '../../../src/dialects/index.js';
import { speaking } from '../../../src/testing/script.js';
import {
  endedConnection,
  gatewayLog,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSessions,
  sessionUrl,
} from '../support/speaker.js';
import { backend, ENDPOINT, response, startBackend, stopBackend } from '../support/session-endpoint.js';

const tone = { tone: 440, seconds: 0.05 };

/** Resolves with the error of an utterance. */
async function errorOf(speaker: SvcSpeakerElement): Promise<SpeakerError> {
  const error = (await rejection(speaker.speak('Hello.').finished)) as SpeakerError;
  expect(speaker.error).to.equal(error);
  expect(speaker.networkState).to.not.equal(HTMLMediaElement.NETWORK_LOADING);
  return error;
}

function providing(answer: unknown): SvcSpeakerElement {
  const speaker = makeSpeaker();
  speaker.sessionProvider = (() => answer) as SessionProvider;
  return speaker;
}

describe('The source of a session of <svc-speaker>', () => {
  beforeEach(startBackend);
  afterEach(stopBackend);
  afterEach(removeSpeakers);

  it('is the session property, before anything else', async () => {
    const session = response();
    const { speaker, sessions } = scriptedSessions([speaking(tone)], { 'session-endpoint': ENDPOINT });
    speaker.session = session;
    await speaker.speak('Hello.').finished;
    expect(sessions).to.deep.equal([]);
    expect(backend.requests).to.deep.equal([]);
    expect((await gatewayLog(session.url)).connections).to.have.length(1);
  });

  it('is src, before provider and endpoint', async () => {
    const src = sessionUrl(speaking(tone));
    const { speaker, sessions } = scriptedSessions([speaking(tone)], { src, 'session-endpoint': ENDPOINT });
    await speaker.speak('Hello.').finished;
    expect(sessions).to.deep.equal([]);
    expect(backend.requests).to.deep.equal([]);
    expect((await gatewayLog(src)).connections).to.have.length(1);
  });

  it('is the provider, before the endpoint; it may return a URL', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(tone)], { 'session-endpoint': ENDPOINT });
    await speaker.speak('Hello.').finished;
    expect(sessions).to.have.length(1);
    expect(backend.requests).to.deep.equal([]);
  });

  it('is the endpoint, also on a page whose address has a password (sveltejs/kit 11179)', async () => {
    const address = Object.assign(new URL(document.baseURI), { username: 'user', password: 'pass' });
    Object.defineProperty(document, 'baseURI', { configurable: true, value: address.href });
    try {
      await makeSpeaker({ 'session-endpoint': ENDPOINT }).speak('Hello.').finished;
    } finally {
      Reflect.deleteProperty(document, 'baseURI');
    }
    expect(backend.requests.map(({ url }) => url)).to.deep.equal([new URL(ENDPOINT, document.baseURI).href]);
  });

  it('is the whole response that the provider returns, messages and rate included', async () => {
    const frames = { tone: 440, seconds: 0.2, rate: 16000 };
    const session = response({
      url: sessionUrl(speaking(frames)),
      sample_rate: 16000,
      messages: [
        { type: 'synthesize', context_id: 'mine', text: 'From the backend.' },
        { type: 'end', context_id: 'mine' },
      ],
    });
    const speaker = providing(Promise.resolve(session));
    const start = next(speaker, 'utterancestart');
    void speaker.play();
    await next(speaker, 'ended');
    expect((await start).utterance.contextId).to.equal('mine');
    expect(speaker.getStats().sampleRate).to.equal(16000);
    expect(speaker.duration).to.be.closeTo(0.2, 1e-9);
  });

  it('is the endpoint, which receives the session request as JSON with the cookies of this site', async () => {
    const speaker = makeSpeaker({ 'session-endpoint': ENDPOINT, 'session-request': '{"voice_id":"a"}' });
    await speaker.speak('Hello.').finished;
    const [request] = backend.requests;
    expect(request!.method).to.equal('POST');
    expect(request!.headers.get('content-type')).to.equal('application/json');
    expect(request!.credentials).to.equal('same-origin');
    expect(await request!.json()).to.deep.equal({ voice_id: 'a' });
  });

  it('is the endpoint also without a session request', async () => {
    await makeSpeaker({ 'session-endpoint': ENDPOINT }).speak('Hello.').finished;
    expect(await backend.requests[0]!.json()).to.deep.equal({});
  });

  it('is asked again for every socket', async () => {
    const speaker = makeSpeaker({ 'session-endpoint': ENDPOINT });
    await speaker.speak('One.').finished;
    speaker.sessionRequest = { voice_id: 'b' };
    await speaker.speak('Two.').finished;
    expect(backend.requests).to.have.length(2);
    expect(await backend.requests[1]!.json()).to.deep.equal({ voice_id: 'b' });
  });

  it('receives a reason, and a signal that aborts with the utterance', async () => {
    const speaker = makeSpeaker({ text: 'Hello.' });
    const asked: { reason: string; signal: AbortSignal }[] = [];
    const question = new Promise<void>((resolve) => {
      speaker.sessionProvider = (request) => {
        asked.push(request);
        resolve();
        return new Promise(() => {});
      };
    });
    const play = speaker.play();
    await question;
    expect(asked.map(({ reason }) => reason)).to.deep.equal(['play']);
    expect(asked[0]!.signal.aborted).to.equal(false);
    speaker.cancel();
    expect(asked[0]!.signal.aborted).to.equal(true);
    expect(((await rejection(play)) as DOMException).name).to.equal('AbortError');
    expect(speaker.error).to.equal(null);
  });

  it('is asked again with the reason `retry` when a socket fails before it has spoken', async () => {
    const { speaker, sessions } = scriptedSessions([
      [{ refuse: 503 }],
      [{ wait: 'end' }, { terminate: true }],
      speaking(tone),
    ]);
    await speaker.speak('Hello.').finished;
    expect(sessions.map(({ reason }) => reason)).to.deep.equal(['speak', 'retry', 'retry']);
    expect(speaker.error).to.equal(null);
  });

  it('is not asked again if it is a single session', async () => {
    const speaker = makeSpeaker({ src: sessionUrl([{ refuse: 503 }]) });
    const error = await errorOf(speaker);
    expect(error.reason).to.equal('socket-failed');
  });

  it('is not asked before anything is spoken', async () => {
    const { speaker, sessions } = scriptedSessions([speaking(tone)], { controls: true, text: 'Hello.' });
    await speaker.updateComplete;
    expect(sessions).to.deep.equal([]);
    expect(speaker.networkState).to.equal(HTMLMediaElement.NETWORK_EMPTY);
  });
});

describe('A session that <svc-speaker> cannot use', () => {
  beforeEach(startBackend);
  afterEach(stopBackend);
  afterEach(removeSpeakers);

  for (const [field, value] of [
    ['url', 'https://example.test/'],
    ['url', 'ws://example.test/'],
    ['url', undefined],
    ['sample_rate', '24000'],
    ['sample_rate', 1],
    ['format', 7],
    ['messages', null],
    ['messages', 'none'],
  ] as const) {
    it(`fails with the name of its field: ${field} ${JSON.stringify(value)}`, async () => {
      const error = await errorOf(providing(Promise.resolve(response({ [field]: value }))));
      expect([error.reason, error.code, error.retryable]).to.deep.equal(['session-invalid', 4, false]);
      expect(error.message).to.include(field);
    });
  }

  it('fails with the name of a field of its messages', async () => {
    const messages = [{ type: 'synthesize', context_id: '', text: 'x' }];
    const error = await errorOf(providing(Promise.resolve(response({ messages }))));
    expect(error.reason).to.equal('session-invalid');
    expect(error.message).to.include('messages[0].context_id');
  });

  for (const [name, src] of [
    ['no encryption', 'ws://example.test/socket'],
    ['a rate that is none', 'wss://example.test/?sample_rate=fast'],
  ] as const) {
    it(`fails as src with ${name}`, async () => {
      const error = await errorOf(makeSpeaker({ src }));
      expect([error.reason, error.code]).to.deep.equal(['session-invalid', 4]);
      expect(error.message).to.include('src');
    });
  }

  it('is not that of an audio stream, which has no session', () => {
    for (const src of ['https://example.test/socket', 'socket']) {
      expect(() => makeSpeaker({ src }).speak('Hello.'))
        .to.throw()
        .with.property('name', 'InvalidStateError');
    }
  });

  it('has another protocol', async () => {
    const error = await errorOf(providing(Promise.resolve(response({ protocol: 'svctts.v2' }))));
    expect([error.reason, error.code]).to.deep.equal(['protocol-unsupported', 4]);
    expect(error.message).to.include('svctts.v2').and.include('svctts.v1');
  });

  for (const source of ['session', 'src'] as const) {
    it(`has another format: ${source}`, async () => {
      const speaker = makeSpeaker();
      if (source === 'session') speaker.session = response({ format: 'opus' });
      else speaker.src = sessionUrl(speaking(tone), { format: 'opus' });
      const error = await errorOf(speaker);
      expect([error.reason, error.code]).to.deep.equal(['format-unsupported', 4]);
      expect(error.message).to.include('opus').and.include('pcm_s16le');
    });
  }

  it('has expired, according to its own lifetime', async () => {
    const speaker = makeSpeaker();
    const session = response({ expires_in_seconds: 0 });
    speaker.session = session;
    const error = await errorOf(speaker);
    expect((await gatewayLog(session.url)).connections).to.deep.equal([]);
    expect([error.reason, error.retryable]).to.deep.equal(['session-expired', true]);
    expect(error.message).to.include('sessionProvider').and.include('session-endpoint');
  });

  it('comes from a provider that rejects, throws, or rejects without an error', async () => {
    for (const provider of [
      () => Promise.reject(new Error('out of luck')),
      () => {
        throw new Error('out of luck');
      },
      // eslint-disable-next-line typescript/prefer-promise-reject-errors -- what a page may do all the same
      () => Promise.reject('out of luck'),
    ]) {
      const speaker = makeSpeaker();
      speaker.sessionProvider = provider;
      const error = await errorOf(speaker);
      expect(error.reason).to.equal('session-request-failed');
      expect(error.message).to.include('sessionProvider').and.include('out of luck');
    }
  });

  it('comes from a provider that returns nothing; a session without a promise is accepted', async () => {
    await providing(sessionUrl(speaking(tone))).speak('Hello.').finished;
    const error = await errorOf(providing(undefined));
    expect(error.reason).to.equal('session-invalid');
    expect(error.message).to.include('sessionProvider');
  });

  it('keeps a SpeakerError of the provider', async () => {
    const speaker = makeSpeaker();
    const { SpeakerError: Own } = await import('../../../src/index.js');
    const own = new Own('session-request-failed', 'No credits.', { httpStatus: 402 });
    speaker.sessionProvider = () => Promise.reject(own);
    expect(await errorOf(speaker)).to.equal(own);
  });

  for (const [status, retryable] of [
    [404, false],
    [402, false],
    [429, true],
    [500, true],
    [503, true],
  ] as const) {
    it(`is a response of ${status} from the endpoint, whose detail is in the message`, async () => {
      backend.answer = () => Response.json({ detail: 'The reason of the backend.' }, { status });
      const error = await errorOf(makeSpeaker({ 'session-endpoint': ENDPOINT }));
      expect([error.reason, error.httpStatus, error.retryable]).to.deep.equal([
        'session-request-failed',
        status,
        retryable,
      ]);
      expect(error.message).to.include(ENDPOINT).and.include(String(status)).and.include('The reason of the backend.');
    });
  }

  it('is a page of HTML from the endpoint, with any status', async () => {
    for (const status of [200, 500]) {
      backend.answer = () => new Response('<!doctype html>', { status, headers: { 'content-type': 'text/html' } });
      const error = await errorOf(makeSpeaker({ 'session-endpoint': ENDPOINT }));
      expect([error.reason, error.httpStatus]).to.deep.equal(['session-request-failed', status]);
      if (status === 200) expect(error.message).to.include('not JSON');
    }
  });

  it('is a network error of the endpoint', async () => {
    backend.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    const error = await errorOf(makeSpeaker({ 'session-endpoint': ENDPOINT }));
    expect([error.reason, error.httpStatus, error.retryable]).to.deep.equal([
      'session-request-failed',
      undefined,
      true,
    ]);
    expect(error.message).to.include(ENDPOINT).and.include('connect-src');
    expect(error.cause).to.be.instanceOf(TypeError);
  });

  it('does not show what the address of the endpoint has besides its path (suthio/redash-mcp 30)', async () => {
    for (const answer of [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => new Response('', { status: 404 }),
      () => Response.json({ token: 'x' }),
    ]) {
      backend.answer = answer;
      const error = await errorOf(makeSpeaker({ 'session-endpoint': `${ENDPOINT}?key=s3cret#s3cret` }));
      expect(error.message).to.include(ENDPOINT).and.not.include('s3cret');
    }
    const failing = await errorOf(
      providing(Promise.reject(new Error('https://user:s3cret@example.test/a?key=s3cret: 500'))),
    );
    expect(failing.message).to.include('example.test/a').and.not.include('s3cret');
  });

  it('says where the endpoint has redirected to, such as a login (django-oauth/django-oauth-toolkit 1851)', async () => {
    for (const [status, body] of [
      [200, '<!doctype html>'],
      [405, ''],
    ] as const) {
      backend.answer = () => {
        const answered = new Response(body, { status });
        Object.defineProperties(answered, {
          redirected: { value: true },
          url: { value: 'https://login.example/enter?back=s3cret' },
        });
        return answered;
      };
      const error = await errorOf(makeSpeaker({ 'session-endpoint': ENDPOINT }));
      expect(error.message).to.include('redirect to https://login.example/enter').and.not.include('s3cret');
    }
  });

  it('may be in proxies, as the state of a framework is (vercel/ai 4761, rancher/dashboard 11541)', async () => {
    const reactive = <T extends object>(raw: T): T =>
      new Proxy(raw, {
        get(target, name): unknown {
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'object' && value !== null ? reactive(value) : value;
        },
      });
    const messages = [
      { type: 'synthesize', context_id: 'm1', text: 'Hello.' },
      { type: 'end', context_id: 'm1' },
    ];
    await Object.assign(makeSpeaker(), { session: reactive(response({ messages })) }).play();
    const speaker = providing(Promise.resolve(reactive(response({ dialect: deepgram }))));
    speaker.speak('Hello.');
    await next(speaker, 'loadedmetadata');
    expect(speaker.error).to.equal(null);
  });

  it('is refused if its URL asks for other audio than its dialect reads (langwatch/langwatch 5313)', async () => {
    const url = new URL(response().url);
    url.searchParams.set('encoding', 'mulaw');
    const error = await errorOf(providing(Promise.resolve(response({ url: url.href, dialect: deepgram }))));
    expect(error.reason).to.equal('protocol-unsupported');
    expect(error.message).to.match(/deepgram: encoding in the URL must be linear16, not mulaw/);
    expect((await gatewayLog(url.href)).connections).to.have.length(0);
  });

  it('is another one once the session request has changed, though the socket is kept (pipecat-ai/pipecat 1861)', async () => {
    const speaker = makeSpeaker({ 'session-endpoint': ENDPOINT, 'keep-open': true });
    const voices = (): Promise<unknown[]> => Promise.all(backend.requests.map((request) => request.clone().json()));
    speaker.sessionRequest = { voice_id: 'anna' };
    await speaker.speak('One.').finished;
    speaker.sessionRequest = { voice_id: 'anna' };
    await speaker.speak('Two.').finished;
    expect(await voices()).to.deep.equal([{ voice_id: 'anna' }]);
    speaker.sessionRequest = { voice_id: 'ben' };
    await speaker.speak('Three.').finished;
    await speaker.speak('Four.').finished;
    expect(await voices()).to.deep.equal([{ voice_id: 'anna' }, { voice_id: 'ben' }]);
  });

  it('is JSON from the endpoint that is no session', async () => {
    backend.answer = () => Response.json({ token: 'x' });
    const error = await errorOf(makeSpeaker({ 'session-endpoint': ENDPOINT }));
    expect(error.reason).to.equal('session-invalid');
    expect(error.message).to.include(ENDPOINT).and.include('url');
  });

  it('does not keep the next one from being used', async () => {
    const speaker = makeSpeaker({ 'session-endpoint': ENDPOINT });
    backend.answer = () => Response.json({}, { status: 500 });
    await errorOf(speaker);
    backend.answer = () => Response.json(response());
    await speaker.speak('Again.').finished;
    expect(speaker.error).to.equal(null);
  });
});

describe('An API key', () => {
  beforeEach(startBackend);
  afterEach(stopBackend);
  afterEach(removeSpeakers);

  it('has no property and no attribute on the element', () => {
    const speaker = makeSpeaker();
    const names = new Set<string>();
    for (let object: object | null = speaker; object && object !== HTMLElement.prototype;) {
      for (const name of Object.getOwnPropertyNames(object)) names.add(name);
      object = Object.getPrototypeOf(object) as object | null;
    }
    const { observedAttributes } = speaker.constructor as unknown as { observedAttributes: string[] };
    expect([...names, ...observedAttributes].filter((name) => /key|auth|bearer|secret/i.test(name))).to.deep.equal([]);
  });

  it('is not sent: request and socket carry only what was set', async () => {
    const url = sessionUrl(speaking(tone));
    backend.answer = () => Response.json(response({ url }));
    await makeSpeaker({ 'session-endpoint': ENDPOINT }).speak('Hello.').finished;
    expect([...backend.requests[0]!.headers.keys()]).to.deep.equal(['content-type']);
    expect(JSON.stringify(await endedConnection(url))).to.not.match(/api-?key|bearer/i);
  });
});
