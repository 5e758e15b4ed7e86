import type { ElementHandle, Locator, Page, TestInfo } from '@playwright/test';
import { type Heard, type Range, soundOf } from './heard.js';
import type { PageCounts, RecordedContext } from './page-recording.js';
import { SourceLog } from './source-log.js';
import type { Sound } from './sound.js';
import { encodeWav } from './wav.js';
import { type Colour, drawWaveform } from './waveform.js';

/** Background of faults in a picture. */
const WRONG: Colour = [245, 130, 120];

/** Seconds of a recording in one row of its picture. */
const ROW_SECONDS = 2;

/** A named moment in a recording. */
export interface Mark {
  /**
   * `click` or `keydown` of the user; a call of the speaker (`play pause speak cancel close duck unduck`) or its
   * `remove`; `word: Hello` for a `word` event; or the name passed to `Recording.mark`.
   */
  readonly name: string;
  /** Index into the samples; may be out of range. */
  readonly at: number;
}

/** The sound of a page so far. */
export interface RecordedSound extends Heard {
  /** Time at which the first sample was rendered, in milliseconds since the epoch; precise to about 10 ms. */
  readonly startedAt: number;
  /** Time from the recorder to the listener, in seconds; an estimate where the browser does not report it. */
  readonly outputLatency: number;
  /** In chronological order. */
  readonly marks: readonly Mark[];
}

/** Knows the speech that was sent: the gateway, for example. */
export interface SpeechSource {
  /** Returns all audio sent so far, in order. */
  sent(): Sound;
  /** Returns the beginnings of the words in it whose times were reported, in seconds. */
  wordStarts?(): readonly number[];
}

/** A continuous recording of a page's sound. Created by `record` or `gateway.record`. */
export class Recording {
  readonly #source: SpeechSource | null;
  readonly #page: Page;
  readonly #speaker: ElementHandle | null;
  /** Logs by source id. */
  readonly #logs = new Map<number, SourceLog>();

  /** @internal */
  constructor(page: Page, speaker: ElementHandle | null, source: SpeechSource | null) {
    this.#page = page;
    this.#speaker = speaker;
    this.#source = source;
  }

  /** Speech sent so far; null if there is none or it is unknown. */
  get sent(): Sound | null {
    const sent = this.#source?.sent();
    return sent && sent.samples.length > 0 ? sent : null;
  }

  /** Beginnings in `sent` of the words whose times were reported, in seconds. */
  get wordStarts(): readonly number[] {
    return this.#source?.wordStarts?.() ?? [];
  }

  /** Marks the current moment, for measuring time from it. */
  async mark(name: string): Promise<void> {
    await this.#page.evaluate((what) => window.svcSpeakerRecorder.mark(what), name);
  }

  /**
   * Returns all sound since the recording began, in one piece. Time in which a context is suspended is not included.
   * Later reads may share the samples: modify only a copy.
   *
   * @throws {Error} If the sound has several sample rates, or was played by a media element that cannot be recorded.
   */
  async read(): Promise<RecordedSound> {
    const had = Object.fromEntries([...this.#logs].map(([id, { pieces }]) => [id, pieces]));
    const { contexts, sources, marks } = await this.#page.evaluate(
      ({ speaker, had: have }) => window.svcSpeakerRecorder.read(speaker as Element | null, have),
      { speaker: this.#speaker, had },
    );
    for (const source of sources) {
      const { from } = contexts.find(({ id }) => id === source.context)!;
      const log = this.#logs.get(source.id) ?? new SourceLog(from);
      this.#logs.set(source.id, log);
      log.append(source, had[source.id] ?? 0);
    }
    // Ignore contexts without sound, unless there are no others.
    const used = contexts.filter(({ id }) => sources.some((source) => source.context === id));
    const [first, ...others] = (used.length > 0 ? used : contexts.slice(-1)).toSorted(
      (a, b) => startOf(a) - startOf(b),
    );
    if (!first) {
      const early = marks.map(({ name }) => ({ name, at: 0 }));
      return { samples: new Float32Array(0), sampleRate: 48_000, startedAt: 0, outputLatency: 0, marks: early };
    }
    const { sampleRate } = first;
    const other = others.find((context) => context.sampleRate !== sampleRate);
    if (other) {
      throw new Error(
        `The page played at ${sampleRate} and at ${other.sampleRate} Hz: set the fixture contextSampleRate, as in ` +
          'test.use({ contextSampleRate: 48000 }).',
      );
    }
    /** Returns the index in the recording of a context's frame. */
    const place = (context: RecordedContext, frame: number): number =>
      Math.round(((startOf(context) - startOf(first)) / 1000) * sampleRate) + frame - context.from;
    const parts = sources.map(({ id, context: contextId }) => {
      const context = contexts.find((candidate) => candidate.id === contextId)!;
      return { from: place(context, context.from), channels: this.#logs.get(id)!.channels };
    });
    const length = Math.max(0, ...[first, ...others].map((context) => place(context, context.to)));
    const placed = marks.map(({ name, frames }) => {
      // Use the last context that existed then. Before the first one, no sound was played.
      const context = [first, ...others].findLast(({ id }) => frames[id] !== undefined);
      return { name, at: context ? place(context, frames[context.id]!) : 0 };
    });
    const { outputLatency } = first;
    return { ...mixOf(parts, length), sampleRate, startedAt: startOf(first), outputLatency, marks: placed };
  }

  /** Attaches the sound so far to the report of a test, as a WAV file and as a picture of its waveform. */
  async attach(testInfo: TestInfo, name: string = 'heard', wrong: readonly Range[] = []): Promise<void> {
    await attachSound(testInfo, name, await this.read(), wrong);
  }
}

/**
 * Starts to record a speaker, from its gain to the destination; for a page, all audible sound.
 *
 * @param what - A page, or an existing `<svc-speaker>` or other media element.
 * @param source - Knows the speech that was sent; `gateway.record` passes the gateway.
 */
export async function record(what: Locator | Page, source: SpeechSource | null = null): Promise<Recording> {
  const page = 'goto' in what ? what : what.page();
  const speaker = 'goto' in what ? null : await what.elementHandle();
  const there = await page.evaluate(async () => {
    if (!('svcSpeakerRecorder' in window)) return false;
    await window.svcSpeakerRecorder.start();
    return true;
  });
  if (!there) {
    throw new Error(
      'The page has no recorder: take test from svc-speaker/testing.js, and open the page in its page or context ' +
        'before it is recorded.',
    );
  }
  return new Recording(page, speaker, source);
}

/** Returns the page's open audio contexts and workers. `gateway.sockets()` counts sockets. */
export function countLeft(page: Page): Promise<PageCounts> {
  return page.evaluate(() => window.svcSpeakerRecorder.count());
}

/** Blocks the page's main thread, like a page that renders too much. Resolves when the time is over. */
export async function blockMainThread(page: Page, ms: number): Promise<void> {
  await page.evaluate((duration) => {
    for (const until = performance.now() + duration; performance.now() < until;);
  }, ms);
}

/** @param wrong - Ranges to colour in the picture. Short ones get a flag. */
export async function attachSound(
  testInfo: TestInfo,
  name: string,
  heard: RecordedSound,
  wrong: readonly Range[],
): Promise<void> {
  const { samples, channels, sampleRate, marks } = heard;
  const { to } = soundOf(heard);
  const end = Math.min(samples.length, Math.max(to, ...wrong.map((range) => range.to)) + 0.2 * sampleRate);
  const stretches = wrong.map(({ from, to: until }) => ({ from, to: until, colour: WRONG }));
  const view = {
    from: 0,
    to: Math.max(1, Math.round(end)),
    rowSamples: ROW_SECONDS * sampleRate,
    rowHeight: 120,
    axis: { sampleRate, marks },
  };
  const body = encodeWav(samples, sampleRate, channels);
  await testInfo.attach(`${name}.wav`, { body, contentType: 'audio/wav' });
  await testInfo.attach(`${name}.png`, { body: drawWaveform(samples, stretches, view), contentType: 'image/png' });
}

/** Returns when the recording of a context began, in milliseconds since the epoch. */
function startOf({ epoch, from, sampleRate }: RecordedContext): number {
  return epoch + (from / sampleRate) * 1000;
}

/** A part of a recording: its offset in samples, and one or two channels. */
interface Part {
  readonly from: number;
  readonly channels: readonly Float32Array[];
}

/** Returns the sum of parts. If one is stereo, the sum is stereo, and `samples` is the mean of both channels. */
function mixOf(parts: readonly Part[], length: number): Pick<RecordedSound, 'samples' | 'channels'> {
  const end = parts.reduce((most, { from, channels }) => Math.max(most, from + channels[0]!.length), length);
  const isStereo = parts.some(({ channels }) => channels.length > 1);
  const [left, right] = (isStereo ? [0, 1] : [0]).map((index) => {
    const mix = new Float32Array(end);
    for (const { from, channels } of parts) {
      const samples = channels[index] ?? channels[0]!;
      for (let i = Math.max(0, -from); i < samples.length; i++) mix[from + i]! += samples[i]!;
    }
    return mix;
  });
  if (!right) return { samples: left! };
  return { samples: left!.map((sample, i) => (sample + right[i]!) / 2), channels: [left!, right] };
}
