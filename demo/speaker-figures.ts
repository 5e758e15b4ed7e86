import type { SvcSpeakerElement, Utterance } from 'svc-speaker';
import type { Figure } from './figures.js';
import { secondsHeld } from 'svc-speaker/inspector.js';

/** Measures how long it takes from asking for speech to hearing it. */
export class FirstSound {
  /** The last measurement, in ms; null before the first. */
  ms: number | null = null;

  /** Measures `utterance`, which was asked for at `askedMs` of `performance.now()`. */
  time(utterance: Utterance, askedMs: number): void {
    utterance.started.then(
      () => {
        this.ms = performance.now() - askedMs;
      },
      // Cancelled or failed before it was heard: there is nothing to measure.
      () => undefined,
    );
  }
}

/** The figures under the picture, from the element as it is now. */
export function readFigures(speaker: SvcSpeakerElement, firstSound: FirstSound): Figure[] {
  const stats = speaker.getStats();
  return [
    { label: 'in the buffer', value: secondsHeld(speaker).toFixed(2), unit: 's' },
    { label: 'from Speak to sound', value: whole(firstSound.ms), unit: 'ms' },
    { label: 'first frame to first sound', value: whole(stats.firstFrameToSoundMs), unit: 'ms' },
    { label: 'socket open, which is billed', value: ((stats.socketOpenMs ?? 0) / 1000).toFixed(2), unit: 's' },
    {
      label: stats.underruns === 1 ? 'underrun' : 'underruns',
      value: String(stats.underruns),
      tone: stats.underruns > 0 ? 'trouble' : 'plain',
    },
    { label: 'of sound made up meanwhile', value: milliseconds(stats, 'concealedSamples'), unit: 'ms' },
    { label: 'won by speaking slower', value: milliseconds(stats, 'insertedSamplesForDeceleration'), unit: 'ms' },
    {
      label: stats.sampleRate ? `at the device, from ${stats.sampleRate / 1000} kHz` : 'at the device',
      value: stats.contextSampleRate ? String(stats.contextSampleRate / 1000) : null,
      unit: 'kHz',
    },
  ];
}

/** So many samples of speech, in ms. */
function milliseconds(
  stats: ReturnType<SvcSpeakerElement['getStats']>,
  name: 'concealedSamples' | 'insertedSamplesForDeceleration',
): string {
  return String(Math.round((stats[name] / (stats.sampleRate ?? 1)) * 1000));
}

function whole(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(Math.round(value));
}
