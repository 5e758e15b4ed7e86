import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { wavHeader } from '../../../src/base/wav-header.js';
import type { StreamFailure } from '../../../src/connection/audio-input.js';
import { PushedAudio } from '../../../src/connection/pushed-audio.js';

const RATE = 24_000;

/** Samples of a tone. */
const tone = Int16Array.from({ length: 2400 }, (_, at) => 12_000 * Math.sin((2 * Math.PI * 440 * at) / RATE));
const bytes = new Uint8Array(tone.buffer);
const floats = Float32Array.from(tone, (sample) => sample / 32_768);

const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64');
/** Cuts the base64 of the tone into pieces. */
const cut = (length: number): string[] => base64(bytes.subarray(2)).match(new RegExp(`.{1,${length}}`, 'g'))!;
const wave = (rate: number): Uint8Array => Buffer.concat([wavHeader(rate, 1, 16, bytes.length), bytes]);

/** Pushes pieces, and returns the samples that are played and what is wrong; null if nothing is. */
async function play(...pieces: unknown[]): Promise<{ samples: number[]; failure: StreamFailure | null }> {
  const { port1, port2 } = new MessageChannel();
  const samples: number[] = [];
  const ended = new EventTarget();
  let failure: StreamFailure | null = null;
  const input = new PushedAudio(
    { type: 'pushed', port: port2, sampleRate: RATE },
    {
      hasRoom: () => true,
      onOpen: () => {},
      onBytes: () => {},
      onSamples: (part) => samples.push(...part),
      onEnd: (cause) => {
        failure = cause;
        ended.dispatchEvent(new Event('end'));
      },
    },
  );
  const end = once(ended, 'end');
  input.open();
  input.play();
  for (const piece of [...pieces, null]) port1.postMessage(piece);
  await end;
  port1.close();
  return { samples, failure };
}

describe('PushedAudio', () => {
  for (const [what, pieces] of [
    // livekit/agents 2973: a message with empty audio comes first
    ['an empty piece before the samples', ['', base64(bytes)]],
    // KanishJebaMathewM/Truxify 4757, AidenAI-IO/aiden-firmware 72: one route of a service gives hexadecimal digits
    ['hexadecimal digits', [Buffer.from(bytes).toString('hex')]],
    // QuantumNous/new-api 5725
    ['data: URLs of WAV files', [`data:audio/wav;base64,${base64(wave(RATE))}`]],
    // beatgammit/base64-js 42
    ['base64 of several pieces in one text', [base64(bytes.subarray(0, 1000)) + base64(bytes.subarray(1000))]],
    ['base64 without padding', [base64(bytes.subarray(0, 1000)).replace(/=/g, ''), base64(bytes.subarray(1000))]],
  ] as const) {
    it(`plays ${what}`, async () => {
      assert.deepEqual(await play(...pieces), { samples: [...tone], failure: null });
    });
  }

  const mp3 = [0xff, 0xfb, 0x90, 0x00, ...Array(413).fill(0x11), 0xff, 0xfb, 0x90, 0x00];
  for (const [what, pieces, received] of [
    ['MP3 after an empty piece', [new ArrayBuffer(0), Uint8Array.from(mp3).buffer], /^MP3$/],
    // juspay/neurolink 1005: a relay forwards text as bytes
    [
      'the bytes of a message',
      [new TextEncoder().encode('{"type":"error","message":"No credits left."}').buffer],
      /^the text \{"type":"error","message":"No credits left\."\}$/,
    ],
    // nodejs/undici 1606, apache/mynewt-core 2287: a text of base64 that was read in pieces
    ['base64 that was cut within a group of letters', [...cut(998)], /^text that is not base64$/],
    ['base64 that was cut after one letter', [...cut(997)], /^text that is not base64$/],
    // microphone-stream/microphone-stream 19
    ['the bytes of floats', [floats.slice().buffer], /^the bytes of a Float32Array$/],
    // exelerus/cordova-plugin-audioinput 9
    ['floats of the scale of integers', [Float32Array.from(tone)], /^floats far from -1 to 1$/],
  ] as const) {
    it(`refuses ${what}, and plays nothing of it`, async () => {
      const { samples, failure } = await play(...pieces);
      assert.deepEqual(samples, []);
      assert.equal(failure?.type, 'format');
      assert.match((failure as { received: string }).received, received);
    });
  }

  // a2aaron/VCVMicroTools 15, RunanywhereAI/runanywhere-sdks 832
  it('refuses the bytes of floats behind silence, and plays the silence only', async () => {
    const { samples, failure } = await play(new ArrayBuffer(1024), '', floats.slice().buffer);
    assert.deepEqual(samples, Array(512).fill(0));
    assert.deepEqual(failure, { type: 'format', received: 'the bytes of a Float32Array' });
  });
});
