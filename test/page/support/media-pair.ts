import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { audioElement } from './audio-element.js';
import { exact } from './sound.js';
import { makeSpeaker, sessionUrl } from './speaker.js';

/** An element with the members and events of HTMLMediaElement that a speaker has. */
export type Media = HTMLAudioElement | SvcSpeakerElement;

/** Events of loading. A speaker loads nothing before it is played, unlike an audio element that has played once. */
const loading: readonly string[] = ['canplay', 'waiting'];

/** Events of a stall on a busy machine, from its start to its end. */
const stall: readonly string[] = ['waiting', 'canplay', 'playing'];

/**
 * Events that a speaker and an audio element both dispatch, in an order that HTML defines. `timeupdate`, `progress`,
 * `durationchange` and `loadedmetadata` are missing because they depend on time and network: on a busy machine, an audio
 * element may have its metadata before its `play` event is dispatched.
 */
export const comparable = [
  'emptied',
  'loadstart',
  'canplay',
  'play',
  'playing',
  'waiting',
  'pause',
  'seeking',
  'seeked',
  'ended',
  'volumechange',
  'ratechange',
] as const;

/** A media element that a test controls, with a journal of its events. */
export class Performer {
  readonly media: Media;
  /** Events with the state at that moment, and the results of `play()`, in order. */
  readonly journal: string[] = [];
  #unsettled = 0;
  #volumeChangesOwed = 0;
  /** Number of times that `src` was set, including the first. */
  #sources = 1;
  #lastEvent = '';
  /** True while it plays without interruption: a `waiting` event is then a stall. */
  #isFlowing = false;
  /** True from a stall until its `canplay`, which may be dispatched while it is paused. */
  #isStalled = false;

  constructor(media: Media) {
    this.media = media;
    media.addEventListener('timeupdate', () => (this.#lastEvent = 'timeupdate'));
    for (const type of comparable) {
      media.addEventListener(type, () => {
        if (this.#sources > 1 && loading.includes(type)) return;
        if (this.#isFlowing && type === 'waiting') this.#isStalled = true;
        const isEndOfStall = this.#isStalled && type === 'canplay';
        if (['canplay', 'seeking', 'emptied'].includes(type)) this.#isStalled = false;
        if (isEndOfStall || (this.#isFlowing && stall.includes(type))) return;
        this.#isFlowing = type === 'playing' || (this.#isFlowing && type.endsWith('change'));
        const after = type === 'pause' ? [`after ${this.#lastEvent}`] : [];
        this.note([type, ...this.#state(), ...after].join(' '));
        this.#lastEvent = type;
        if (type === 'volumechange') this.#volumeChangesOwed--;
      });
    }
  }

  #state(): string[] {
    const { paused, ended } = this.media;
    return [paused ? 'paused' : '', ended ? 'ended' : ''].filter(Boolean);
  }

  /** Adds an entry to the journal. */
  note(entry: string): void {
    this.journal.push(entry);
    this.media.dispatchEvent(new Event('noted'));
  }

  /** Waits until `count` entries of the journal begin with `entry`. */
  async until(entry: string, count = 1): Promise<void> {
    while (this.journal.filter((one) => one.split(' ')[0] === entry).length < count) await this.#more();
  }

  #more(): Promise<unknown> {
    return new Promise((resolve) => {
      this.media.addEventListener('noted', resolve, { once: true });
    });
  }

  /** Calls `play()`, and records its result. */
  play(): void {
    this.#unsettled++;
    const settle = (how: string): void => {
      this.#unsettled--;
      this.note(`play(): ${how}`);
    };
    this.media.play().then(
      () => settle('resolved'),
      (error: Error) => settle(error.name),
    );
  }

  pause(): void {
    this.media.pause();
  }

  setVolume(volume: number): void {
    if (volume !== this.media.volume) this.#volumeChangesOwed++;
    this.media.volume = volume;
  }

  setMuted(muted: boolean): void {
    if (muted !== this.media.muted) this.#volumeChangesOwed++;
    this.media.muted = muted;
  }

  /** Sets `src` to its current value, which is another source according to HTML. */
  setSource(): void {
    this.#sources++;
    this.media.setAttribute('src', this.media.getAttribute('src')!);
  }

  /**
   * Resolves when every promise of `play()` is settled and every event is dispatched. The last event is for the volume.
   */
  async settled(): Promise<void> {
    await this.until('loadstart', this.#sources);
    while (this.#unsettled > 0) await this.#more();
    this.setVolume(this.media.volume === 1 ? 0.9 : 1);
    while (this.#volumeChangesOwed > 0) await this.#more();
  }

  /** Properties whose values must be equal. */
  get reading(): object {
    const { paused, ended, muted, volume, playbackRate, defaultPlaybackRate, error } = this.media;
    return { paused, ended, muted, volume, playbackRate, defaultPlaybackRate, error };
  }
}

/**
 * Creates an audio element and a speaker that play the same sound from their `src`. Resolves after their first
 * `loadstart`.
 */
export async function mediaPair(seconds: number): Promise<[Performer, Performer]> {
  const audio = audioElement(seconds);
  const src = sessionUrl(speaking({ tone: 440, seconds }));
  const speaker = makeSpeaker({ ...exact, src, text: 'Tone.' });
  const pair: [Performer, Performer] = [new Performer(audio), new Performer(speaker)];
  await Promise.all(pair.map((performer) => performer.until('loadstart')));
  return pair;
}
