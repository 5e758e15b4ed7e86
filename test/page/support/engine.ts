/** The engine that runs this page. */
export const engine: 'chromium' | 'firefox' | 'webkit' = /Firefox/.test(navigator.userAgent)
  ? 'firefox'
  : /Chrom/.test(navigator.userAgent)
    ? 'chromium'
    : 'webkit';

/**
 * Number of further contexts that a speaker may need after it has resumed one. In WebKitGTK, about one of a hundred
 * resumed contexts stands still for good, and the speaker goes on in another (quirk `webkit-frozen-clock`).
 */
export const spareContexts = engine === 'webkit' ? 1 : 0;

/**
 * Returns `it`, or a function that adds a skipped test with the reason in its name.
 *
 * @param lacking - Reason to skip: a feature that this engine or its driver lacks; null to run the test.
 */
export function itUnless(lacking: string | null): (title: string, test: Mocha.Func | Mocha.AsyncFunc) => Mocha.Test {
  if (lacking === null) return (title, test) => it(title, test as Mocha.AsyncFunc);
  return (title) => it.skip(`${title} (${engine}: ${lacking})`);
}

/** Like `itUnless`, for `describe`. */
export function describeUnless(lacking: string | null): (title: string, suite: () => void) => Mocha.Suite | void {
  if (lacking === null) return describe;
  return (title, suite) => describe.skip(`${title} (${engine}: ${lacking})`, suite);
}

/** Only Chromium's driver can emulate user preferences. */
export const preferences: string | null =
  engine === 'chromium' ? null : 'its driver cannot set preferences of the user';

export const narrowPages: string | null = engine === 'webkit' ? 'its window is never narrower than 447 pixels' : null;

/** The volume slider is the engine's own: the keyboard does there what it does in every slider. */
export const mirroredKeys: string | null =
  engine === 'webkit' ? 'in its sliders, ArrowLeft lowers the value from right to left, too' : null;

/** In Firefox and WebKit, the page's main thread reads the sockets of its workers. */
export const ownSockets: string | null = engine === 'chromium' ? null : 'the socket of a worker waits for the page';

/** Engines have members of HTMLMediaElement that HTML does not define, and lack others. */
export const ownMembers: string | null = engine === 'chromium' ? null : 'its media elements have other members';

export const sinks: string | null = 'setSinkId' in AudioContext.prototype ? null : 'its contexts have no setSinkId';

/** Offline rendering may end before the worklet is loaded into the context. */
export const patientRendering: string | null = engine === 'firefox' ? 'it renders before the speaker is there' : null;

export const deletableWorklet: string | null =
  engine === 'firefox' ? 'its AudioWorkletNode is there again when it has been deleted' : null;

/** GStreamer's decoder of AAC is in a package that WebKitGTK does not need, and that the tests do not install. */
export const aac: string | null = engine === 'webkit' ? 'its decoder is a separate package' : null;

/** See docs/browsers.md. One removal of about 30 crashed the page. */
export const framesEnd: string | null =
  engine === 'webkit' ? 'it may crash when a frame is removed whose context renders sound' : null;
