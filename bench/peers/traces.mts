import { randomFrom } from './random.mjs';
import { SOURCE_RATE } from './speech-signal.mjs';

/** Audio per frame: 40 ms, as the service sends it. */
export const FRAME_SAMPLES = (SOURCE_RATE * 40) / 1000;
const FRAME_MS = 40;
const STALL_MS = 200;

/** Time at which each frame leaves the server, in ms after the first; never decreases. */
export type Schedule = readonly number[];

/** Timing of frames. */
export type Trace = (frames: number, seed: number) => Schedule;

/** Twice real time. There is always enough audio, so a correct player plays all of it without a fault. */
export const ahead: Trace = (frames) => times(frames, (frame) => (frame * FRAME_MS) / 2);

/** Exactly real time, each frame when it is due. */
export const paced: Trace = (frames) => times(frames, (frame) => frame * FRAME_MS);

/** Real time with a stall of 200 ms every 1.1 to 1.7 s. Held-back frames then arrive all at once, as with TCP. */
export const stalls: Trace = (frames, seed) => {
  const random = randomFrom(seed);
  let from = 1000 + 400 * random();
  return times(frames, (frame) => {
    const due = frame * FRAME_MS;
    while (due >= from + STALL_MS) from += 1100 + 600 * random();
    return due > from ? from + STALL_MS : due;
  });
};

/** Real time with each frame late by the absolute value of a normal variable of deviation 30 ms, in order. */
export const jitter: Trace = (frames, seed) => {
  const random = randomFrom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let latest = 0;
  return times(frames, (frame) => {
    latest = Math.max(latest, frame * FRAME_MS + (frame === 0 ? 0 : Math.abs(30 * normal())));
    return latest;
  });
};

/** A producer that makes 0.91 s of speech per second. */
export const slow: Trace = (frames) => times(frames, (frame) => (frame * FRAME_MS) / 0.91);

/** Twenty times real time. */
export const burst: Trace = (frames) => times(frames, (frame) => (frame * FRAME_MS) / 20);

function times(frames: number, at: (frame: number) => number): Schedule {
  return Array.from({ length: frames }, (_, frame) => at(frame));
}
