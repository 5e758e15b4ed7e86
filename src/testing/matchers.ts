import { expect as base, type JSHandle, test } from '@playwright/test';
import { clicksOf, gapsOf, type Heard, matchOf, type Range, soundOf } from './analysis.js';
import { epochNow } from './epoch-now.js';
import type { Gateway } from './gateway.js';
import type {
  DuckedOptions,
  GapOptions,
  HeardOptions,
  MatchOptions,
  PlayedOptions,
  SilentOptions,
  SpokenWordsOptions,
} from './matcher-options.js';
import { attachSound, type Mark, type RecordedSound, type Recording } from './recording.js';
import type { Sound } from './sound.js';
import { placesOf } from './word-places.js';

/** Result of a matcher. */
interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A fault: its range and description. */
interface Finding {
  readonly range: Range;
  readonly what: string;
}

/** Time limit in addition to the playing time, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Silence after which the expected sound counts as ended, in seconds. */
const OVER_SECONDS = 0.3;

/** Time for which silence is required after a stop, in seconds: cancelled frames may arrive late. */
const WATCH_SECONDS = 1.5;
/** Sound after a silence of this length has begun again; after a shorter one it has merely continued. In seconds. */
const AGAIN_SECONDS = 0.02;

/** Marks that begin and end intentional silence. */
const STOPS = ['pause', 'cancel', 'close', 'remove'];
const STARTS = ['play', 'speak'];
/**
 * A stop may be audible this long before its mark. Without a start after it, it explains `HELD_AFTER` of silence. In
 * seconds.
 */
const HELD_BEFORE = 0.05;
const HELD_AFTER = 1;

/** Beginning of the name of the mark for a `word` event. */
const WORD = 'word: ';

/** Interval between two reads of a recording, in milliseconds. */
const LOOK_MS = 100;

/** An utterance in the page, the result of `speak()`. */
interface SpokenUtterance {
  readonly heard: { readonly seconds: number; readonly text: string };
}

/**
 * Playwright's `expect`, with matchers for recorded sound. Each one waits for the sound that it needs. A failure
 * reports the place, in seconds from the beginning of the recording, and attaches a WAV file and a picture of it to the
 * report.
 */
export const expect = base.extend({
  /** Waits until the given duration of sound has been played, followed by silence. */
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
    if (played === 0) return nothingHeard(this.isNot, 'toHavePlayed', heard);
    const pass = played >= least && played <= most;
    const missing = seconds - played;
    const difference = `${Math.abs(missing).toFixed(3)} s ${missing > 0 ? 'are missing' : 'are too many'}`;
    const whatWasHeard = `${played.toFixed(3)} s were heard, from ${at(heard, sound.from)} to ${at(heard, sound.to)}`;
    const range = missing > 0 ? { from: sound.to, to: sound.to + missing * heard.sampleRate } : sound;
    return verdict(
      this.isNot,
      pass,
      'toHavePlayed',
      heard,
      `${whatWasHeard}; expected another time than ${seconds} s.`,
      [{ range, what: `${whatWasHeard}; expected ${seconds} s: ${difference}.` }],
    );
  },

  /** Passes if the sound so far has no silence except the silence that was sent. */
  async toHaveNoGaps(recording: Recording, { minMs = 5 }: GapOptions = {}): Promise<Verdict> {
    const heard = await recording.read();
    const sound = soundOf(heard);
    if (sound.from === sound.to) return nothingHeard(this.isNot, 'toHaveNoGaps', heard);
    const gaps = gapsOf(heard, recording.sent, minMs / 1000, heldIn(heard));
    return verdict(
      this.isNot,
      gaps.length === 0,
      'toHaveNoGaps',
      heard,
      `no gap of ${minMs} ms or more is in what was heard, from ${at(heard, sound.from)} to ${at(heard, sound.to)}.`,
      gaps.map((range) => ({ range, what: `A gap of ${lasting(heard, range)} at ${at(heard, range.from)}.` })),
    );
  },

  /** Passes if the sound so far has no sudden step. */
  async toHaveNoClicks(recording: Recording): Promise<Verdict> {
    const heard = await recording.read();
    const sound = soundOf(heard);
    if (sound.from === sound.to) return nothingHeard(this.isNot, 'toHaveNoClicks', heard);
    const clicks = clicksOf(heard, recording.sent);
    return verdict(
      this.isNot,
      clicks.length === 0,
      'toHaveNoClicks',
      heard,
      `no click is in what was heard, from ${at(heard, sound.from)} to ${at(heard, sound.to)}.`,
      clicks.map(({ at: sample, db }) => ({
        range: { from: sample, to: sample + 1 },
        what: `A click at ${at(heard, sample)}, ${db.toFixed(0)} dB above what was sent.`,
      })),
    );
  },

  /** Waits until `WATCH_SECONDS` after the limit. Fails on sound in that time. */
  async toBeSilentWithin(recording: Recording, ms: number, { after }: SilentOptions = {}): Promise<Verdict> {
    const until = performance.now() + ms + PATIENCE_MS;
    const named = after === undefined ? ['click', ...STOPS] : [after];
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
      samples.length >= mark.at + (ms / 1000 + WATCH_SECONDS) * sampleRate;
    let before = -1;
    const settled = performance.now() + ms + WATCH_SECONDS * 1000;
    // A suspended context renders no more samples: that counts as silence.
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
    // Sound that was stopped before its first sample was silent at once.
    const late = sound.to > sound.from ? ((sound.to - mark.at) / heard.sampleRate) * 1000 : 0;
    const stop = `${mark.name} at ${at(heard, mark.at)}`;
    const again = soundAfter(heard, mark.at + (ms / 1000) * heard.sampleRate);
    const what = again
      ? `Sound begins again at ${at(heard, again.from)}, ${(((again.from - mark.at) / heard.sampleRate) * 1000).toFixed(0)} ms ` +
        `after ${stop}, until ${at(heard, sound.to)}; expected silence after ${ms} ms.`
      : `Sound goes on for ${late.toFixed(0)} ms after ${stop}, until ${at(heard, sound.to)}; expected ${ms} ms at most.`;
    const silence =
      late > 0
        ? `sound ends ${late.toFixed(0)} ms after ${stop}, within ${ms} ms.`
        : `there is no sound after ${stop}.`;
    return verdict(this.isNot, late <= ms, 'toBeSilentWithin', heard, silence, [
      { range: again ?? { from: Math.max(0, mark.at), to: sound.to }, what },
    ]);
  },

  /**
   * Passes if the sound so far equals `reference` sample by sample in each 10 ms, at any loudness, with nothing before
   * or after it. Requires the `fixed` jitter buffer.
   */
  async toMatchAudio(recording: Recording, reference: Sound, { snr = 40, gain }: MatchOptions = {}): Promise<Verdict> {
    const heard = await recording.read();
    const sound = soundOf(heard);
    if (sound.from === sound.to) return nothingHeard(this.isNot, 'toMatchAudio', heard);
    const match = matchOf(heard, reference, snr);
    const { bad, why, pitch } = match;
    const ratio =
      `The signal-to-noise ratio is ${match.snr.toFixed(1)} dB, ` +
      `${match.worstSnr.toFixed(1)} dB in the worst 10 ms; expected ${snr} dB.`;
    const where = bad ? ` It differs from ${at(heard, bad.from)} on${why ? `: ${why}` : ''}.` : '';
    const wrongPitch = Math.abs(pitch - 1) > 0.02 ? ` Its pitch is ${pitch.toFixed(3)} times what was sent.` : '';
    const isLoud = gain === undefined || Math.abs(match.gain - gain) <= 0.01 * gain;
    const loudness = isLoud ? '' : ` It is ${match.gain.toFixed(3)} times as loud; expected ${gain}.`;
    const pass = match.snr >= snr && bad === null && isLoud;
    const same =
      `it is what was sent, ${match.gain.toFixed(3)} times as loud, with a signal-to-noise ratio of ` +
      `${match.snr.toFixed(1)} dB, ${match.worstSnr.toFixed(1)} dB in the worst 10 ms.`;
    return verdict(this.isNot, pass, 'toMatchAudio', heard, same, [
      { range: bad ?? sound, what: `${ratio}${where}${wrongPitch}${loudness}` },
    ]);
  },

  /**
   * Passes if the sound between two moments is softer than before, by the expected amount. It compares loudness, so
   * play a sound of constant loudness: a tone or noise.
   */
  async toBeDucked(recording: Recording, options: DuckedOptions = {}): Promise<Verdict> {
    const { level = 0.2, withinMs = 100 } = options;
    const heard = await recording.read();
    const sound = soundOf(heard);
    const { samples, sampleRate } = heard;
    const from = momentOf(heard, options.from ?? 'duck') ?? sound.to;
    const end = momentOf(heard, options.to ?? 'unduck', from);
    // The ramp back begins slightly after the call.
    const to = Math.min(end ?? sound.to, sound.to);
    const begin = from + (withinMs / 1000) * sampleRate;
    if (from <= sound.from || begin >= to) return nothingHeard(this.isNot, 'toBeDucked', heard);
    const ratio = rmsOf(samples, begin, to) / rmsOf(samples, sound.from, from);
    const what = `The sound from ${at(heard, begin)} to ${at(heard, to)} is ${ratio.toFixed(3)} times as loud as before`;
    return verdict(this.isNot, Math.abs(ratio - level) <= 0.05, 'toBeDucked', heard, `${what}.`, [
      { range: { from: begin, to }, what: `${what}; expected ${level}.` },
    ]);
  },

  /**
   * Waits until `heard.text` of an utterance in the page is `text`, up to a difference of `words` words.
   *
   * @param utterance - Handle of the result of `speak()`, from `evaluateHandle`.
   */
  async toHaveHeard(
    utterance: JSHandle<SpokenUtterance>,
    text: string,
    { words = 1, timeout = 5000 }: HeardOptions = {},
  ): Promise<Verdict> {
    const until = performance.now() + timeout;
    const read = () => utterance.evaluate(({ heard }) => ({ seconds: heard.seconds, text: heard.text }));
    const isAsExpected = (heard: string): boolean => {
      const [shorter, longer] = [heard, text]
        .map((one) => one.match(/\S+/g) ?? [])
        .toSorted((a, b) => a.length - b.length);
      return longer!.length - shorter!.length <= words && shorter!.every((word, index) => word === longer![index]);
    };
    let heard = await read();
    while (performance.now() < until && isAsExpected(heard.text) === this.isNot) {
      await pause(LOOK_MS);
      heard = await read();
    }
    return {
      pass: isAsExpected(heard.text),
      message: () =>
        `expect(utterance).${this.isNot ? 'not.' : ''}toHaveHeard: "${heard.text}" was heard, in ${heard.seconds.toFixed(3)} s; ` +
        `expected ${this.isNot ? 'anything but ' : ''}"${text}", give or take ${words} words.`,
    };
  },

  /**
   * Waits for a `word` event for each of these words, and fails if others came, or another order. If the gateway knows when
   * the words begin in what it has sent, each event must come with the sound of its word.
   */
  async toHaveSpokenWords(
    recording: Recording,
    words: readonly string[],
    { withinMs = 100, timeout = PATIENCE_MS }: SpokenWordsOptions = {},
  ): Promise<Verdict> {
    const until = performance.now() + timeout;
    const marksOf = ({ marks }: RecordedSound): Mark[] => marks.filter(({ name }) => name.startsWith(WORD));
    let heard = await recording.read();
    while (performance.now() < until && marksOf(heard).length < words.length) {
      await pause(LOOK_MS);
      heard = await recording.read();
    }
    const marks = marksOf(heard);
    const spoken = marks.map(({ name }) => name.slice(WORD.length));
    const list = spoken.length > 0 ? spoken.map((word) => `"${word}"`).join(' ') : 'none';
    if (spoken.length !== words.length || spoken.some((word, index) => word !== words[index])) {
      const what = `The words were ${list}; expected ${words.map((word) => `"${word}"`).join(' ')}.`;
      return verdict(this.isNot, false, 'toHaveSpokenWords', heard, '', [{ range: soundOf(heard), what }]);
    }
    const { sent, wordStarts } = recording;
    const places = sent && wordStarts.length === words.length ? placesOf(heard, sent, wordStarts) : [];
    const late = places.flatMap((place, index): Finding[] => {
      const ms = ((marks[index]!.at - place) / heard.sampleRate - heard.outputLatency) * 1000;
      if (Math.abs(ms) <= withinMs) return [];
      const range = { from: place || 0, to: (place || 0) + heard.sampleRate / 100 };
      const what = Number.isNaN(ms)
        ? `The sound of "${words[index]}" was not heard.`
        : `"${words[index]}" begins at ${at(heard, place)}, and its event came ${ms.toFixed(0)} ms later.`;
      return [{ range, what: `${what} Expected ${withinMs} ms at most.` }];
    });
    return verdict(this.isNot, late.length === 0, 'toHaveSpokenWords', heard, `The words were ${list}.`, late);
  },

  /**
   * Waits until all sockets of the gateway are closed. Fails if one stayed open for longer than `withinMs` after its
   * last frame, or if none was opened.
   */
  async toHaveClosedSockets(gateway: Gateway, { withinMs }: { readonly withinMs: number }): Promise<Verdict> {
    const until = performance.now() + withinMs + PATIENCE_MS / 10;
    const { connections } = gateway;
    while (performance.now() < until && (gateway.sockets() > 0 || connections.length === 0)) await pause(10);
    if (connections.length === 0) {
      return {
        pass: false,
        message: () =>
          'No socket was opened: the page has not asked the gateway for speech. Check that its requests for a session go to ' +
          'sessionEndpoint, and that it speaks.',
      };
    }
    const late = connections.flatMap(({ closed, lastFrameAt, openedAt }, index) => {
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
          ? `All ${connections.length} sockets were closed within ${withinMs} ms of their last frame.`
          : `${late.join('\n')}\nExpected ${withinMs} ms at most.`,
    };
  },
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the sample of a moment. For the name of a mark: the last such mark, or the first after sample `after`. */
function momentOf({ marks, sampleRate }: RecordedSound, moment: number | string, after?: number): number | undefined {
  if (typeof moment === 'number') return moment * sampleRate;
  const isIt = (mark: { readonly name: string; readonly at: number }): boolean =>
    mark.name === moment && (after === undefined || mark.at > after);
  return (after === undefined ? marks.findLast(isIt) : marks.find(isIt))?.at;
}

/** Root mean square of samples `[from, to)`. */
function rmsOf(samples: Float32Array, from: number, to: number): number {
  const part = samples.subarray(Math.round(from), Math.round(to));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
}

function isOver(heard: Heard, seconds: number): boolean {
  const { samples, sampleRate } = heard;
  const sound = soundOf(heard);
  if (sound.to - sound.from < seconds * sampleRate) return false;
  return samples.length - sound.to >= OVER_SECONDS * sampleRate;
}

/**
 * Returns the sound that begins after sample `from`, if there is silence first; undefined if there is none or it merely
 * continues.
 */
function soundAfter({ samples, sampleRate }: Heard, from: number): Range | undefined {
  const first = Math.max(0, Math.min(samples.length, Math.round(from)));
  const { from: silent, to } = soundOf({ samples: samples.subarray(first), sampleRate });
  return to > silent && silent >= AGAIN_SECONDS * sampleRate ? { from: first + silent, to: first + to } : undefined;
}

/** Returns the ranges of intentional silence: from a stop to the next start, and at a start. */
function heldIn({ marks, sampleRate }: RecordedSound): Range[] {
  return marks.flatMap(({ name, at: from }, index) => {
    if (STARTS.includes(name)) return [{ from, to: from + 1 }];
    if (!STOPS.includes(name)) return [];
    const start = marks.slice(index + 1).find((mark) => STARTS.includes(mark.name));
    return [{ from: from - HELD_BEFORE * sampleRate, to: start?.at ?? from + HELD_AFTER * sampleRate }];
  });
}

function nothingHeard(isNot: boolean, matcher: string, heard: RecordedSound): Promise<Verdict> {
  const seconds = (heard.samples.length / heard.sampleRate).toFixed(2);
  return verdict(isNot, false, matcher, heard, '', [
    { range: soundOf(heard), what: `Nothing was heard in ${seconds} s of recording.` },
  ]);
}

/**
 * Returns the result of a matcher. Attaches the recorded sound if the result is not the expected one.
 *
 * @param asFound - Description of the sound when the matcher passes, for the message of a negated matcher.
 */
async function verdict(
  isNot: boolean,
  pass: boolean,
  matcher: string,
  heard: RecordedSound,
  asFound: string,
  findings: readonly Finding[],
): Promise<Verdict> {
  const name = `${isNot ? 'not.' : ''}${matcher}`;
  if (pass === isNot) await attachSound(test.info(), `heard: ${name}`, heard, pass ? [] : findings.map(rangeOf));
  const whats = pass ? asFound : findings.map(({ what }) => what).join('\n');
  return { pass, message: () => `expect(recording).${name}: ${whats}` };
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
