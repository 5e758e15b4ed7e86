import { html, type TemplateResult } from 'lit';
import type { PlotGestures } from './plot-gestures.js';
import type { ShownRecording } from './shown-recording.js';
import { spokenFigures, trackHead } from './track-heads.js';
import { trackNames } from './tracks.js';

/** The pictures and the figures above them: together a slider, whose value is the time of the cursor. */
export function plots(shown: ShownRecording, gestures: PlotGestures): TemplateResult {
  const { fromSeconds, toSeconds } = shown.range;
  const { press, turn, grab, move, release, leave } = gestures;
  return html`<div
    part="plots"
    role="slider"
    tabindex="0"
    aria-label="Time in the recording"
    aria-valuemin=${fromSeconds.toFixed(2)}
    aria-valuemax=${toSeconds.toFixed(2)}
    aria-valuenow=${shown.atSeconds.toFixed(2)}
    aria-valuetext=${spokenFigures(shown)}
    @keydown=${press}
    @wheel=${turn}
    @pointerdown=${grab}
    @pointermove=${move}
    @pointerup=${release}
    @pointercancel=${release}
    @pointerleave=${leave}
  >
    ${trackNames.map(
      (name) =>
        html`<div class="track ${name}">
          ${trackHead(name, shown)}
          <canvas class=${name} data-track=${name}></canvas>
        </div>`,
    )}
  </div>`;
}
