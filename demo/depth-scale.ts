/** Depths that get a line and a figure, in seconds: from one frame to a whole chapter. */
export const soundings = [0, 0.1, 0.5, 1, 2, 5, 10, 20, 40, 120, 600, 3600] as const;

/** Depth below which the scale is linear and above which it is logarithmic (uPlot's arcsinh scale), in seconds. */
export const linearBelowSeconds = 0.2;

/** Depths at which the tint of the water changes, in seconds. Shallow water is the darker, as on a chart. */
export const contoursSeconds = [0.5, 2, 5] as const;

/** The depth the picture reaches up to, so that `deepestSeconds` stays clear of the top. */
export function scaleTopSeconds(deepestSeconds: number): number {
  return soundings.find((sounding) => sounding >= 1 && sounding >= deepestSeconds * 1.4) ?? deepestSeconds * 1.4;
}
