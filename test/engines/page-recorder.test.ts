import { expect } from 'chai';
import { type Heard, matchOf } from '../../src/testing/analysis.js';
import { installPageRecorder } from '../../src/testing/page/page-recorder.js';
import { recorderSource } from '../../src/testing/recorder-sources.generated.js';
import { generatePcm } from '../../src/testing/pcm.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import type { Sound } from '../../src/testing/sound.js';
import { gatewayUrl } from '../setup/gateway-url.js';

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
});
