/** The page of the chaos: plays scenes with `<svc-speaker>`, several at a time. Sets `window.chaos`. */
import type { SpeakerError, SvcSpeakerElement, Utterance } from '../../src/index.js';
import type { ChaosScene, UtteranceReport } from './scene.js';

declare global {
  interface Window {
    /** Plays a scene with a speaker of its own, whose sessions come from `endpoint`. */
    chaos(scene: ChaosScene, endpoint: string): Promise<UtteranceReport[]>;
  }
}

const WAV_HEADER_BYTES = 44;

interface Spoken {
  readonly utterance: Utterance;
  readonly text: string;
  /** Resolves after the utterance has settled. */
  readonly settled: Promise<void>;
  outcome: string;
  message: string;
  closeCode: number | null;
  heard: { readonly seconds: number; readonly text: string };
  ends: number;
  isCancelled: boolean;
}

window.chaos = async (scene, endpoint) => {
  const speaker = document.createElement('svc-speaker');
  const attributes = { ...scene.attributes, 'session-endpoint': endpoint };
  for (const [name, value] of Object.entries(attributes)) speaker.setAttribute(name, value);
  document.body.append(speaker);
  const all: Spoken[] = [];
  speaker.addEventListener('utteranceend', ({ utterance }) => {
    for (const each of all) if (each.utterance === utterance) each.ends++;
  });
  const over = speakAll(speaker, scene, all);
  if (scene.act) {
    await Promise.race([over, pass(scene.atSeconds)]);
    await act(speaker, scene, all);
  }
  await over;
  const reports = await Promise.all(all.map(reportOf));
  speaker.remove();
  return reports;
};

async function speakAll(speaker: SvcSpeakerElement, { texts, isInTurn }: ChaosScene, all: Spoken[]): Promise<void> {
  for (const text of texts) {
    const spoken = speak(speaker, text);
    all.push(spoken);
    if (isInTurn) await spoken.settled;
  }
  await Promise.all(all.map(({ settled }) => settled));
}

function speak(speaker: SvcSpeakerElement, text: string): Spoken {
  const utterance = speaker.speak(text);
  const settle = (outcome: string, message = '', closeCode: number | null = null): void => {
    Object.assign(spoken, { outcome, message, closeCode, heard: utterance.heard });
  };
  const spoken: Spoken = {
    utterance,
    text,
    outcome: '',
    message: '',
    closeCode: null,
    heard: { seconds: 0, text: '' },
    ends: 0,
    isCancelled: false,
    settled: utterance.finished.then(
      () => settle('finished'),
      ({ name, message, reason, closeCode }: Error & Partial<SpeakerError>) =>
        settle(reason ?? name, message, closeCode ?? null),
    ),
  };
  return spoken;
}

async function act(speaker: SvcSpeakerElement, scene: ChaosScene, all: readonly Spoken[]): Promise<void> {
  if (scene.act === 'pause') {
    speaker.pause();
    await pass(scene.actSeconds);
    // Without speech, play() would want a text.
    if (speaker.hasSpeech) await speaker.play().catch(() => {}); // an utterance that fails has the error
    return;
  }
  for (const each of all) each.isCancelled = each.outcome === '';
  if (scene.act === 'cancel') speaker.cancel();
  else speaker.remove();
}

async function reportOf(spoken: Spoken): Promise<UtteranceReport> {
  const { closeCode, ends, heard, isCancelled, message, outcome, text, utterance } = spoken;
  const bytes = await utterance.toBlob().then(
    (blob) => blob.arrayBuffer(),
    () => null,
  );
  const samples = bytes && bytes.slice(WAV_HEADER_BYTES);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', samples ?? new ArrayBuffer(0)));
  return {
    text,
    outcome,
    message,
    closeCode,
    ends,
    isCancelled,
    heardSeconds: heard.seconds,
    heardText: heard.text,
    samples: samples && samples.byteLength / 2,
    digest: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

function pass(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}
