import type { SpeakerRecording } from '../../src/inspector/recording.js';
import { underrunsOf } from '../../src/inspector/measures.js';
import { RESUME_SECONDS } from '../../worklet/jitter-buffer.js';
import { type Arrivals, SAMPLES_PER_MS } from './arrivals.js';
import type { Underrun } from './player.js';

/** Length of the frames into which arrivals are divided, in milliseconds: half of the recorder's best resolution. */
const FRAME_MS = 10;
/** Time from the frame that ends an underrun to its sound, in seconds: the playout renders this far ahead. */
const RESUME_DELAY_SECONDS = 0.01;
/** Buffered speech below this counts as empty, in seconds. */
const EMPTY_SECONDS = 0.01;
/** Longest time by which `canplay` may precede the reading that shows the first frame, in seconds. */
const FIRST_SECONDS = 0.25;

/** Continuous speech: one or more utterances without a moment between them in which everything had been heard. */
export interface Passage {
  /** Arrival of its first frame, in seconds on the recording's clock. */
  readonly atSeconds: number;
  /** In milliseconds on that clock. */
  readonly arrivals: Arrivals;
  /** Recorded underruns, in milliseconds after the first frame. */
  readonly underruns: readonly Underrun[];
  /** Recorded concealment including silence, and the silence, in milliseconds. */
  readonly concealedMs: number;
  readonly silentMs: number;
  /** Number of pauses by the listener, which a replay does not repeat. */
  readonly pauses: number;
}

/** Speech that arrived between two readings, in seconds. */
interface Lump {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

/**
 * Returns the arrivals of a recording, by passage.
 *
 * Speech between two readings is assumed to have arrived evenly. Exception: if an underrun ended between them, enough
 * speech to resume arrived at its end. The recording's sample rate may differ from the simulator's; only time matters
 * for the buffer.
 */
export function passagesOf(recording: SpeakerRecording): Passage[] {
  const { readings, events } = recording;
  const late = recording.resolution.arrivalsMs / 1000;
  const ends = events.filter(({ type }) => type === 'utteranceend' || type === 'ended' || type === 'emptied');
  const isEmptyAt = (at: number): boolean =>
    (readings.findLast(({ atSeconds }) => atSeconds <= at)?.bufferedSeconds ?? 0) < EMPTY_SECONDS;
  const emptyAt = ends.map(({ atSeconds }) => atSeconds).filter(isEmptyAt);

  const resumedAt = underrunsOf(readings, events).map(({ toSeconds }) => toSeconds - RESUME_DELAY_SECONDS);

  const passages: Lump[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  readings.forEach(({ atSeconds: to, arrivedSeconds: seconds }, index) => {
    if (seconds === 0) return;
    const before = readings[index - 1]?.atSeconds ?? to;
    const from = Math.max(last, Math.min(before, to - late));
    if (passages.length === 0 || emptyAt.some((at) => at > last && at <= to)) passages.push([]);
    const resumed = resumedAt.find((at) => at > last && at <= to);
    const held = readings[index - 1]?.bufferedSeconds ?? 0;
    // One more frame, because dividing into frames may leave a part of one.
    const needed = Math.min(seconds, Math.max(0, resumeSeconds(recording) - held) + FRAME_MS / 1000);
    if (resumed === undefined) {
      passages.at(-1)!.push({ from, to, seconds });
    } else {
      const at = Math.max(from, resumed);
      passages.at(-1)!.push({ from: at, to: at, seconds: needed }, { from: at, to, seconds: seconds - needed });
    }
    last = to;
  });
  return passages.map((lumps, index) => makePassage(recording, lumps, passages[index + 1]?.[0]?.from ?? Infinity));
}

/** Returns the speech with which the speaker resumes after an underrun, in seconds. */
function resumeSeconds({ settings }: SpeakerRecording): number {
  const target = settings.jitterBufferTarget / 1000;
  return settings.jitterBuffer === 'fixed' ? target : Math.min(target, RESUME_SECONDS);
}

function makePassage({ readings, events }: SpeakerRecording, lumps: readonly Lump[], until: number): Passage {
  const seen = lumps[0]!;
  const told = events.find(
    ({ type, atSeconds }) => type === 'canplay' && atSeconds <= seen.to && atSeconds > seen.to - FIRST_SECONDS,
  );
  const atSeconds = told?.atSeconds ?? seen.from;
  const inside = <T extends { readonly atSeconds: number }>(items: readonly T[]): T[] =>
    items.filter((item) => item.atSeconds >= atSeconds && item.atSeconds < until);
  const sum = (name: 'concealedSeconds' | 'silentSeconds'): number =>
    inside(readings).reduce((total, reading) => total + reading[name], 0) * 1000;
  const atMs = frameTimes([{ ...seen, from: Math.min(atSeconds, seen.to) }, ...lumps.slice(1)]);
  return {
    atSeconds,
    arrivals: { atMs, frameSamples: FRAME_MS * SAMPLES_PER_MS, sentMs: atMs[0]!, sourcePace: Number.NaN },
    underruns: underrunsOf(readings, inside(events)).map(({ fromSeconds, toSeconds }) => ({
      fromMs: (fromSeconds - atSeconds) * 1000,
      toMs: (toSeconds - atSeconds) * 1000,
    })),
    concealedMs: sum('concealedSeconds'),
    silentMs: sum('silentSeconds'),
    // A `pause` event also fires at the end; it does not count.
    pauses: inside(events).filter(
      ({ type, atSeconds: at }) =>
        type === 'pause' && !events.some((e) => e.type === 'ended' && e.atSeconds - at < 0.05 && e.atSeconds >= at),
    ).length,
  };
}

/** Returns the time at which each frame is complete, in milliseconds. */
function frameTimes(lumps: readonly Lump[]): Float64Array {
  const frameSeconds = FRAME_MS / 1000;
  const total = lumps.reduce((sum, { seconds }) => sum + seconds, 0);
  const times = new Float64Array(Math.max(1, Math.round(total / frameSeconds)));
  let came = 0;
  let frame = 0;
  for (const { from, to, seconds } of lumps) {
    for (; frame < times.length && (frame + 1) * frameSeconds <= came + seconds; frame++) {
      times[frame] = (from + ((to - from) * ((frame + 1) * frameSeconds - came)) / seconds) * 1000;
    }
    came += seconds;
  }
  // The rest of a frame arrives with the last lump.
  times.fill(lumps.at(-1)!.to * 1000, frame);
  return times;
}
