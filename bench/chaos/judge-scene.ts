import { createHash } from 'node:crypto';
import type { ChaosScene, UtteranceReport } from './scene.js';

/** A scene that has ended, with everything that is known about it. */
export interface PlayedScene {
  readonly scene: ChaosScene;
  readonly reports: readonly UtteranceReport[];
  /** Everything that was broken meanwhile: connections that were cut, and outages. */
  readonly broken: readonly string[];
  /** Number of WebSockets that the page tried to open. */
  readonly attempts: number;
}

const SAMPLE_RATE = 24_000;

/** Number of sockets that an utterance without audio gets: the first and three retries. */
const ATTEMPTS = 4;

/** Reasons with which a broken connection may end an utterance. */
const REASONS = ['session-request-failed', 'socket-failed', 'socket-closed'];

/**
 * Close codes that a broken connection may cause: none for a service that is silent, 1006, 4408 if its messages do not
 * arrive, and 4500 without a database.
 */
const CLOSE_CODES = [null, 1006, 4408, 4500];

/**
 * Returns whatever is not as it must be, in sentences.
 *
 * @param speech - The speech of each text, as the service sends it.
 */
export function faultsOf(played: PlayedScene, speech: ReadonlyMap<string, Int16Array>): string[] {
  const { reports, scene } = played;
  const faults = reports.flatMap((report) =>
    [...faultsOfUtterance(report, played, speech.get(report.text)!)].map((it) => `${it}: ${JSON.stringify(report)}`),
  );
  if (reports.length !== scene.texts.length) faults.push(`${reports.length} of ${scene.texts.length} utterances`);
  return faults;
}

function* faultsOfUtterance(
  report: UtteranceReport,
  { attempts, broken, scene }: PlayedScene,
  speech: Int16Array,
): Generator<string> {
  const { closeCode, ends, heardSeconds, heardText, isCancelled, outcome, samples, text } = report;
  if (ends > 1) yield `${ends} events utteranceend`;
  if (isCancelled !== (outcome === 'AbortError')) yield isCancelled ? 'it was cancelled' : 'nobody has cancelled it';
  if (isCancelled) return;
  // A speaker that is removed forgets the speech of utterances that were over.
  const isForgotten = samples === null && scene.act === 'remove';
  const heard = heardSeconds * SAMPLE_RATE;
  if (!matches(report, speech)) yield 'its samples are not the beginning of the speech';
  if (!isForgotten && Math.abs(heard - (samples ?? 0)) > 1) yield 'what was received was not heard';
  if (outcome === 'finished') {
    if (Math.abs(heard - speech.length) > 1) yield `the speech has ${speech.length} samples`;
    if (heardText !== text) yield 'its text was not heard';
    if (ends !== 1) yield 'no event utteranceend';
    return;
  }
  if (!REASONS.includes(outcome) || !CLOSE_CODES.includes(closeCode)) yield 'no broken connection causes this error';
  if (broken.length === 0) yield 'nothing was broken';
  const isRetried = outcome !== 'session-request-failed' && closeCode !== null && heardSeconds === 0;
  if (isRetried && attempts < ATTEMPTS) yield `it failed after ${attempts} sockets`;
}

/** Returns true if the received samples are the beginning of the speech. */
function matches({ digest, samples }: UtteranceReport, speech: Int16Array): boolean {
  const part = speech.subarray(0, samples ?? 0);
  return (
    digest ===
    createHash('sha256')
      .update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
      .digest('hex')
  );
}
