import { expect } from 'chai';
import { SpeakerError, type AudioSource, type SvcSpeakerElement } from '../../../src/index.js';
import type { FramesSpec } from '../../../src/testing/script.js';
import { closedEarly, pcmBytes, serveAudio, streamOf, wavBytes } from '../support/audio-file.js';
import { assertHeard, exact, expected } from '../support/sound.js';
import { ended, journal, makeSpeaker, next, rejection, removeSpeakers, transport } from '../support/speaker.js';
import { forceSampleRate, heard } from '../support/tap.js';

const RATE = 24000;
/** Noise at full scale, in which every wrong sample shows. */
const noise: FramesSpec = { noise: 7, seconds: 0.5 };

/** Creates a speaker without a source that plays every sample unchanged. */
function plainSpeaker(attributes = {}): SvcSpeakerElement {
  forceSampleRate(RATE);
  return makeSpeaker({ ...exact, transport, ...attributes });
}

/** Resolves with the error of an utterance. */
async function failureOf(speaker: SvcSpeakerElement, input: AudioSource, options = {}): Promise<SpeakerError> {
  const error = await rejection(speaker.speakAudio(input, options).finished);
  expect(error).to.be.instanceOf(SpeakerError);
  expect(speaker.error).to.equal(error);
  return error as SpeakerError;
}

describe('An audio stream', () => {
  afterEach(removeSpeakers);

  const inputs: Record<string, () => Promise<[AudioSource, { sampleRate?: number }?]>> = {
    'a URL of WAV': async () => [
      new URL((await serveAudio(wavBytes(noise), { type: 'audio/wav' })).path, location.href),
    ],
    'a relative URL of WAV without its length': async () => [
      (await serveAudio(wavBytes(noise, 0xffffffff), { type: 'audio/x-wav', chunked: 1 })).path,
    ],
    // Tonejs/Tone.js 484, cookpete/react-player 1387
    'a blob: URL': async () => [URL.createObjectURL(new Blob([wavBytes(noise)]))],
    'a data: URL': async () => [`data:audio/wav;base64,${btoa(String.fromCharCode(...wavBytes(noise)))}`],
    'a URL of samples': async () => [(await serveAudio(pcmBytes(noise), { type: 'audio/pcm;rate=24000' })).path],
    'a Request': async () => [new Request((await serveAudio(wavBytes(noise), { type: 'audio/wav' })).path)],
    'a Response': async () => [await fetch((await serveAudio(wavBytes(noise), { type: 'audio/wav' })).path)],
    'a Response without a type': async () => [
      await fetch((await serveAudio(pcmBytes(noise), { type: 'application/octet-stream' })).path),
      { sampleRate: RATE },
    ],
    'a Response whose type gives the rate': async () => [
      new Response(pcmBytes(noise), { headers: { 'Content-Type': 'audio/pcm;rate=24000' } }),
    ],
    'a Blob whose type gives the rate': async () => [new Blob([pcmBytes(noise)], { type: 'audio/pcm;rate=24000' })],
    'a stream': async () => [streamOf(pcmBytes(noise)), { sampleRate: RATE }],
    'a Blob': async () => [new Blob([wavBytes(noise)], { type: 'audio/wav' })],
    'a Blob without a type': async () => [new Blob([wavBytes(noise)])],
    'an ArrayBuffer': async () => [wavBytes(noise).buffer],
    'an ArrayBuffer of samples': async () => [pcmBytes(noise).buffer, { sampleRate: RATE }],
  };
  for (const [name, make] of Object.entries(inputs)) {
    it(`is played sample for sample from ${name}`, async () => {
      const speaker = plainSpeaker();
      const [input, options] = await make();
      const utterance = speaker.speakAudio(input, options);
      await utterance.finished;
      assertHeard(await heard(), [expected(noise)]);
      expect(utterance.endTime).to.equal(0.5);
      expect(speaker.getStats().sampleRate).to.equal(RATE);
      expect(speaker.error).to.equal(null);
    });
  }

  it('is played from a stream that the browser cannot transfer', async () => {
    const { structuredClone } = globalThis;
    globalThis.structuredClone = () => {
      throw new DOMException('Not here.', 'DataCloneError');
    };
    try {
      const speaker = plainSpeaker();
      await speaker.speakAudio(streamOf(pcmBytes(noise)), { sampleRate: RATE }).finished;
      assertHeard(await heard(), [expected(noise)]);
      const error = await failureOf(speaker, streamOf(pcmBytes(noise), new Error('Broken.')), { sampleRate: RATE });
      expect(error.message).to.contain('Broken');
      let reason: unknown;
      const open = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(pcmBytes({ noise: 7, seconds: 5 })),
        cancel: (given) => void (reason = { given }),
      });
      const utterance = speaker.speakAudio(open, { sampleRate: RATE });
      await utterance.started;
      utterance.cancel();
      await rejection(utterance.finished);
      expect(reason).not.to.equal(undefined);
    } finally {
      globalThis.structuredClone = structuredClone;
    }
  });

  it('is played by play() if src is its URL, with the events of a media element', async () => {
    const { path } = await serveAudio(wavBytes(noise), { type: 'audio/wav' });
    const speaker = plainSpeaker({ src: path, text: 'Noise.' });
    const events = journal(speaker);
    const durations: number[] = [];
    speaker.addEventListener('durationchange', () => durations.push(speaker.duration));
    await speaker.play();
    expect(speaker.getStats().transport).to.equal(transport);
    await ended(speaker);
    assertHeard(await heard(), [expected(noise)]);
    // The worker may report the length after the audio thread has begun to play it.
    expect(durations).to.deep.equal([Infinity, 0.5]);
    expect(events.filter((type) => type !== 'durationchange')).to.deep.equal([
      'loadstart',
      'play',
      'waiting',
      'loadedmetadata',
      'canplay',
      'playing',
      'utterancestart',
      'utteranceend',
      'pause',
      'ended',
    ]);
    expect(speaker.networkState).to.equal(HTMLMediaElement.NETWORK_IDLE);
  });

  it('plays by itself with autoplay', async () => {
    const { path } = await serveAudio(wavBytes(noise), { type: 'audio/wav' });
    const speaker = plainSpeaker({ src: path, autoplay: true });
    await ended(speaker);
    assertHeard(await heard(), [expected(noise)]);
  });

  it('has its text, and is replayed and downloaded without another request', async () => {
    const file = await serveAudio(wavBytes(noise), { type: 'audio/wav' });
    const speaker = plainSpeaker();
    const utterance = speaker.speakAudio(file.path, { text: 'Some noise.' });
    expect(utterance.text).to.equal('Some noise.');
    await utterance.finished;
    await ended(speaker);
    await speaker.play();
    await ended(speaker);
    assertHeard(await heard(), [expected(noise), expected(noise)]);
    const blob = new Uint8Array(await (await utterance.toBlob()).arrayBuffer());
    expect(blob.subarray(44)).to.deep.equal(pcmBytes(noise));
    expect((await file.log()).requests).to.equal(1);
  });

  it('continues where its server broke off, if that has byte ranges', async () => {
    const file = await serveAudio(wavBytes(noise), { type: 'audio/wav', hang: 44 + 12_000, ranges: 1 });
    const speaker = plainSpeaker();
    speaker.addEventListener('canplay', () => void file.breakOff(), { once: true });
    const utterance = speaker.speakAudio(file.path);
    await utterance.finished;
    const blob = new Uint8Array(await (await utterance.toBlob()).arrayBuffer());
    expect(blob.subarray(44)).to.deep.equal(pcmBytes(noise));
    expect((await file.log()).requests).to.equal(2);
  });

  it('is closed at its server as soon as it is cancelled, the speaker is closed, or removed', async () => {
    const long = wavBytes({ noise: 7, seconds: 10 });
    for (const how of ['cancel', 'close', 'remove', 'abort'] as const) {
      const file = await serveAudio(long, { type: 'audio/wav', hang: 48_000 * 5 });
      const speaker = plainSpeaker();
      const stop = new AbortController();
      const utterance = speaker.speakAudio(file.path, { signal: stop.signal });
      await utterance.started;
      if (how === 'abort') stop.abort();
      else speaker[how]();
      expect(await rejection(utterance.finished)).to.have.property('name', 'AbortError');
      await closedEarly(file);
      await heard();
    }
  });

  it('cancels a stream that waits behind another one', async () => {
    const speaker = plainSpeaker();
    let stream!: ReadableStream<Uint8Array>;
    const cancelled = new Promise((resolve) => (stream = new ReadableStream({ cancel: resolve })));
    const first = speaker.speakAudio(wavBytes({ noise: 7, seconds: 10 }).buffer);
    const second = speaker.speakAudio(stream);
    await first.started;
    second.cancel();
    await rejection(second.finished);
    await cancelled;
  });

  it('is read only as far as the worker can keep it', async () => {
    const speaker = plainSpeaker();
    const chunk = new Uint8Array(8000 * 2 * 10);
    let chunks = 0;
    await new Promise<void>((resolve) => {
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (++chunks === 30) resolve();
          controller.enqueue(chunk.slice());
        },
      });
      speaker.speakAudio(stream, { sampleRate: 8000 });
      speaker.pause();
      // A stream that is paused before it begins is not read. One that is paused later is read as far as it fits.
      void speaker.play().then(() => speaker.pause());
    });
    // Repeats until nothing is read between two responses of the worker.
    const readsOn = async (): Promise<boolean> => {
      const before = chunks;
      await speaker.toBlob();
      return chunks > before && chunks < 50;
    };
    while (await readsOn());
    // Half of the history, plus the audio in the ring, in the current chunk, and in the browser's own queues.
    expect(chunks).to.be.below(50);
  });

  describe('fails', () => {
    it('after the received audio has been played, if its server breaks off', async () => {
      const file = await serveAudio(wavBytes(noise), { type: 'audio/wav', hang: 44 + 12_000 });
      const speaker = plainSpeaker();
      speaker.addEventListener('canplay', () => void file.breakOff());
      const error = await failureOf(speaker, file.path);
      expect(error).to.include({ reason: 'socket-closed', code: 2, retryable: 'unknown' });
      assertHeard(await heard(), [expected({ ...noise, seconds: 0.25 })]);
      // As after any utterance, playback ends shortly after the promise is settled.
      while (speaker.state !== 'error') await next(speaker, 'statechange');
    });

    it('after the received audio has been played, if it is shorter than its header claims', async () => {
      const { path } = await serveAudio(wavBytes(noise), { type: 'audio/wav', cut: 44 + 12_000, chunked: 1 });
      const speaker = plainSpeaker();
      const error = await failureOf(speaker, path);
      expect(error.reason).to.equal('socket-closed');
      expect(error.message).to.contain('12044 bytes of 24044');
      assertHeard(await heard(), [expected({ ...noise, seconds: 0.25 })]);
    });

    it('if a stream of the page fails', async () => {
      const stream = streamOf(pcmBytes(noise), new Error('Broken.'));
      const speaker = plainSpeaker();
      const error = await failureOf(speaker, stream, { sampleRate: RATE });
      expect(error.reason).to.equal('socket-closed');
      // When a stream fails, the browser may drop chunks that are on their way to the worker.
      expect((await heard()).length).to.be.greaterThan(0);
    });

    for (const [status, retryable] of [
      [404, false],
      [429, true],
      [503, true],
    ] as const) {
      it(`with the status ${status}`, async () => {
        const { path } = await serveAudio(wavBytes(noise), { type: 'audio/wav', status });
        const errors: unknown[] = [];
        const speaker = plainSpeaker();
        speaker.addEventListener('error', () => errors.push(speaker.error));
        const error = await failureOf(speaker, `${path}&token=secret`);
        expect(error).to.include({ reason: 'socket-failed', httpStatus: status, retryable });
        expect(error.message).to.contain(`/audio/`).and.not.contain('secret');
        expect(errors).to.deep.equal([error]);
      });
    }

    it('rejects play() with NotSupportedError for another format, which it names', async () => {
      const flac = new TextEncoder().encode(`fLaC${'\0'.repeat(100)}`);
      const { path } = await serveAudio(flac, { type: 'audio/flac' });
      const speaker = plainSpeaker({ src: path });
      expect(await rejection(speaker.play())).to.have.property('name', 'NotSupportedError');
      expect(speaker.error).to.include({ reason: 'format-unsupported', code: 4 });
      expect(speaker.error!.message).to.contain('FLAC').and.contain('WAV');
    });

    it('of another origin that does not allow the page, with the remedy', async () => {
      const { elsewhere } = await serveAudio(wavBytes(noise), { type: 'audio/wav' });
      const error = await failureOf(plainSpeaker(), elsewhere);
      expect(error.reason).to.equal('socket-failed');
      expect(error.message).to.contain('Access-Control-Allow-Origin');
    });

    it('if its server does not answer', async () => {
      const error = await failureOf(plainSpeaker(), 'http://127.0.0.1:9/none.wav');
      expect(error.reason).to.equal('socket-failed');
    });
  });

  it('is fetched from another origin, with cookies if crossorigin says so', async () => {
    const file = await serveAudio(wavBytes(noise), { type: 'audio/wav', cors: location.origin });
    const speaker = plainSpeaker({ crossorigin: 'anonymous' });
    await speaker.speakAudio(file.elsewhere).finished;
    assertHeard(await heard(), [expected(noise)]);
    speaker.crossOrigin = 'use-credentials';
    const error = await failureOf(speaker, file.elsewhere);
    expect(error.message).to.contain('Access-Control-Allow-Credentials');
    await speaker.speakAudio(`${file.elsewhere}&cors-cookies`).finished;
  });

  it('is requested with the method and body of a Request', async () => {
    const file = await serveAudio(wavBytes(noise), { type: 'audio/wav' });
    const speaker = plainSpeaker();
    const stop = new AbortController();
    const request = new Request(file.path, { method: 'POST', body: '{"input":"Hello."}', signal: stop.signal });
    await speaker.speakAudio(request).finished;
    expect((await file.log()).received).to.deep.equal(['{"input":"Hello."}']);
    stop.abort();
    expect(() => speaker.speakAudio(new Request(file.path, { signal: stop.signal })))
      .to.throw()
      .with.property('name', 'AbortError');
  });

  it('is refused at once if it is invalid, or has been read already', async () => {
    const speaker = plainSpeaker();
    for (const input of [null, 3, {}, new Uint8Array(2)]) {
      expect(() => speaker.speakAudio(input as unknown as AudioSource)).to.throw(TypeError);
    }
    const response = new Response('x');
    await response.text();
    expect(() => speaker.speakAudio(response)).to.throw(TypeError);
    // mrdoob/three.js 14225, element-hq/element-web 34481: decodeAudioData() leaves nothing of its buffer.
    const { buffer } = wavBytes(noise);
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => speaker.speakAudio(buffer)).to.throw(TypeError, 'read [object ArrayBuffer]');
    expect(await rejection(speaker.play())).to.have.property('name', 'InvalidStateError');
  });
});
