/** The colours of `palette.css`, as a canvas needs them: resolved for the colour scheme of this moment. */
export interface ChartColors {
  readonly ink: string;
  readonly inkSoft: string;
  readonly sea: string;
  readonly line: string;
  /** Tints of the water, shallowest first; one more than there are contours. */
  readonly depths: readonly string[];
  readonly overprint: string;
  /** Font of the figures, as the canvas wants it. */
  readonly font: string;
}

/** Reads the colours from the page's style sheet. */
export function readChartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: value('--ink'),
    inkSoft: value('--ink-soft'),
    sea: value('--sea'),
    line: value('--sea-line'),
    depths: ['--depth-1', '--depth-2', '--depth-3', '--depth-4'].map(value),
    overprint: value('--overprint'),
    font: `italic 14px ${value('--serif')}`,
  };
}
