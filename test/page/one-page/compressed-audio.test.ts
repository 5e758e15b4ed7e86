import { expect } from 'chai';
import type { AudioSource, SpeakerError, SvcSpeakerElement } from '../../../src/index.js';
import { AudioReader } from '../../../src/formats/audio-reader.js';
import { closedEarly, serveAudio } from '../support/audio-file.js';
import { encoded, withLameTag } from '../support/encoded-audio.js';
import { aac, itUnless } from '../support/engine.js';
import { exact, sound } from '../support/sound.js';
import { makeSpeaker, rejection, removeSpeakers } from '../support/speaker.js';
import { forceSampleRate, heard } from '../support/tap.js';

const RATE = 24000;
const SECONDS = 1;
/** A tone with rising pitch, which matches itself at one position only. It has no fades. */
const sweep = sweepAt(RATE);

function sweepAt(rate: number): Float32Array {
  const at = (seconds: number): number => 0.5 * Math.cos(2 * Math.PI * (150 + 700 * seconds) * seconds);
  return Float32Array.from({ length: SECONDS * rate }, (_, i) => at(i / rate));
}

/**
 * Formats, each with the sample rate of the source, and the encoder delay in samples that remains because the file does
 * not report it.
 */
const CASES = [
  { type: 'audio/mpeg', rate: RATE, delay: 529 + 576, lacking: null },
  { type: 'audio/aac', rate: RATE, delay: 1024, lacking: aac },
  { type: 'audio/ogg', rate: 2 * RATE, delay: 0, lacking: null },
  { type: 'audio/webm', rate: 2 * RATE, delay: 0, lacking: null },
];

function plainSpeaker(): SvcSpeakerElement {
  forceSampleRate(RATE);
  return makeSpeaker(exact);
}

/** Position at which the sweep begins in a recording, and its similarity there, up to 1. */
function placeOfSweep(recording: Float32Array): { at: number; likeness: number } {
  const likenessAt = (at: number, from: number, to: number): number => {
    let [product, heardPower, power] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      const sample = recording[at + i] ?? 0;
      product += sample * sweep[i]!;
      heardPower += sample ** 2;
      power += sweep[i]! ** 2;
    }
    return product / Math.sqrt(heardPower * power || 1);
  };
  let best = { at: 0, likeness: -1 };
  for (let at = -100; at < 2000; at++) {
    const likeness = likenessAt(at, 9000, 10_000);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return { at: best.at, likeness: likenessAt(best.at, 1000, sweep.length - 1000) };
}

/** Samples at `RATE` of a WAV file whose sample rate is `RATE` or a multiple of it. */
async function samplesOf(wav: Blob): Promise<Float32Array> {
  const view = new DataView(await wav.arrayBuffer());
  const step = view.getUint32(24, true) / RATE;
  const count = (view.byteLength - 44) / 2 / step;
  return Float32Array.from({ length: count }, (_, i) => view.getInt16(44 + 2 * i * step, true) / 32768);
}

/** Number of samples in the complete frames of an MP3 file at `RATE`. */
function samplesIn(file: Uint8Array): number {
  return [...new AudioReader().push(file, true)].length * 576;
}

async function failureOf(input: AudioSource): Promise<SpeakerError> {
  const speaker = plainSpeaker();
  await rejection(speaker.speakAudio(input).finished);
  return speaker.error!;
}

describe('Compressed audio', () => {
  afterEach(removeSpeakers);

  for (const { type, rate, delay, lacking } of CASES) {
    itUnless(lacking)(`is decoded and played: ${type}`, async () => {
      const { path } = await serveAudio(await encoded(type, sweepAt(rate), rate), { type });
      const speaker = plainSpeaker();
      const utterance = speaker.speakAudio(path);
      await utterance.finished;
      expect(speaker.error).to.equal(null);
      const { at, likeness } = placeOfSweep(await samplesOf(await utterance.toBlob()));
      expect(likeness).to.be.greaterThan(0.99);
      expect(at).to.be.closeTo(delay, 2);
      expect(placeOfSweep(sound(await heard())).likeness).to.be.greaterThan(0.99);
    });
  }

  it('has no padding if an MP3 file reports how much its encoder added', async () => {
    const file = withLameTag(await encoded('audio/mpeg', sweep, RATE), { frames: 44, delay: 576, padding: 768 });
    const utterance = plainSpeaker().speakAudio(new Blob([file], { type: 'audio/mpeg' }));
    await utterance.finished;
    const samples = await samplesOf(await utterance.toBlob());
    expect(samples).to.have.length(sweep.length);
    expect(placeOfSweep(samples).at).to.equal(0);
  });

  for (const { type, rate, delay, lacking } of CASES) {
    itUnless(lacking)(`is played from several files in a row, under any type: ${type}`, async () => {
      const one = await encoded(type, sweepAt(rate), rate);
      const speaker = plainSpeaker();
      const single = speaker.speakAudio(new Blob([one]));
      await single.finished;
      const double = speaker.speakAudio(new Blob([one, one], { type: 'audio/wav' }));
      await double.finished;
      expect(speaker.error).to.equal(null);
      const [first, both] = [await samplesOf(await single.toBlob()), await samplesOf(await double.toBlob())];
      expect(both.length).to.be.closeTo(2 * first.length, 2);
      const second = placeOfSweep(both.subarray(both.length - first.length));
      expect(second.likeness).to.be.greaterThan(0.99);
      expect(second.at).to.be.closeTo(delay, 3);
    });
  }

  it('is heard while it arrives, and closed at its server when it is cancelled', async () => {
    const bytes = await encoded('audio/mpeg', new Float32Array(60 * RATE).fill(0.1), RATE);
    const file = await serveAudio(bytes, { type: 'audio/mpeg', hang: bytes.length / 6 });
    const utterance = plainSpeaker().speakAudio(file.path);
    await utterance.started;
    utterance.cancel();
    await rejection(utterance.finished);
    await closedEarly(file);
  });

  it('is played as far as it has arrived', async () => {
    const bytes = await encoded('audio/mpeg', sweep, RATE);
    const half = bytes.slice(0, bytes.length / 2);
    const speaker = plainSpeaker();
    await speaker.speakAudio(new Blob([half], { type: 'audio/mpeg' })).finished;
    expect(await samplesOf(await speaker.toBlob())).to.have.length(samplesIn(half));
  });

  it('fails after the received audio has been played, if its server breaks off', async () => {
    const bytes = await encoded('audio/mpeg', sweep, RATE);
    const half = bytes.slice(0, bytes.length / 2);
    const file = await serveAudio(bytes, { type: 'audio/mpeg', hang: half.length });
    const speaker = plainSpeaker();
    speaker.addEventListener('canplay', () => void file.breakOff());
    await rejection(speaker.speakAudio(file.path).finished);
    expect(speaker.error).to.include({ reason: 'socket-closed', code: 2 });
    expect(await samplesOf(await speaker.toBlob())).to.have.length(samplesIn(half));
    expect(sound(await heard()).length).to.be.greaterThan(0.3 * RATE);
  });

  it('is checked for its format at its end, if it is short', async () => {
    const { reason } = await failureOf(new Blob([new Uint8Array(5000).fill(1)], { type: 'audio/mpeg' }));
    expect(reason).to.equal('format-unsupported');
  });

  it('fails if it is something else', async () => {
    const noise = new Uint8Array(100_000).fill(1);
    const { reason, message } = await failureOf(new Blob([noise], { type: 'audio/ogg' }));
    expect(reason).to.equal('format-unsupported');
    expect(message).to.contain('audio/ogg in which no audio was found');
  });

  it('fails where the browser has no decoder', async () => {
    const file = new Blob([await encoded('audio/ogg', sweep, RATE)], { type: 'audio/ogg' });
    const { AudioDecoder } = globalThis;
    Reflect.deleteProperty(globalThis, 'AudioDecoder');
    try {
      const { reason, message } = await failureOf(file);
      expect(reason).to.equal('format-unsupported');
      expect(message).to.contain('it is Opus, for').and.contain('WebCodecs');
    } finally {
      Object.assign(globalThis, { AudioDecoder });
    }
  });
});
