import { expect } from 'chai';
import { type Heard, matchOf } from '../../src/testing/analysis.js';
import { installPageRecorder } from '../../src/testing/page/page-recorder.js';
import { wavHeader } from '../../src/base/wav-header.js';
import { recorderSource } from '../../src/testing/recorder-sources.generated.js';
import { generatePcm } from '../../src/testing/pcm.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import type { Sound } from '../../src/testing/sound.js';
import { engine, itUnless } from '../page/support/engine.js';
import { gatewayUrl } from '../setup/gateway-url.js';
import { sounds, toneOf } from './tone.js';

const RATE = 48_000;
const SECONDS = 0.8;
const SENT: Sound = { samples: generatePcm({ tone: 440 }, 24_000 * SECONDS), sampleRate: 24_000 };

/** Samples per buffer, in the test of a player that schedules buffers. */
const BUFFER = 480;

/** Returns all that was recorded of `element`, or of the page if it is null. */
async function heard(element: Element | null): Promise<Heard> {
  const { contexts, sources } = await window.svcSpeakerRecorder.read(element, {});
  const samples = new Float32Array(Math.max(0, ...contexts.map(({ from, to }) => to - from)));
  for (const source of sources) {
    const { from } = contexts.find(({ id }) => id === source.context)!;
    const response = await fetch(`data:application/octet-stream;base64,${source.samples}`);
    const all = new Float32Array(await response.arrayBuffer());
    let at = 0;
    for (const { frame, length, channels } of source.pieces) {
      for (let i = 0; i < length; i++) samples[frame - from + i]! += all[at + i]!;
      at += length * channels;
    }
  }
  return { samples, sampleRate: RATE };
}

/** Names of the method that gives the sound of a media element as a stream. Firefox has a prefix. */
const CAPTURES = ['captureStream', 'mozCaptureStream'];
const capture = CAPTURES.some((name) => name in HTMLMediaElement.prototype) ? null : 'it has no captureStream()';

/** Creates an `<audio>` element that plays 2 s of a tone of 440 Hz. */
function makeAudio(): HTMLAudioElement {
  const pcm = Int16Array.from(generatePcm({ tone: 440 }, 2 * 24_000));
  return new Audio(
    URL.createObjectURL(new Blob([wavHeader(24_000, 1, 16, pcm.byteLength), pcm], { type: 'audio/wav' })),
  );
}

/** Resolves when a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('The recorder of the testing kit', () => {
  before(async () => {
    const options = { sampleRate: RATE, fromStart: true, processor: recorderSource, processorUrl: null };
    installPageRecorder(options);
    await import('../../src/define.js');
  });

  it('reports the latency of the output, which it does not read in Firefox: the page may hang there', async () => {
    const context = new AudioContext();
    let readings = 0;
    Object.defineProperty(context, 'outputLatency', { get: () => ++readings / 100 });
    const { contexts } = await window.svcSpeakerRecorder.read(null, {});
    await context.close();
    expect([readings, contexts.at(-1)!.outputLatency]).to.deep.equal(engine === 'firefox' ? [0, 0.03] : [1, 0.01]);
  });

  it('goes on after the page has closed a context at once', async () => {
    await new AudioContext().close();
    // Also in the tests after this one, when the recorder's module has failed to load there.
    await window.svcSpeakerRecorder.read(null, {});
  });

  it('hears a player that connects every buffer to the destination', async () => {
    const context = new AudioContext();
    await context.resume();
    const samples = Float32Array.from({ length: RATE * SECONDS }, (_, i) => {
      const ramp = Math.min(1, i / 200, (RATE * SECONDS - i) / 200);
      return 0.5 * ramp * Math.sin((2 * Math.PI * 440 * i) / RATE);
    });
    const first = Math.ceil((context.currentTime + 0.5) * RATE);
    for (let from = 0; from < samples.length; from += BUFFER) {
      const buffer = context.createBuffer(1, BUFFER, RATE);
      buffer.copyToChannel(samples.subarray(from, from + BUFFER), 0);
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(context.destination);
      source.start((first + from) / RATE);
    }
    await until(() => context.currentTime > first / RATE + SECONDS + 0.1);
    const { snr, bad, why } = matchOf(await heard(null), SENT, 50);
    await context.close();
    expect(snr, String(why)).to.be.above(50);
    expect(bad).to.equal(null);
  });

  it('hears a speaker, sample by sample', async () => {
    const speaker = document.createElement('svc-speaker');
    speaker.jitterBuffer = 'fixed';
    speaker.jitterBufferTarget = 4000;
    speaker.sessionProvider = () => Promise.resolve(scriptUrl(gatewayUrl, speaking({ tone: 440, seconds: SECONDS })));
    document.body.append(speaker);
    await speaker.speak('Tone.').finished;
    // The recorder hands over its samples in blocks.
    await until(async () => (await heard(speaker)).samples.subarray(-0.05 * RATE).every((sample) => sample === 0));
    const { snr, bad, why } = matchOf(await heard(speaker), SENT, 70);
    speaker.remove();
    expect(snr, String(why)).to.be.above(70);
    expect(bad).to.equal(null);
  });

  it('marks the calls and the removal of a speaker', async () => {
    const { marks } = await window.svcSpeakerRecorder.read(null, {});
    expect(marks.map(({ name }) => name)).to.include.members(['speak', 'remove']);
  });

  itUnless(capture)('hears an <audio> element', async () => {
    const audio = makeAudio();
    await audio.play();
    const stretch = async () => {
      const { samples } = await heard(audio);
      const [longest] = sounds(samples, RATE).toSorted((a, b) => b.to - b.from - (a.to - a.from));
      return longest ? samples.subarray(longest.from, longest.to) : samples.subarray(0, 0);
    };
    // A busy browser loses some of the sound of a captured element.
    await until(async () => audio.ended && (await stretch()).length > 0.5 * RATE);
    const { pitch } = toneOf(await stretch(), RATE, 440);
    expect(pitch).to.be.closeTo(440, 1);
  });

  // The last test, because no later reading succeeds.
  it('reports that an <audio> element cannot be recorded without captureStream()', async () => {
    const { prototype } = HTMLMediaElement;
    const methods = CAPTURES.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const);
    for (const name of CAPTURES) Reflect.deleteProperty(prototype, name);
    const audio = makeAudio();
    await audio.play();
    const error = await window.svcSpeakerRecorder.read(null, {}).catch(String);
    audio.pause();
    for (const [name, method] of methods) if (method) Object.defineProperty(prototype, name, method);
    expect(error).to.match(/plays with <audio>, .* no captureStream\(\)/);
  });
});
