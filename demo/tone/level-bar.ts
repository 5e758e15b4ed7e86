import * as Tone from 'tone';

/** What the bar begins with, in dB below full scale. */
const FLOOR_DB = -60;

/** Shows how loud a node is, for as long as the page is there: `--level` of `bar`, 0 to 1. */
export function showLevel(node: Tone.ToneAudioNode, bar: HTMLElement): void {
  const meter = new Tone.Meter({ smoothing: 0.85 });
  node.connect(meter);
  const draw = (): void => {
    const level = 1 - Math.max(FLOOR_DB, Math.min(0, meter.getValue())) / FLOOR_DB;
    bar.style.setProperty('--level', level.toFixed(3));
    requestAnimationFrame(draw);
  };
  draw();
}
