/**
 * Workarounds for engines in the part of this room that is loaded at first.
 *
 * Each workaround has an id. docs/browsers.md lists all ids, with the files of those that are elsewhere. A test that names the
 * id in test/engines/expectations fails once the engine does not need the workaround any more; where there is none, the
 * comment says why.
 *
 * The part that is loaded on demand must not import this file: bundlers would move it into a file of its own, and a page
 * would load one more before it can play.
 */

/** Milliseconds of rendered sound that may be on its way to the device beyond the latency that an engine reports. */
const TAIL_MS = 100;

/** Seconds from rendering to the ear, measured with PulseAudio, for engines that do not report it. */
const FIREFOX_LATENCY = 0.03;
const WEBKITGTK_LATENCY = 0.06;

/**
 * `firefox-latency-hang`: on Linux, the page may hang for good when it reads `outputLatency` while a worklet renders. The
 * page waits for the sound server's thread, and that thread waits for the graph's lock, which the page holds. No feature
 * tells this engine apart, so the user agent is read, once. No bug report is known.
 */
const readingLatencyHangs = /Linux.*Firefox/.test(globalThis.navigator?.userAgent ?? '');

/**
 * Seconds from a sample's context time until it is heard, 0 to 1.
 *
 * - `firefox-latency-hang`: a constant, so that `outputLatency` is not read.
 * - `webkitgtk-zero-latency`: `outputLatency` is 0, a constant instead. Only WebKit's Cocoa ports have a value:
 *   https://bugs.webkit.org/show_bug.cgi?id=285826
 * - `no-output-latency`: Safari before 18.4 and standardized-audio-context have no `outputLatency`; `baseLatency` is the
 *   nearest to it. There is no such engine to test.
 */
export function latencyOf(context: AudioContext): number {
  if (readingLatencyHangs) return FIREFOX_LATENCY;
  const { outputLatency, baseLatency } = context;
  if (outputLatency === 0) return WEBKITGTK_LATENCY;
  return Math.min(1, Math.max(0, outputLatency ?? baseLatency)) || 0;
}

/**
 * `close-cuts-tail`: `close()` discards what a context has rendered and the device has not played, in every engine, and
 * engines underestimate how much that is. The Web Audio API does not say what becomes of it.
 *
 * @returns Milliseconds to wait between the last sample and `close()`.
 */
export function tailMs(context: AudioContext): number {
  return 1000 * latencyOf(context) + TAIL_MS;
}

/**
 * `chromium-insecure-worklet-node`: on a page that is not secure, Chromium has AudioWorkletNode and no AudioWorklet to load
 * a processor with. It has no test, because the test pages are secure.
 */
export function hasAudioWorklet(): boolean {
  return 'AudioWorklet' in globalThis;
}

/**
 * `firefox-autoplay-policy`: only Firefox reports whether a context may play without a gesture. In other engines `false`
 * means that it is unknown.
 */
export function mayPlayWithoutGesture(): boolean {
  const { getAutoplayPolicy } = navigator as { getAutoplayPolicy?(type: 'audiocontext'): string };
  return getAutoplayPolicy?.call(navigator, 'audiocontext') === 'allowed';
}

/**
 * `webkit-interrupted`: while another program has the sound device, as during a call, the state is `interrupted`. A context
 * that is resumed before that is over runs with a clock that stands still, so resume it only from `suspended`.
 * https://github.com/WebAudio/web-audio-api/issues/2392 describes the state. It has no test: nothing here can interrupt.
 */
export function mayResume(context: AudioContext): boolean {
  return context.state === 'suspended';
}
