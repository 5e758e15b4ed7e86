import { expect } from 'chai';
import type { SessionProvider, SessionResponse, SpeakerError, SpeakerErrorReason } from '../../../src/index.js';
import { type GatewayStep, speaking } from '../../../src/testing/script.js';
import { makeSpeaker, rejection, removeSpeakers, sessionResponse, sessionUrl } from '../support/speaker.js';
import { withoutWaiting } from '../support/timers.js';

const tone = { tone: 440, seconds: 0.1 };

/** Response of a session call. */
function response(differences: Partial<SessionResponse> = {}): SessionResponse {
  return sessionResponse(sessionUrl(speaking(tone)), differences);
}

/** Creates a speaker with a single session, which runs `steps`. */
function once(...steps: readonly GatewayStep[]) {
  return makeSpeaker({ src: sessionUrl(steps) });
}

function providing(provider: SessionProvider) {
  const speaker = makeSpeaker();
  speaker.sessionProvider = provider;
  return speaker;
}

/** Creates a provider that never resolves, and a promise of the signal that it receives. */
function silentProvider() {
  let asked = (_signal: AbortSignal): void => {};
  const signal = new Promise<AbortSignal>((resolve) => (asked = resolve));
  return {
    signal,
    provider: (request: { signal: AbortSignal }): Promise<never> => {
      asked(request.signal);
      return new Promise(() => {});
    },
  };
}

/** More than one hour of speech, which is the limit of the queue, at the lowest sample rate. */
const HOUR: GatewayStep = {
  repeat: 31,
  steps: [{ frames: { ramp: true, seconds: 120, rate: 8000, bytesPerFrame: 2 ** 19 } }],
};

/** A real fault for each reason, with the members of its error and the remedy in its message. */
const faults: {
  reason: SpeakerErrorReason;
  fault: string;
  speaker: () => ReturnType<typeof makeSpeaker>;
  is: Partial<SpeakerError>;
  remedy: RegExp;
}[] = [
  {
    reason: 'aborted',
    fault: 'a provider that gives up by itself',
    speaker: () => providing(() => Promise.reject(new DOMException('Enough.', 'AbortError'))),
    is: { code: 1, retryable: true },
    remedy: /Abort only when the signal does\./,
  },
  {
    reason: 'session-request-failed',
    fault: 'an endpoint that is not there',
    speaker: () => makeSpeaker({ 'session-endpoint': '/speech/nowhere' }),
    is: { code: 2, retryable: false, httpStatus: 404 },
    remedy: /check that this is the address/,
  },
  {
    reason: 'session-request-failed',
    fault: 'an endpoint on a host that nobody can reach',
    speaker: () => makeSpeaker({ 'session-endpoint': 'http://127.0.0.1:9/' }), // port 9 is closed to browsers
    is: { code: 2, retryable: true },
    remedy: /check the address, the network and the page's connect-src/,
  },
  {
    reason: 'session-invalid',
    fault: 'a session without its fields',
    speaker: () => providing(() => Promise.resolve({ url: 'wss://example.test/' } as SessionResponse)),
    is: { code: 4, retryable: false },
    remedy: /sample_rate must be an integer.*Pass on the answer of the service/,
  },
  {
    reason: 'session-expired',
    fault: 'a session that was set and has run out',
    speaker: () => Object.assign(makeSpeaker(), { session: response({ expires_in_seconds: 0 }) }),
    is: { code: 2, retryable: true },
    remedy: /Set sessionProvider or session-endpoint instead/,
  },
  {
    reason: 'protocol-unsupported',
    fault: 'a service that speaks another protocol',
    speaker: () => providing(() => Promise.resolve(response({ protocol: 'svctts.v2' }))),
    is: { code: 4, retryable: false },
    remedy: /update svc-speaker, or the service/,
  },
  {
    reason: 'format-unsupported',
    fault: 'a session in another format',
    speaker: () => makeSpeaker({ src: sessionUrl(speaking(tone), { format: 'opus' }) }),
    is: { code: 4, retryable: false },
    remedy: /Ask for it in the session request/,
  },
  {
    reason: 'socket-failed',
    fault: 'a socket that is refused',
    speaker: () => once({ refuse: 403 }),
    is: { code: 2, retryable: true, closeCode: 1006 },
    remedy: /check the network, connect-src and the age of the session URL/,
  },
  {
    reason: 'socket-closed',
    fault: 'a token that is not taken',
    speaker: () => once({ close: 4401 }),
    is: { code: 2, retryable: 'unknown', closeCode: 4401 },
    remedy: /ask for a new session right before opening it/,
  },
  {
    reason: 'socket-closed',
    fault: 'credits that end inside a word',
    speaker: () => once({ wait: 'end' }, { frames: tone }, { close: 4402 }),
    is: { code: 2, retryable: 'unknown', closeCode: 4402 },
    remedy: /add credits/,
  },
  {
    reason: 'socket-closed',
    fault: 'a connection that breaks',
    speaker: () => once({ wait: 'end' }, { frames: tone }, { terminate: true }),
    is: { code: 2, retryable: true, closeCode: 1006 },
    remedy: /check the network/,
  },
  {
    reason: 'service-error',
    fault: 'a message of the service',
    speaker: () => once({ wait: 'end' }, { error: 'The voice is hoarse.' }),
    is: { code: 2, retryable: 'unknown' },
    remedy: /The voice is hoarse\. Change the text, or try again later\./,
  },
  {
    reason: 'output-failed',
    fault: 'a worklet file that is not there',
    speaker: () => Object.assign(once(...speaking(tone)), { workletUrl: '/nothing/here.js' }),
    is: { code: 3, retryable: false },
    remedy: /Check that it is there/,
  },
  {
    reason: 'overflow',
    fault: 'more than an hour of speech at once',
    speaker: () => makeSpeaker({ src: sessionUrl([{ wait: 'end' }, HOUR], { sample_rate: 8000 }) }),
    is: { code: 3, retryable: false },
    remedy: /Play or cancel them before speaking more/,
  },
];

describe('An error of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  for (const { reason, fault, speaker: make, is, remedy } of faults) {
    it(`is \`${reason}\` after ${fault}, and names the remedy`, async () => {
      const speaker = make();
      const failed = new Promise<SpeakerError>((resolve) => {
        speaker.addEventListener('error', () => resolve(speaker.error!), { once: true });
      });
      speaker.speak('Hello.');
      const error = await failed;
      const { code, retryable, httpStatus, closeCode, message } = error;
      expect(error.reason).to.equal(reason);
      expect({ code, retryable, httpStatus, closeCode }).to.deep.equal({
        httpStatus: undefined,
        closeCode: undefined,
        ...is,
      });
      expect(message).to.match(remedy);
    });
  }
});

describe('A provider of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('times out after 30 s, and its signal aborts', async () => {
    const { provider, signal } = silentProvider();
    const speaker = Object.assign(providing(provider), { text: 'Hello.' });
    const refusal = await withoutWaiting(() => rejection(speaker.play()), 30_000);
    expect((refusal as DOMException).name).to.equal('NotSupportedError');
    expect(speaker.error!.reason).to.equal('session-request-failed');
    expect(speaker.error!.retryable).to.equal(true);
    expect(speaker.error!.message).to.include('sessionProvider').and.include('30 s').and.include('Make it answer');
    expect((await signal).aborted).to.equal(true);
    expect(speaker.paused).to.equal(true);
  });

  for (const method of ['cancel', 'close', 'remove'] as const) {
    it(`is aborted at once by ${method}()`, async () => {
      const { provider, signal } = silentProvider();
      const speaker = providing(provider);
      const { finished } = speaker.speak('Hello.');
      expect((await signal).aborted).to.equal(false);
      speaker[method]();
      expect(((await rejection(finished)) as DOMException).name).to.equal('AbortError');
      expect((await signal).aborted).to.equal(true);
      expect(speaker.error).to.equal(null);
    });
  }

  it('fails with a remedy if it returns an expired session again', async () => {
    const session = response({ expires_in_seconds: 0 });
    const speaker = providing(() => Promise.resolve(session));
    await speaker.speak('One.').finished; // a new session is used, whatever its lifetime
    const error = (await rejection(speaker.speak('Two.').finished)) as SpeakerError;
    expect([error.reason, error.retryable]).to.deep.equal(['session-expired', true]);
    expect(error.message).to.include('sessionProvider').and.include('a new one each time');
  });
});
