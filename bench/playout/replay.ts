import { RATE_UNIT, Slot } from '../../src/ring/index.js';
import type { SpeakerRecording } from '../../src/inspector/recording.js';
import { SAMPLES_PER_MS, totalSamples } from './arrivals.js';
import type { Player, Underrun } from './player.js';
import { type Passage, passagesOf } from './recorded.js';
import { silentRuns, soundingRange } from './silence.js';
import { OUTPUT_PER_MS, Recorder, type Recording } from './simulate.js';
import { SpeakerPlayer } from './speaker-player.js';

/** Speech of a passage as it was heard, in milliseconds: as recorded, or as measured in a player's output. */
export interface Heard {
  /** From the first frame to the first sound; NaN if unknown. */
  readonly startMs: number;
  /** Concealment as reported by the player, including silence. */
  readonly concealedMs: number;
  readonly silentMs: number;
  /** In milliseconds after the first frame. */
  readonly underruns: readonly Underrun[];
}

/** A passage of a recording, and how it was heard: when it was recorded, and in the replay. */
export interface ReplayedPassage {
  readonly atSeconds: number;
  readonly speechMs: number;
  readonly pauses: number;
  readonly recorded: Heard;
  readonly replayed: Heard;
  /** Output of the replay; overwritten by the next passage. */
  readonly output: Float32Array;
}

/** Returns the player of a recording's speaker: `fixed:<ms>` or `adaptive:<ms>`. */
export function playerOf({ settings }: SpeakerRecording): string {
  return `${settings.jitterBuffer === 'fixed' ? 'fixed' : 'adaptive'}:${settings.jitterBufferTarget}`;
}

/**
 * Plays the arrivals of an inspector's recording with a simulated player, passage by passage.
 *
 * @param makePlayer - Called for each passage.
 * @param loopSamples - Length of the player's speech, which is repeated as a loop.
 */
export function* replay(
  recording: SpeakerRecording,
  makePlayer: () => Player,
  loopSamples: number,
): Generator<ReplayedPassage> {
  const recorder = new Recorder();
  for (const passage of passagesOf(recording)) {
    const player = makePlayer();
    if (player instanceof SpeakerPlayer) {
      player.set(Slot.playbackRate, Math.round(recording.settings.playbackRate * RATE_UNIT));
    }
    const output = recorder.record(player, passage.arrivals, loopSamples, 0);
    yield {
      atSeconds: passage.atSeconds,
      speechMs: totalSamples(passage.arrivals) / SAMPLES_PER_MS,
      pauses: passage.pauses,
      recorded: heardWhenRecorded(recording, passage),
      replayed: heardInReplay(output, player),
      output: output.output.subarray(0, output.length),
    };
  }
}

function heardWhenRecorded({ events }: SpeakerRecording, passage: Passage): Heard {
  const sound = events.find(({ type, atSeconds }) => type === 'playing' && atSeconds >= passage.atSeconds);
  const { concealedMs, silentMs, underruns, atSeconds } = passage;
  return { startMs: sound ? (sound.atSeconds - atSeconds) * 1000 : Number.NaN, concealedMs, silentMs, underruns };
}

function heardInReplay({ output, length }: Recording, { counters }: Player): Heard {
  const range = soundingRange(output, length);
  const silent = silentRuns(output, range).reduce((sum, { from, to }) => sum + to - from, 0) / OUTPUT_PER_MS;
  return {
    startMs: range.from / OUTPUT_PER_MS,
    concealedMs: counters ? counters.concealedSamples / SAMPLES_PER_MS : silent,
    silentMs: silent,
    underruns: counters?.underruns ?? [],
  };
}

/** Prints the recorded and replayed results by passage, and each underrun with its time. */
export function printReplay(name: string, passages: readonly Omit<ReplayedPassage, 'output'>[]): void {
  console.log(`\n${name}`);
  const row = ({ startMs, concealedMs, silentMs, underruns }: Heard): Record<string, number> => ({
    'start ms': Math.round(startMs),
    underruns: underruns.length,
    'concealed ms': Math.round(concealedMs),
    'silent ms': Math.round(silentMs),
  });
  console.table(
    Object.fromEntries(
      passages.flatMap(({ atSeconds, speechMs, recorded, replayed }) => {
        const from = `${atSeconds.toFixed(2)} s`;
        return [
          [`${from}, recorded`, { 'speech s': speechMs / 1000, ...row(recorded) }],
          [`${from}, replayed`, { 'speech s': speechMs / 1000, ...row(replayed) }],
        ];
      }),
    ),
  );
  for (const { atSeconds, recorded, replayed, pauses } of passages) {
    const list = ({ underruns }: Heard): string =>
      underruns
        .map(({ fromMs, toMs }) => `${(atSeconds + fromMs / 1000).toFixed(2)} s (${Math.round(toMs - fromMs)} ms)`)
        .join(', ') || 'none';
    console.log(`from ${atSeconds.toFixed(2)} s: underruns recorded: ${list(recorded)}; replayed: ${list(replayed)}`);
    if (pauses > 0) console.log(`  Pauses by the listener, which are not replayed: ${pauses}`);
  }
}
