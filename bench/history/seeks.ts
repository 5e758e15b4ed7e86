/**
 * Simulates seeks in kept speech, from the page's call to the output: the real tape, ring and processor, with the
 * delays between their threads drawn at random. Nothing depends on the speed of the machine.
 */
import { openRingFeed } from '../../src/connection/ring-feed.js';
import { SpeechTape } from '../../src/connection/speech-tape.js';
import { createResampler, designResampler } from '../../src/dsp/index.js';
import {
  type FromProcessor,
  initRing,
  type MessagePortLike,
  ringBytes,
  ringCapacity,
  RingControl,
  type ToProcessor,
  type Transport,
} from '../../src/ring/index.js';
import { Random } from '../../src/testing/random.js';
import { FakeClock } from '../../test/unit/fake-clock.js';

/** How soon a seek took effect, in milliseconds after the call. */
export interface SeekTimes {
  /** Time from which the old place is no longer heard. */
  readonly silentMs: number;
  /** Time at which the sound of the new place begins. */
  readonly soundMs: number;
}

const RATE = 24_000;
const OUTPUT_RATE = 48_000;
const OUTPUT_PER_MS = OUTPUT_RATE / 1000;
const QUANTUM = 128;
const QUANTUM_MS = QUANTUM / OUTPUT_PER_MS;
/** Length of the kept speech: nearly three times what fits into the ring, so that most of it waits in the worker. */
const SPEECH_SECONDS = 120;
/** Speech after the target of a seek. Longer than the target delay, so that playback does not wait for more. */
const REST_SECONDS = 1;
const TARGET_DELAY_MS = 120;
/** Longest time that a message from one thread to another takes, in milliseconds. */
const DELIVERY_MS = 10;
/** Longest time until a seek has taken effect, in milliseconds. Otherwise the simulation fails. */
const LIMIT_MS = 500;
/** Number of output samples after which a ramp up is over, and number of samples that are compared after it. */
const RAMP = 5 * OUTPUT_PER_MS;
const COMPARED = 64;

const random = new Random(1);
const clock = new FakeClock();
const table = designResampler(RATE, OUTPUT_RATE);
const speech = Int16Array.from({ length: SPEECH_SECONDS * RATE }, () => random.below(2 ** 16) - 2 ** 15);

/** The global scope of the audio thread. */
const scope = Object.assign(globalThis, {
  AudioWorkletProcessor: class {
    readonly port = new Port();
  },
  sampleRate: OUTPUT_RATE,
  currentFrame: 0,
});
// Its module needs that scope.
const { SpeakerProcessor } = await import('../../worklet/speaker-processor.js');

/** An end of a channel. Messages to the other end arrive in order, each after a delay of at most `DELIVERY_MS`. */
class Port implements MessagePortLike {
  onmessage: ((event: { data: never }) => void) | null = null;
  #other: Port | null = null;
  #arrival = 0;

  /** Joins two ends. Returns the first. */
  static join(one: Port, other: Port): Port {
    one.#other = other;
    other.#other = one;
    return one;
  }

  postMessage(data: unknown): void {
    this.#arrival = Math.max(this.#arrival, clock.now() + random.uniform(0, DELIVERY_MS));
    clock.after(this.#arrival - clock.now(), () => this.#other?.onmessage?.({ data: data as never }));
  }

  close(): void {}
}

/** Seeks `count` times to a random place, each time after up to half a second of speech. */
export function simulateSeeks(transport: Transport, count: number): SeekTimes[] {
  const player = new SimulatedSpeaker(transport);
  return Array.from({ length: count }, () => {
    player.play(random.uniform(20, 500));
    return player.seek(random.below((SPEECH_SECONDS - REST_SECONDS) * RATE));
  });
}

/** A page, a worker that keeps `speech`, and an audio thread. */
class SimulatedSpeaker {
  readonly #tape = new SpeechTape(() => {});
  /** The page's end of its channel to the worker. It carries functions that the worker calls. */
  readonly #worker: Port;
  readonly #control: RingControl;
  readonly #processor: InstanceType<typeof SpeakerProcessor>;
  /** Time at which the next quantum is rendered. */
  #nextMs = clock.now();

  constructor(transport: Transport) {
    const capacity = ringCapacity(RATE);
    const memory = transport === 'shared' ? new SharedArrayBuffer(ringBytes(capacity)) : null;
    if (memory) initRing(memory, capacity, RATE);
    const node = new Port();
    const control = new RingControl(memory, RATE, (message) => node.postMessage(message));
    const { ring, owner, ...position } = control.claim(capacity);
    this.#control = control;
    this.#processor = new SpeakerProcessor({ processorOptions: { ring, owner, table } });
    const { port: nodePort } = this.#processor as unknown as { port: Port };
    Port.join(node, nodePort).onmessage = ({ data }: { data: FromProcessor }) => {
      if ('header' in data) control.mirror(data.header);
    };
    const processorPort = new Port();
    const port = Port.join(new Port(), processorPort);
    node.postMessage({ start: memory ? null : processorPort } satisfies ToProcessor);
    control.setTargetDelay(TARGET_DELAY_MS);

    const workerPort = new Port();
    workerPort.onmessage = ({ data: command }: { data: () => void }) => command();
    this.#worker = Port.join(new Port(), workerPort);
    this.#tape.setLimit(speech.length);
    this.#tape.attach(
      openRingFeed(
        memory
          ? { transport: 'shared', memory }
          : { transport: 'message', port: port as unknown as MessagePort, capacity, ...position },
        clock,
      ),
    );
    this.#tape.push(1, speech);
  }

  /** Renders at least `ms` milliseconds of output. */
  play(ms: number): Float32Array {
    const output = new Float32Array(Math.ceil(ms / QUANTUM_MS) * QUANTUM);
    for (let at = 0; at < output.length; at += QUANTUM) {
      clock.advance(this.#nextMs - clock.now());
      this.#processor.process([], [[output.subarray(at, at + QUANTUM)]]);
      scope.currentFrame += QUANTUM;
      this.#nextMs += QUANTUM_MS;
    }
    return output;
  }

  /** Seeks to sample `target`, at a random time between two quanta. */
  seek(target: number): SeekTimes {
    clock.advance(random.unit() * (this.#nextMs - clock.now()));
    const waitMs = this.#nextMs - clock.now();
    const mark = this.#control.seek();
    this.#worker.postMessage(() => this.#tape.seek(mark, { at: { serial: 1, sample: target } }, false));
    const output = this.play(LIMIT_MS);
    const begin = placeOf(soundFrom(target), output);
    const old = output.subarray(0, begin).findLastIndex((sample) => sample !== 0) + 1;
    return { silentMs: old === 0 ? 0 : waitMs + old / OUTPUT_PER_MS, soundMs: waitMs + begin / OUTPUT_PER_MS };
  }
}

/** Returns the first output samples of the speech from sample `target` on, without a ramp. */
function soundFrom(target: number): Float32Array {
  const resampler = createResampler(table, RATE);
  const output = new Float32Array(RAMP + COMPARED);
  resampler.push(speech, target, resampler.inputFor(output.length));
  resampler.pull(output, 0, output.length);
  return output;
}

/**
 * Returns the index in `output` at which `sound` begins. Its ramp is not compared.
 *
 * @throws {Error} If it does not contain that sound.
 */
function placeOf(sound: Float32Array, output: Float32Array): number {
  const after = sound.subarray(RAMP);
  for (let at = 0; at <= output.length - sound.length; at++) {
    if (after.every((sample, index) => output[at + RAMP + index] === sample)) return at;
  }
  throw new Error(`The target of a seek is not heard within ${LIMIT_MS} ms.`);
}
