import { expect } from 'chai';
import type { Player } from '../../../bench/playout/player.js';
import { replay } from '../../../bench/playout/replay.js';
import { SpeakerPlayer } from '../../../bench/playout/speaker-player.js';
import { designResampler } from '../../../src/dsp/index.js';
import { FORMAT, type Reading, type SpeakerRecording, VERSION } from '../../../src/inspector/recording.js';

const RATE = 24_000;
const OUTPUT_RATE = 48_000;
const QUANTUM = 128;
const SPEECH_SECONDS = 3;
const OUTPUT_SECONDS = 0.03;

const table = designResampler(RATE, OUTPUT_RATE, { taps: 16 });
const samples = Int16Array.from({ length: RATE }, (_, at) => 8000 * Math.sin((at * 2 * Math.PI * 440) / RATE));
const speech = { voice: 'tone', samples, clean: new Float32Array(0) };

/** Arrivals of speech whose frames come in real time, except for a stall that begins at 1 s. In seconds. */
interface Stall {
  readonly seconds: number;
  /** Length of a frame. */
  readonly frameSeconds: number;
  /** True if the frames after the stall come in real time, as late as the first one. Else late frames come together. */
  readonly staysLate: boolean;
}

interface Setting {
  readonly targetMs: number;
  readonly adaptive: boolean;
}

const makePlayer = (setting: Setting): SpeakerPlayer => new SpeakerPlayer(setting, table, speech);

/**
 * Plays frames through the real playout, and takes the readings that the recorder would take.
 *
 * @param arrivalsMs - Interval between two reports of the audio thread, in milliseconds.
 */
function record(setting: Setting, stall: Stall, arrivalsMs: number): SpeakerRecording {
  const player = makePlayer(setting);
  const { frameSeconds } = stall;
  const frames = Math.round(SPEECH_SECONDS / frameSeconds);
  const arrivalOf = (frame: number): number => {
    const at = frame * frameSeconds;
    if (at < 1) return at;
    return stall.staysLate ? at + stall.seconds : Math.max(at, 1 + stall.seconds);
  };
  const readings: Reading[] = [];
  const block = new Float32Array(QUANTUM);
  const reported = { arrived: 0, emitted: 0, concealed: 0, silent: 0 };
  let before = { ...reported };
  let written = 0;
  let nextReport = 0;
  for (let at = 0; !player.done; at += QUANTUM) {
    const now = at / OUTPUT_RATE;
    while (written < frames && arrivalOf(written) <= now) {
      player.write((written * frameSeconds * RATE) % RATE, frameSeconds * RATE);
      if (++written === frames) player.end();
    }
    player.render(block, at);
    if (now >= nextReport) {
      nextReport += arrivalsMs / 1000;
      reported.arrived = written * frameSeconds;
      reported.emitted = player.emittedSamples / RATE;
      reported.concealed = player.concealedSamples / RATE;
      reported.silent = player.silentConcealedSamples / RATE;
    }
    if (now < readings.length * 0.02) continue;
    readings.push({
      atSeconds: now,
      bufferedSeconds: reported.arrived - reported.emitted,
      targetSeconds: setting.targetMs / 1000,
      arrivedSeconds: reported.arrived - before.arrived,
      playedSeconds: reported.emitted - before.emitted,
      insertedSeconds: 0,
      removedSeconds: 0,
      concealedSeconds: reported.concealed - before.concealed,
      silentSeconds: reported.silent - before.silent,
      underruns: 0,
      outputSeconds: OUTPUT_SECONDS,
    });
    before = { ...reported };
  }
  return {
    format: FORMAT,
    version: VERSION,
    recordedAt: '2026-11-22T00:00:00.000Z',
    browser: 'any',
    resolution: { readingsMs: 20, arrivalsMs },
    settings: {
      jitterBuffer: setting.adaptive ? 'adaptive' : 'fixed',
      jitterBufferTarget: setting.targetMs,
      playbackRate: 1,
      resampler: 'fine',
    },
    pipeline: { transport: 'message', audioBackend: 'native', sampleRate: RATE, contextSampleRate: OUTPUT_RATE },
    readings,
    events: [
      { atSeconds: 0, type: 'canplay' },
      ...player.underruns.map(({ fromMs, toMs }) => ({
        atSeconds: toMs / 1000 + OUTPUT_SECONDS,
        type: 'underrun',
        durationMs: toMs - fromMs,
      })),
    ],
  };
}

describe('A replay', () => {
  for (const adaptive of [true, false]) {
    for (const arrivalsMs of [20, 100]) {
      for (const seconds of [0.29, 0.33, 0.37]) {
        const name = `${adaptive ? 'adaptive' : 'fixed'}, arrivals seen every ${arrivalsMs} ms, ${seconds} s`;
        it(`conceals as much as was concealed: ${name}`, () => {
          const setting = { targetMs: 120, adaptive };
          const recording = record(setting, { seconds, frameSeconds: 0.02, staysLate: false }, arrivalsMs);
          const [passage] = [...replay(recording, (): Player => makePlayer(setting), samples.length)];
          const { recorded, replayed } = passage!;
          expect(recorded.concealedMs).to.be.greaterThan(100);
          expect(replayed.concealedMs).to.be.closeTo(recorded.concealedMs, 30);
        });
      }
    }
  }

  for (const arrivalsMs of [20, 100]) {
    it(`resumes adaptive playout with as much speech as was there: arrivals seen every ${arrivalsMs} ms`, () => {
      const setting = { targetMs: 120, adaptive: true };
      const recording = record(setting, { seconds: 0.252, frameSeconds: 0.01, staysLate: true }, arrivalsMs);
      const [passage] = [...replay(recording, (): Player => makePlayer(setting), samples.length)];
      const { recorded, replayed } = passage!;
      expect(recorded.concealedMs).to.be.closeTo(102, 3);
      // The replay may get speech up to two frames earlier before the stall, so it slows less of it: by two splices, of
      // 15 ms at most, and the quanta in which they begin.
      expect(replayed.concealedMs).to.be.closeTo(recorded.concealedMs, 35);
      expect(replayed.silentMs).to.be.closeTo(recorded.silentMs, 35);
    });
  }
});
