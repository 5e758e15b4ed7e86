/**
 * Workarounds for engines that the initially loaded part of this folder calls as functions. Each other workaround is in
 * the file that needs it.
 *
 * Each workaround has an id. docs/browsers.md lists the ids of the whole package with their files. A test in
 * test/engines/expectations that names the id fails once the engine no longer needs the workaround. If there is no test,
 * the comment gives the reason.
 *
 * The part that is loaded on demand must not import this file. Otherwise bundlers would move it into a separate file,
 * and a page would have to load one more file before it can play.
 */

/** Milliseconds of rendered sound that may be in transit to the device beyond the reported latency. */
const TAIL_MS = 100;

/** Seconds from rendering to the ear, measured with PulseAudio, for engines that do not report the latency. */
const FIREFOX_LATENCY = 0.03;
const WEBKITGTK_LATENCY = 0.06;

/**
 * `firefox-latency-hang`: on Linux, the page may hang forever when it reads `outputLatency` while a worklet renders.
 * The page waits for the sound server's thread, and that thread waits for the graph's lock, which the page holds.
 * Feature detection cannot identify this engine, so the user agent is read, once. No bug report is known.
 */
const readingLatencyHangs = /Linux.*Firefox/.test(globalThis.navigator?.userAgent ?? '');

/**
 * Returns the time from a sample's context time until it is heard, in seconds, 0 to 1.
 *
 * - `firefox-latency-hang`: uses a constant, so that `outputLatency` is not read.
 * - `webkitgtk-zero-latency`: `outputLatency` is 0, so a constant replaces it. Only WebKit's Cocoa ports report a
 *   value: https://bugs.webkit.org/show_bug.cgi?id=285826
 * - `no-output-latency`: Safari before 18.4 and standardized-audio-context have no `outputLatency`; `baseLatency` is
 *   the closest value. No such engine is available for a test.
 */
export function latencyOf(context: AudioContext): number {
  if (readingLatencyHangs) return FIREFOX_LATENCY;
  const { outputLatency, baseLatency } = context;
  if (outputLatency === 0) return WEBKITGTK_LATENCY;
  return Math.min(1, Math.max(0, outputLatency ?? baseLatency)) || 0;
}

/**
 * `close-cuts-tail`: in every engine, `close()` discards sound that a context has rendered and the device has not
 * played, and engines underestimate its length. The Web Audio API does not specify what happens to it.
 *
 * @returns Milliseconds to wait between the last sample and `close()`.
 */
export function tailMs(context: AudioContext): number {
  return 1000 * latencyOf(context) + TAIL_MS;
}

/**
 * `chromium-insecure-worklet-node`: on an insecure page, Chromium has AudioWorkletNode but no AudioWorklet to load a
 * processor. It has no test, because the test pages are secure.
 */
export function hasAudioWorklet(): boolean {
  return 'AudioWorklet' in globalThis;
}

/**
 * `firefox-autoplay-policy`: only Firefox reports whether a context may play without a gesture. In other engines,
 * `false` means unknown.
 */
export function mayPlayWithoutGesture(): boolean {
  const { getAutoplayPolicy } = navigator as { getAutoplayPolicy?(type: 'audiocontext'): string };
  return getAutoplayPolicy?.call(navigator, 'audiocontext') === 'allowed';
}

/**
 * `webkit-interrupted`: while another program uses the sound device, for example during a call, the state is
 * `interrupted`. A context that is resumed during the interruption runs with a frozen clock, so resume it only from
 * `suspended`. https://github.com/WebAudio/web-audio-api/issues/2392 describes the state. It has no test: the test
 * machines cannot cause an interruption.
 */
export function mayResume(context: AudioContext): boolean {
  return context.state === 'suspended';
}
