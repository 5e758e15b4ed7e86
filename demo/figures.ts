import type { SvcSpeakerElement, Utterance } from 'svc-speaker';
import { secondsHeld } from 'svc-speaker/inspector/recorder.js';

/** One figure below the chart. */
interface Figure {
  readonly label: string;
  /** Null if it is unknown. */
  readonly value: string | null;
  readonly unit?: string;
  readonly tone?: 'plain' | 'trouble';
}

/** Measures the time from `speak()` to the first sound. */
export class FirstSound {
  /** The last measurement, in milliseconds; null before the first. */
  ms: number | null = null;

  /** Measures `utterance`, requested at `askedMs` of `performance.now()`. */
  time(utterance: Utterance, askedMs: number): void {
    utterance.started.then(
      () => {
        this.ms = performance.now() - askedMs;
      },
      // Cancelled or failed before the first sound.
      () => undefined,
    );
  }
}

/** Shows figures of a speaker in a description list. */
export class FigureTable {
  readonly #list: HTMLDListElement;
  readonly #shown: string[] = [];

  constructor(list: HTMLDListElement) {
    this.#list = list;
  }

  /** Reads the speaker and redraws the figures that have changed. */
  update(speaker: SvcSpeakerElement, firstSound: FirstSound): void {
    readFigures(speaker, firstSound).forEach((figure, index) => {
      const key = Object.values(figure).join();
      if (this.#shown[index] === key) return;
      this.#shown[index] = key;
      const cell = makeCell(figure);
      const old = this.#list.children[index];
      if (old) old.replaceWith(cell);
      else this.#list.append(cell);
    });
  }
}

function readFigures(speaker: SvcSpeakerElement, firstSound: FirstSound): Figure[] {
  const stats = speaker.getStats();
  const milliseconds = (samples: number): string => String(Math.round((samples / (stats.sampleRate ?? 1)) * 1000));
  return [
    { label: 'in the buffer', value: secondsHeld(speaker).toFixed(2), unit: 's' },
    { label: 'from Speak to sound', value: rounded(firstSound.ms), unit: 'ms' },
    { label: 'first frame to first sound', value: rounded(stats.firstFrameToSoundMs), unit: 'ms' },
    { label: 'socket open, which is billed', value: (stats.socketOpenMs / 1000).toFixed(2), unit: 's' },
    {
      label: stats.underruns === 1 ? 'underrun' : 'underruns',
      value: String(stats.underruns),
      tone: stats.underruns > 0 ? 'trouble' : 'plain',
    },
    { label: 'concealed', value: milliseconds(stats.concealedSamples), unit: 'ms' },
    { label: 'gained by playing slower', value: milliseconds(stats.insertedSamplesForDeceleration), unit: 'ms' },
    {
      label: stats.sampleRate ? `at the device, from ${stats.sampleRate / 1000} kHz` : 'at the device',
      value: stats.contextSampleRate ? String(stats.contextSampleRate / 1000) : null,
      unit: 'kHz',
    },
  ];
}

function rounded(value: number | null): string | null {
  return value === null ? null : String(Math.round(value));
}

/** The integer part is large, decimals and unit are small, like soundings on a nautical chart. */
function makeCell({ label, value, unit, tone = 'plain' }: Figure): HTMLDivElement {
  const term = document.createElement('dt');
  term.textContent = label;
  const description = document.createElement('dd');
  const decimals = /\.\d+$/.exec(value ?? '')?.[0] ?? '';
  description.append(value === null ? '–' : value.slice(0, value.length - decimals.length));
  const rest = `${decimals}${unit && value !== null ? `\u2009${unit}` : ''}`;
  if (rest) {
    const small = document.createElement('small');
    small.textContent = rest;
    description.append(small);
  }
  const cell = document.createElement('div');
  cell.dataset.tone = tone;
  cell.append(term, description);
  return cell;
}
