import type { SpeakerRecording } from '../../src/inspector/recording.js';
import { underrunsOf } from '../../src/inspector/measures.js';
import { RESUME_SECONDS } from '../../worklet/jitter-buffer.js';
import { type Arrivals, SAMPLES_PER_MS } from './arrivals.js';
import type { Underrun } from './player.js';

/** What arrivals are cut into: half of what the recorder sees at best. */
const FRAME_MS = 10;
/** From the frame that ends an underrun to its sound, in seconds: the playout works so far ahead. */
const RESUME_DELAY_SECONDS = 0.01;
/** Less than this is held when all has been heard, in seconds. */
const EMPTY_SECONDS = 0.01;
/** So long before it was seen, the first frame may have been told of, in seconds. */
const FIRST_SECONDS = 0.25;

/** Speech without a time between in which all of it had been heard: one utterance, or more that came on each other's heels. */
export interface Passage {
  /** When its first frame came, in seconds of the recording's clock. */
  readonly atSeconds: number;
  /** In milliseconds of that clock. */
  readonly arrivals: Arrivals;
  /** What was recorded: when the listener heard nothing of it, in milliseconds from the first frame on. */
  readonly underruns: readonly Underrun[];
  /** And what was made up for it, in milliseconds, silence included; and the silence. */
  readonly concealedMs: number;
  readonly silentMs: number;
  /** How often the listener held it, which a replay does not. */
  readonly pauses: number;
}

/** Some speech that came between two readings, in seconds. */
interface Lump {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

/**
 * The arrivals of a recording, passage by passage.
 *
 * What came between two readings is taken to have come evenly, but for an underrun that ended between them: it lasted
 * until there was enough to go on with. It has another rate than the simulator's maybe; what counts for the buffer is
 * time.
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
    // A frame more, since what is cut into frames may end within one.
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

/** Speech with which the speaker goes on after an underrun, in seconds. */
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
    // What is over is paused too.
    pauses: inside(events).filter(
      ({ type, atSeconds: at }) =>
        type === 'pause' && !events.some((e) => e.type === 'ended' && e.atSeconds - at < 0.05 && e.atSeconds >= at),
    ).length,
  };
}

/** When each frame has come whole, in milliseconds. */
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
  // The rest of a frame comes with the last lump.
  times.fill(lumps.at(-1)!.to * 1000, frame);
  return times;
}
