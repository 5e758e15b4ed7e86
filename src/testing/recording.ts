import type { ElementHandle, Locator, Page, TestInfo } from '@playwright/test';
import { type Heard, type Range, soundOf } from './analysis.js';
import type { PageCounts, RecordedSource } from './page-recorder.js';
import { SampleLog } from './sample-log.js';
import type { Sound } from './sound.js';
import { encodeWav } from './wav.js';
import { type Colour, drawWaveform } from './waveform.js';

/** Behind what is wrong in a picture. */
const WRONG: Colour = [245, 130, 120];

/** Seconds of a recording in one row of its picture. */
const ROW_SECONDS = 2;

/** An instant in a recording. */
export interface Mark {
  /** `click` and `keydown` of the user; `play pause speak cancel close remove` of the speaker; or of `Recording.mark`. */
  readonly name: string;
  /** As an index into the samples; it may be outside of them. */
  readonly at: number;
}

/** What was heard so far. */
export interface RecordedSound extends Heard {
  /** When the first sample was rendered, in milliseconds since the epoch; to some 10 ms. */
  readonly startedAt: number;
  /** In order. */
  readonly marks: readonly Mark[];
}

/** Where speech comes from: the gateway, or whatever else knows what was sent. */
export interface SpeechSource {
  /** All audio that was sent so far, in order. */
  sent(): Sound;
}

/** What a page plays, as it goes on. Made by `record` or `gateway.record`. */
export class Recording {
  readonly #source: SpeechSource | null;
  readonly #page: Page;
  readonly #speaker: ElementHandle | null;
  /** By source. */
  readonly #read = new Map<number, SampleLog>();

  /** @internal */
  constructor(page: Page, speaker: ElementHandle | null, source: SpeechSource | null) {
    this.#page = page;
    this.#speaker = speaker;
    this.#source = source;
  }

  /** What was sent so far; null if that is nothing, or not known. */
  get sent(): Sound | null {
    const sent = this.#source?.sent();
    return sent && sent.samples.length > 0 ? sent : null;
  }

  /** Notes an instant, to time from. */
  async mark(name: string): Promise<void> {
    await this.#page.evaluate((what) => window.svcSpeakerRecorder.mark(what), name);
  }

  /**
   * Everything that was played since the recording began, in one piece. What a context does not render while it is
   * suspended is not in it. Its samples are those of later looks, too: change a copy.
   *
   * @throws {Error} If it was played at several rates.
   */
  async read(): Promise<RecordedSound> {
    const had = Object.fromEntries([...this.#read].map(([id, { length }]) => [id, length]));
    const { sources, marks } = await this.#page.evaluate(
      ({ speaker, had: have }) => window.svcSpeakerRecorder.read(speaker as Element | null, have),
      { speaker: this.#speaker, had },
    );
    for (const { id, samples } of sources) {
      const log = this.#read.get(id) ?? new SampleLog();
      this.#read.set(id, log);
      // Another look at the same time may have brought some of them.
      log.append(floatsOf(samples).subarray(log.length - (had[id] ?? 0)));
    }
    const [first, ...others] = sources.toSorted((a, b) => a.at - b.at);
    if (!first) {
      const early = marks.map(({ name }) => ({ name, at: 0 }));
      return { samples: new Float32Array(0), sampleRate: 48_000, startedAt: 0, marks: early };
    }
    const { sampleRate } = first;
    const other = others.find((source) => source.sampleRate !== sampleRate);
    if (other) {
      throw new Error(
        `The page played at ${sampleRate} and at ${other.sampleRate} Hz: set the fixture contextSampleRate, as in ` +
          'test.use({ contextSampleRate: 48000 }).',
      );
    }
    /** Where a frame of a source's context is. */
    const place = (source: RecordedSource, frame: number): number =>
      source.context === first.context
        ? frame - first.firstFrame
        : Math.round(((source.at - first.at) / 1000) * sampleRate) + frame - source.firstFrame;
    const parts = [first, ...others].map((source) => ({
      from: place(source, source.firstFrame),
      samples: this.#read.get(source.id)!.samples,
    }));
    const placed = marks.map(({ name, frames }) => {
      // The context that ran then, the last one of several; before the first one, nothing was heard yet.
      const source = sources.findLast(({ context }) => frames[context] !== undefined);
      return { name, at: source ? place(source, frames[source.context]!) : 0 };
    });
    return { samples: mixOf(parts), sampleRate, startedAt: first.at, marks: placed };
  }

  /** Puts what was heard so far into the report of a test: as a WAV file, and as a picture of its waveform. */
  async attach(testInfo: TestInfo, name: string = 'heard', wrong: readonly Range[] = []): Promise<void> {
    await attachSound(testInfo, name, await this.read(), wrong);
  }
}

/**
 * Begins to record a speaker, from its gain to the destination; or, of a page, all that is heard.
 *
 * @param what - A `<svc-speaker>`, which is there already; or a page.
 * @param source - What knows what was sent; `gateway.record` gives the gateway.
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

/** Audio contexts and workers that the page has now; sockets are counted by `gateway.sockets()`. */
export function countLeft(page: Page): Promise<PageCounts> {
  return page.evaluate(() => window.svcSpeakerRecorder.count());
}

/** Keeps the page's main thread busy, as a page that renders too much does. Resolves when it is over. */
export async function blockMainThread(page: Page, ms: number): Promise<void> {
  await page.evaluate((duration) => {
    for (const until = performance.now() + duration; performance.now() < until;);
  }, ms);
}

/** @param wrong - Coloured in the picture. */
export async function attachSound(
  testInfo: TestInfo,
  name: string,
  heard: Heard,
  wrong: readonly Range[],
): Promise<void> {
  const { samples, sampleRate } = heard;
  const { to } = soundOf(heard);
  const end = Math.min(samples.length, Math.max(to, ...wrong.map((range) => range.to)) + 0.2 * sampleRate);
  const stretches = wrong.map(({ from, to: until }) => ({ from, to: until, colour: WRONG }));
  const view = { from: 0, to: Math.max(1, Math.round(end)), rowSamples: ROW_SECONDS * sampleRate, rowHeight: 120 };
  await testInfo.attach(`${name}.wav`, { body: encodeWav(samples, sampleRate), contentType: 'audio/wav' });
  await testInfo.attach(`${name}.png`, { body: drawWaveform(samples, stretches, view), contentType: 'image/png' });
}

/** The sum of what begins at different places; a single part, which begins at 0, is not copied. */
function mixOf(parts: readonly { readonly from: number; readonly samples: Float32Array }[]): Float32Array {
  const [only, ...others] = parts;
  if (only && others.length === 0) return only.samples;
  const mix = new Float32Array(parts.reduce((most, part) => Math.max(most, part.from + part.samples.length), 0));
  for (const { from, samples } of parts) {
    for (let i = 0; i < samples.length; i++) mix[from + i]! += samples[i]!;
  }
  return mix;
}

function floatsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  const samples = new Float32Array(bytes.length / 4);
  new Uint8Array(samples.buffer).set(bytes);
  return samples;
}
