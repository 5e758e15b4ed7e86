import type { PlaybackNode, PlaybackOutput } from '../../../src/playback/index.js';
import { type PlayoutEvent, PlayoutState, type PlayoutStats } from '../../../src/ring/index.js';

/** A playback node that plays nothing. The test emits the events of its audio thread. */
export class FakeNode implements PlaybackNode {
  readonly sampleRate: number;
  readonly transport = 'shared';
  ring: PlaybackNode['ring'] = { transport: 'shared', memory: new SharedArrayBuffer(8) };
  readonly cancelled: number[] = [];
  paused = false;
  closed = false;
  /** Number of calls of `update`. */
  updates = 0;
  counted: { -readonly [Name in keyof PlayoutStats]: PlayoutStats[Name] } = {
    state: PlayoutState.playing,
    bufferedSamples: 0,
    emittedSamples: 0,
    playedSamples: 0,
    emittedAt: 0,
    pace: 1,
    jitterBufferDelay: 0,
    jitterBufferTargetDelay: 0,
    concealedSamples: 0,
    silentConcealedSamples: 0,
    insertedSamples: 0,
    removedSamples: 0,
    underruns: 0,
  };
  #origin = 0;
  readonly #emit: (event: PlayoutEvent) => void;

  constructor(sampleRate: number, emit: (event: PlayoutEvent) => void) {
    this.sampleRate = sampleRate;
    this.#emit = emit;
  }

  /** Emits an event of the audio thread. Its `at` is the context time, in seconds, at which it happens. */
  tell(event: PlayoutEvent): void {
    this.#emit(event);
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
  }

  update(): void {
    this.updates++;
  }

  cancel(serials: readonly number[]): void {
    this.cancelled.push(...serials);
  }

  seeks = 0;

  seek(): number {
    this.#origin = this.counted.emittedSamples;
    return ++this.seeks;
  }

  stats(): PlayoutStats {
    return { ...this.counted, playedSamples: this.counted.emittedSamples - this.#origin };
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

/** An output whose `currentTime` changes only when the test sets it. */
export class FakeOutput implements PlaybackOutput {
  readonly backend = 'native';
  readonly sampleRate = 48000;
  currentTime = 10;
  /** Output latency, in seconds. */
  latency = 0.03;
  playbackStats: PlaybackOutput['playbackStats'];
  readonly nodes: FakeNode[] = [];
  ready: Promise<void> = Promise.resolve();
  busy = false;
  closed = false;
  isAllowed = false;
  /** Result of `unlock`. */
  unlocked: boolean | Promise<boolean> = true;
  /** Delays `openNode` until it resolves. A rejection makes `openNode` fail. */
  opening: Promise<void> = Promise.resolve();
  #onUnlock: (() => void)[] = [];

  async unlock(): Promise<boolean> {
    return this.unlocked;
  }

  onUnlock(callback: () => void): void {
    this.#onUnlock.push(callback);
  }

  /** Simulates a gesture of the user, which unlocks the output. */
  gesture(): void {
    this.unlocked = true;
    for (const callback of this.#onUnlock.splice(0)) callback();
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
  }

  async openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<FakeNode> {
    await this.opening;
    const node = new FakeNode(sampleRate, onEvent);
    this.nodes.push(node);
    return node;
  }

  /** Number of calls of `move`. */
  moves = 0;
  /** Ring of the audio node after the next move. */
  nextRing: PlaybackNode['ring'] | undefined;
  /** Delays `move` until it resolves. A rejection makes `move` fail. */
  moving: Promise<void> = Promise.resolve();

  /** True if the output that the page wants is the present one. */
  stays = false;

  async move(onLeave: () => void): Promise<void> {
    this.moves++;
    await this.moving;
    if (!this.stays) onLeave();
    const node = this.nodes.at(-1);
    if (node && this.nextRing) node.ring = this.nextRing;
  }

  capture(): unknown {
    return this;
  }

  close(): void {
    this.closed = true;
    this.busy = false;
  }
}
