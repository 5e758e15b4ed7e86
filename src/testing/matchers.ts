import { expect as base, test } from '@playwright/test';
import { clicksOf, gapsOf, type Heard, matchOf, type Range, soundOf } from './analysis.js';
import { epochNow } from './epoch-now.js';
import type { Gateway } from './gateway.js';
import { attachSound, type RecordedSound, type Recording } from './recording.js';
import type { Sound } from './sound.js';

/** What a matcher answers. */
interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What is wrong, where, and how it is called. */
interface Finding {
  readonly range: Range;
  readonly what: string;
}

/** Beyond what it takes to play it, in milliseconds. */
const PATIENCE_MS = 10_000;

/** After so much silence, what was to be heard is over. */
const OVER_SECONDS = 0.3;

/** Between two looks at a recording, in milliseconds. */
const LOOK_MS = 100;

/** What `toHavePlayed` takes. */
export interface PlayedOptions {
  /** From the first audible sample to the last. */
  readonly seconds: number;
  /**
   * By how much that may differ, in seconds. If left out, 0.05 s less or more, and a tenth of it more, since a jitter buffer
   * that adapts draws speech out rather than break off.
   */
  readonly tolerance?: number;
  /** How long it is waited for, in milliseconds; 10 s more than it takes if left out. */
  readonly timeout?: number;
}

/** What `toHaveNoGaps` takes. */
export interface GapOptions {
  /** Shorter silence is no gap, in milliseconds; 5 if left out. */
  readonly minMs?: number;
}

/** What `toBeSilentWithin` takes. */
export interface SilentOptions {
  /** From which mark on; from the last one of `click pause cancel close remove` if left out. */
  readonly after?: string;
}

/** What `toMatchAudio` takes. */
export interface MatchOptions {
  /** The least signal-to-noise ratio, in dB; 40 if left out. */
  readonly snr?: number;
  /** How loud it is to be, to 1 %, relative to what was sent; any if left out. */
  readonly gain?: number;
}

/**
 * Playwright's `expect`, with matchers for what was heard. Each of them waits for what it needs; those that fail say where,
 * in seconds from the beginning of the recording, and put a WAV file and a picture of it into the report.
 */
export const expect = base.extend({
  /** Waits until so much sound has been played, and then silence. */
  async toHavePlayed(recording: Recording, { seconds, tolerance, timeout }: PlayedOptions): Promise<Verdict> {
    const until = performance.now() + (timeout ?? seconds * 1000 + PATIENCE_MS);
    const least = seconds - (tolerance ?? 0.05);
    const most = seconds + (tolerance ?? 0.05 + 0.1 * seconds);
    let heard = await recording.read();
    while (performance.now() < until && !isOver(heard, least)) {
      await pause(LOOK_MS);
      heard = await recording.read();
    }
    const sound = soundOf(heard);
    const played = (sound.to - sound.from) / heard.sampleRate;
    const pass = played >= least && played <= most;
    const missing = seconds - played;
    const difference = `${Math.abs(missing).toFixed(3)} s ${missing > 0 ? 'are missing' : 'are too many'}`;
    return verdict(this.isNot, pass, 'toHavePlayed', heard, [
      {
        range: missing > 0 ? { from: sound.to, to: sound.to + missing * heard.sampleRate } : sound,
        what:
          played === 0
            ? `Nothing was heard in ${(heard.samples.length / heard.sampleRate).toFixed(2)} s of recording.`
            : `${played.toFixed(3)} s were heard, from ${at(heard, sound.from)} to ${at(heard, sound.to)}; ` +
              `expected ${seconds} s: ${difference}.`,
      },
    ]);
  },

  /** No silence is in what was heard so far but that which was sent. */
  async toHaveNoGaps(recording: Recording, { minMs = 5 }: GapOptions = {}): Promise<Verdict> {
    const heard = await recording.read();
    const gaps = gapsOf(heard, recording.sent, minMs / 1000);
    return verdict(
      this.isNot,
      gaps.length === 0,
      'toHaveNoGaps',
      heard,
      gaps.map((range) => ({ range, what: `A gap of ${lasting(heard, range)} at ${at(heard, range.from)}.` })),
    );
  },

  /** No sudden step is in what was heard so far. */
  async toHaveNoClicks(recording: Recording): Promise<Verdict> {
    const heard = await recording.read();
    const clicks = clicksOf(heard, recording.sent);
    return verdict(
      this.isNot,
      clicks.length === 0,
      'toHaveNoClicks',
      heard,
      clicks.map(({ at: sample, db }) => ({
        range: { from: sample, to: sample + 1 },
        what: `A click at ${at(heard, sample)}, ${db.toFixed(0)} dB above what was sent.`,
      })),
    );
  },

  /** Waits for `OVER_SECONDS` after so many milliseconds, which must be silent. */
  async toBeSilentWithin(recording: Recording, ms: number, { after }: SilentOptions = {}): Promise<Verdict> {
    const until = performance.now() + ms + PATIENCE_MS;
    const named = after === undefined ? ['click', 'pause', 'cancel', 'close', 'remove'] : [after];
    const find = ({ marks }: RecordedSound) => marks.findLast(({ name }) => named.includes(name));
    let heard = await recording.read();
    const mark = find(heard);
    if (!mark) {
      throw new Error(
        `Since the recording began there was no ${named.join(', ')} to time from: call recording.mark('stop') before ` +
          "what should make silence, and toBeSilentWithin(ms, { after: 'stop' }).",
      );
    }
    const isEnough = ({ samples, sampleRate }: RecordedSound) =>
      samples.length >= mark.at + (ms / 1000 + OVER_SECONDS) * sampleRate;
    let before = -1;
    const settled = performance.now() + ms + OVER_SECONDS * 1000;
    // A context that is suspended renders no more: that is silence, too.
    while (
      performance.now() < until &&
      !isEnough(heard) &&
      (heard.samples.length !== before || performance.now() < settled)
    ) {
      before = heard.samples.length;
      await pause(OVER_SECONDS * 1000);
      heard = await recording.read();
    }
    const sound = soundOf(heard);
    // What was stopped before its first sound was silent at once.
    const late = sound.to > sound.from ? ((sound.to - mark.at) / heard.sampleRate) * 1000 : 0;
    return verdict(this.isNot, late <= ms, 'toBeSilentWithin', heard, [
      {
        range: { from: Math.max(0, mark.at), to: sound.to },
        what:
          `Sound goes on for ${late.toFixed(0)} ms after ${mark.name} at ${at(heard, mark.at)}, ` +
          `until ${at(heard, sound.to)}; expected ${ms} ms at most.`,
      },
    ]);
  },

  /** What was heard so far is `reference`, sample by sample, however loud. The jitter buffer has to be `fixed`. */
  async toMatchAudio(recording: Recording, reference: Sound, { snr = 40, gain }: MatchOptions = {}): Promise<Verdict> {
    const heard = await recording.read();
    if (soundOf(heard).from === heard.samples.length) {
      return verdict(this.isNot, false, 'toMatchAudio', heard, [{ range: soundOf(heard), what: 'Nothing was heard.' }]);
    }
    const match = matchOf(heard, reference, snr);
    const { bad, pitch } = match;
    const wrongPitch = Math.abs(pitch - 1) > 0.02 ? ` Its pitch is ${pitch.toFixed(3)} times what was sent.` : '';
    const where = bad ? `It differs from ${at(heard, bad.from)} on.` : '';
    const isLoud = gain === undefined || Math.abs(match.gain - gain) <= 0.01 * gain;
    const loudness = isLoud ? '' : ` It is ${match.gain.toFixed(3)} times as loud; expected ${gain}.`;
    return verdict(this.isNot, match.snr >= snr && isLoud, 'toMatchAudio', heard, [
      {
        range: bad ?? soundOf(heard),
        what: `The signal-to-noise ratio is ${match.snr.toFixed(1)} dB; expected ${snr} dB. ${where}${wrongPitch}${loudness}`,
      },
    ]);
  },

  /** Waits until every socket that the gateway had is closed; none may have stayed open for longer after its last frame. */
  async toHaveClosedSockets(gateway: Gateway, { withinMs }: { readonly withinMs: number }): Promise<Verdict> {
    const until = performance.now() + withinMs + PATIENCE_MS / 10;
    while (performance.now() < until && gateway.sockets() > 0) await pause(10);
    const late = gateway.connections.flatMap(({ closed, lastFrameAt, openedAt }, index) => {
      const since = lastFrameAt || openedAt;
      const ms = (closed?.at ?? epochNow()) - since;
      const state = closed ? `was closed ${ms.toFixed(0)} ms` : `is still open ${ms.toFixed(0)} ms`;
      return ms > withinMs
        ? [`Socket ${index + 1}, opened at ${new Date(openedAt).toISOString()}, ${state} after its last frame.`]
        : [];
    });
    return {
      pass: late.length === 0,
      message: () =>
        late.length === 0
          ? `All ${gateway.connections.length} sockets were closed within ${withinMs} ms.`
          : `${late.join('\n')}\nExpected ${withinMs} ms at most.`,
    };
  },
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function isOver(heard: Heard, seconds: number): boolean {
  const { samples, sampleRate } = heard;
  const sound = soundOf(heard);
  if (sound.to - sound.from < seconds * sampleRate) return false;
  return samples.length - sound.to >= OVER_SECONDS * sampleRate;
}

/** Attaches what was heard if it is not as expected. */
async function verdict(
  isNot: boolean,
  pass: boolean,
  matcher: string,
  heard: Heard,
  findings: readonly Finding[],
): Promise<Verdict> {
  const name = `${isNot ? 'not.' : ''}${matcher}`;
  if (pass === isNot) await attachSound(test.info(), `heard: ${name}`, heard, pass ? [] : findings.map(rangeOf));
  const whats = findings.map(({ what }) => what).join('\n');
  const all = `${(heard.samples.length / heard.sampleRate).toFixed(2)} s of recording`;
  return { pass, message: () => `expect(recording).${name}: ${pass ? `as expected, in ${all}. ${whats}` : whats}` };
}

function rangeOf({ range }: Finding): Range {
  return { from: Math.floor(range.from), to: Math.ceil(range.to) };
}

function at({ sampleRate }: Heard, sample: number): string {
  return `${(sample / sampleRate).toFixed(3)} s`;
}

function lasting({ sampleRate }: Heard, { from, to }: Range): string {
  return `${(((to - from) / sampleRate) * 1000).toFixed(1)} ms`;
}
