/** The stretch of time that is shown, in seconds of the recording's clock. */
export interface TimeView {
  /** Its right edge. */
  readonly toSeconds: number;
  readonly spanSeconds: number;
}

/** The least that is shown: a few readings. */
export const SPAN_MIN_SECONDS = 0.25;

/** What there is to be shown. */
export interface TimeRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/**
 * Shows `factor` times as much.
 *
 * @param anchorSeconds - A time that stays where it is.
 */
export function zoom(view: TimeView, factor: number, anchorSeconds: number, range: TimeRange): TimeView {
  const most = Math.max(SPAN_MIN_SECONDS, range.toSeconds - range.fromSeconds);
  const spanSeconds = Math.min(most, Math.max(SPAN_MIN_SECONDS, view.spanSeconds * factor));
  const share = (view.toSeconds - anchorSeconds) / view.spanSeconds;
  return pan({ toSeconds: anchorSeconds + share * spanSeconds, spanSeconds }, 0, range);
}

/** Moves by `seconds`, and not beyond what there is; what is shorter than the view is at its left. */
export function pan(view: TimeView, seconds: number, range: TimeRange): TimeView {
  const least = range.fromSeconds + view.spanSeconds;
  return { ...view, toSeconds: Math.max(least, Math.min(range.toSeconds, view.toSeconds + seconds)) };
}

/** Moves as little as it takes for `seconds` to be in sight. */
export function reveal(view: TimeView, seconds: number, range: TimeRange): TimeView {
  const from = view.toSeconds - view.spanSeconds;
  if (seconds < from) return pan(view, seconds - from - view.spanSeconds / 4, range);
  if (seconds > view.toSeconds) return pan(view, seconds - view.toSeconds + view.spanSeconds / 4, range);
  return view;
}

/** Steps between marks on the axis, in seconds. */
const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];

/** The least step of which no more than `marksMax` fit into the view. */
export function stepFor(spanSeconds: number, marksMax: number): number {
  return steps.find((step) => spanSeconds / step <= marksMax) ?? 600;
}

/** The index of the last item at or before `atSeconds`; -1 if there is none. Items are in order. */
export function indexAt(items: readonly { readonly atSeconds: number }[], atSeconds: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.atSeconds <= atSeconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
