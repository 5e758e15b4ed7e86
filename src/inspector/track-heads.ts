import { html, nothing, type TemplateResult } from 'lit';
import { milliseconds } from './latency-bars.js';
import { paceAt } from './pace.js';
import type { Reading } from './reading.js';
import type { ShownRecording } from './shown-recording.js';
import type { TrackName } from './tracks.js';

/** The line above a picture: what it shows, and the figures of the cursor's time. */
export function trackHead(name: TrackName, { readings, index }: ShownRecording): TemplateResult | typeof nothing {
  const reading = readings[index];
  switch (name) {
    case 'buffer':
      return html`<div class="head">
        <b>Buffer</b>
        <span>${key('buffer')}held ${value(reading ? milliseconds(reading.bufferedSeconds) : '–')}</span>
        <span>${key('target', 'dashed')}target ${value(reading ? milliseconds(reading.targetSeconds) : '–')}</span>
        <span>${key('trouble')}underruns ${value(String(sum(readings, ({ underruns }) => underruns)))}</span>
      </div>`;
    case 'arrivals':
      return html`<div class="head">
        <b>Arrivals</b>
        <span>${key('arrivals')}last second ${value(milliseconds(arrivedInSecond(readings, index)))}</span>
      </div>`;
    case 'pace': {
      const pace = paceAt(readings, index);
      return html`<div class="head">
        <b>Pace</b>
        <span>${key('pace')}${value(pace === null ? '–' : `${pace.toFixed(2)}×`)}</span>
      </div>`;
    }
    case 'heard': {
      const silent = sum(readings, ({ silentSeconds }) => silentSeconds);
      const concealed = sum(readings, ({ concealedSeconds }) => concealedSeconds);
      return html`<div class="head">
        <b>Heard</b>
        <span>${key('buffer')}speech</span>
        <span>${key('concealed')}made up ${value(milliseconds(concealed - silent))}</span>
        <span>${key('trouble', 'hollow')}silence ${value(milliseconds(silent))}</span>
      </div>`;
    }
    default:
      return nothing;
  }
}

/** The figures of the cursor's time in words, for those who hear them. */
export function spokenFigures(shown: ShownRecording): string {
  const { readings, index, atSeconds, underruns } = shown;
  const reading = readings[index];
  if (!reading) return 'nothing recorded';
  const pace = paceAt(readings, index);
  // A millisecond before it is still the same place.
  const dry = underruns.some(({ fromSeconds, toSeconds }) => atSeconds > fromSeconds - 0.001 && atSeconds <= toSeconds);
  const words = [
    `${atSeconds.toFixed(2)} seconds`,
    `${milliseconds(reading.bufferedSeconds)} held`,
    `target ${milliseconds(reading.targetSeconds)}`,
  ];
  if (pace !== null) words.push(`pace ${pace.toFixed(2)}`);
  if (dry) words.push('underrun');
  return words.join(', ');
}

function key(color: string, looks = ''): TemplateResult {
  return html`<i class="key ${looks} ${color}-color"></i>`;
}

function value(text: string): TemplateResult {
  return html`<span class="value">${text}</span>`;
}

function sum(readings: readonly Reading[], pick: (reading: Reading) => number): number {
  return readings.reduce((total, reading) => total + pick(reading), 0);
}

/** Speech that came in the second up to a reading. */
function arrivedInSecond(readings: readonly Reading[], index: number): number {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  let arrived = 0;
  for (let i = index; i >= 0 && nowSeconds - readings[i]!.atSeconds < 1; i--) arrived += readings[i]!.arrivedSeconds;
  return arrived;
}
