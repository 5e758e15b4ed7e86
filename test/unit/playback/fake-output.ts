import type { PlaybackNode, PlaybackOutput } from '../../../src/playback/index.js';
import { type PlayoutEvent, PlayoutState, type PlayoutStats } from '../../../src/ring/index.js';

/** A line that plays nothing: the test says what its audio thread tells. */
export class FakeLine implements PlaybackNode {
  readonly sampleRate: number;
  readonly transport = 'shared';
  ring: PlaybackNode['ring'] = { transport: 'shared', memory: new SharedArrayBuffer(8) };
  readonly cancelled: number[] = [];
  paused = false;
  closed = false;
  /** How often it was told that the page has changed something. */
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

  /** The audio thread tells something that happens at context time `at`. */
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

/** An output whose time stands still unless the test moves it. */
export class FakeOutput implements PlaybackOutput {
  readonly backend = 'native';
  readonly sampleRate = 48000;
  currentTime = 10;
  /** 30 ms to the ear. */
  latency = 0.03;
  playbackStats: PlaybackOutput['playbackStats'];
  readonly lines: FakeLine[] = [];
  ready: Promise<void> = Promise.resolve();
  busy = false;
  closed = false;
  /** What `unlock` answers. */
  unlocked: boolean | Promise<boolean> = true;
  /** Opening a line waits for it; a rejection is the line's. */
  opening: Promise<void> = Promise.resolve();
  #onUnlock: (() => void)[] = [];

  async unlock(): Promise<boolean> {
    return this.unlocked;
  }

  onUnlock(callback: () => void): void {
    this.#onUnlock.push(callback);
  }

  /** The user touches the page. */
  gesture(): void {
    this.unlocked = true;
    for (const callback of this.#onUnlock.splice(0)) callback();
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
  }

  async openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<FakeLine> {
    await this.opening;
    const line = new FakeLine(sampleRate, onEvent);
    this.lines.push(line);
    return line;
  }

  /** How often it has moved. */
  moves = 0;
  /** What the line's ring is after the next move. */
  nextRing: PlaybackNode['ring'] | undefined;
  /** Moving waits for it; a rejection is the move's. */
  moving: Promise<void> = Promise.resolve();

  async move(): Promise<void> {
    this.moves++;
    await this.moving;
    const line = this.lines.at(-1);
    if (line && this.nextRing) line.ring = this.nextRing;
  }

  capture(): unknown {
    return this;
  }

  close(): void {
    this.closed = true;
    this.busy = false;
  }
}
