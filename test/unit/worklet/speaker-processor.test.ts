import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { designResampler } from '../../../src/dsp/index.js';
import {
  type FromProcessor,
  type FromWorklet,
  MarkKind,
  RingControl,
  type ToWorklet,
} from '../../../src/ring/index.js';
import type { SpeakerProcessor } from '../../../worklet/speaker-processor.js';

const RATE = 24000;
const QUANTUM = 128;
/** Number of samples in the ring of the processor. */
const CAPACITY = 2 ** 18;
/** Names that an audio thread defines. */
const NAMES = ['AudioWorkletProcessor', 'sampleRate', 'currentFrame'] as const;

/** The worker's port, or the main thread's. */
class FakePort {
  readonly posted: unknown[] = [];
  onmessage: ((event: { data: never }) => void) | null = null;

  postMessage(message: unknown): void {
    this.posted.push(message);
  }

  close(): void {}
}

describe('SpeakerProcessor on the message transport', () => {
  const scope = globalThis as Record<string, unknown>;
  const saved = NAMES.map((name) => Object.getOwnPropertyDescriptor(scope, name));
  let Processor: typeof SpeakerProcessor;

  before(async () => {
    scope['AudioWorkletProcessor'] = class {
      readonly port = new FakePort();
    };
    scope['sampleRate'] = RATE;
    scope['currentFrame'] = 0;
    ({ SpeakerProcessor: Processor } = await import('../../../worklet/speaker-processor.js'));
  });
  after(() => {
    NAMES.forEach((name, index) => {
      delete scope[name];
      if (saved[index]) Object.defineProperty(scope, name, saved[index]);
    });
  });

  /** Makes a processor that plays from a full ring. */
  function playing() {
    const worker = new FakePort();
    const control = new RingControl(null, RATE, (data) => toProcessor(data));
    const { ring, owner } = control.claim(CAPACITY);
    const processor = new Processor({ processorOptions: { ring, owner, table: designResampler(RATE, RATE) } });
    const toProcessor = (data: unknown): void => processor.port.onmessage!({ data } as MessageEvent);
    toProcessor({ start: worker });
    const post = (data: ToWorklet): void => worker.onmessage!({ data: data as never });
    const block = new Float32Array(QUANTUM);
    post({ mark: MarkKind.start, serial: 1 });
    post({ samples: new Int16Array(CAPACITY).fill(1000) });
    return {
      control,
      post,
      /** Messages to the main thread. */
      posted: (processor.port as unknown as FakePort).posted as FromProcessor[],
      /** Plays until the worker gets a report, or for a number of quanta. Returns the report. */
      untilReport(quanta: number): FromWorklet | undefined {
        const count = worker.posted.length;
        for (let i = 0; i < quanta && worker.posted.length === count; i++) {
          processor.process([], [[block]]);
          scope['currentFrame'] = (scope['currentFrame'] as number) + QUANTUM;
        }
        return worker.posted[count] as FromWorklet | undefined;
      },
    };
  }

  /** Number of quanta of a ramp of 5 ms, and of the report that follows. */
  const SOON = Math.ceil((0.005 * RATE) / QUANTUM) + 2;

  it('reports the space of skipped speech at once after a seek', () => {
    const { control, post, untilReport } = playing();
    assert.ok(untilReport(RATE / QUANTUM), 'it plays');
    assert.equal(untilReport(SOON), undefined, 'it reports rarely');
    post({ mark: MarkKind.seek, serial: control.seek() });
    assert.equal(untilReport(SOON)?.read, CAPACITY);
  });

  it('reports the space of cancelled speech at once', () => {
    const { control, untilReport } = playing();
    assert.ok(untilReport(RATE / QUANTUM), 'it plays');
    control.cancel([1]);
    assert.equal(untilReport(SOON)?.read, CAPACITY);
  });

  it('reports the position before the event that happened there', () => {
    const { control, posted, untilReport } = playing();
    const stalls = (message: FromProcessor): boolean => 'event' in message && message.event === 'stalled';
    while (!posted.some(stalls)) untilReport(1);
    for (const message of posted.slice(0, posted.findIndex(stalls))) {
      if ('header' in message) control.mirror(message.header);
    }
    const { playedSamples, bufferedSamples } = control.stats();
    // The last samples have not played: the concealment of a gap begins with them.
    assert.equal(playedSamples + bufferedSamples, CAPACITY);
    assert.ok(bufferedSamples < 0.02 * RATE, `${bufferedSamples} samples are kept`);
  });
});
