/** Reads an article in the page of the soak. */
import type { SvcSpeakerElement } from '../../src/index.js';
import { read } from '../../src/reader/index.js';
import { generatePcm } from '../../src/testing/pcm.js';
import { PAUSE_SECONDS, SPEECH_RATE } from './day.js';
import { sampleFault } from './sample-fault.js';
import { paragraphAt, type Scene, type SceneReport } from './scene.js';

/** Silence beyond the pause that counts as none, in seconds: the edges of speech that is resampled. */
const EDGE_SECONDS = 0.005;

/** Time between two paragraphs of which the report names when it was, in seconds. */
const LATE_SECONDS = 2;

/** Measures the longest silence between two sounds, in samples; the answer to any message, which also ends it. */
const PAUSE_METER = `registerProcessor('pause-meter', class extends AudioWorkletProcessor {
  silent = -Infinity;
  longest = 0;
  isOver = false;
  constructor() {
    super();
    this.port.onmessage = () => {
      this.port.postMessage(this.longest);
      this.isOver = true;
    };
  }
  process([[samples = new Float32Array(128)]]) {
    for (const sample of samples) {
      if (Math.abs(sample) < 0.0001) this.silent++;
      else {
        this.longest = Math.max(this.longest, this.silent);
        this.silent = 0;
      }
    }
    return !this.isOver;
  }
});`;

const metered = new WeakSet<BaseAudioContext>();

/** Reads the paragraphs of a scene to the end. Compares each with what was sent when it ends, and measures the pauses. */
export async function readArticle(speaker: SvcSpeakerElement, scene: Scene): Promise<SceneReport> {
  const article = document.createElement('article');
  article.append(
    ...Array.from({ length: scene.utterances }, (_, index) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = paragraphAt(index);
      return paragraph;
    }),
  );
  document.body.append(article);
  const [outcomes, faults]: [string[], string[]] = [[], []];
  const spoken = generatePcm(scene.speech, scene.speech.samples);
  const withPause = new Int16Array(spoken.length + PAUSE_SECONDS * SPEECH_RATE);
  withPause.set(spoken);
  let meter: Promise<AudioWorkletNode> | undefined;
  let heard = 0;
  let endedAt = Infinity;
  speaker.addEventListener('utterancestart', () => {
    meter ??= meterOf(speaker);
    const seconds = (performance.now() - endedAt) / 1000;
    if (seconds > LATE_SECONDS) {
      faults.push(`${new Date().toISOString()}: paragraph ${heard + 1} began ${seconds} s after the one before`);
    }
  });
  let check: Promise<void> | undefined;
  speaker.addEventListener('utteranceend', ({ utterance }) => {
    outcomes.push('finished');
    endedAt = performance.now();
    const expected = ++heard === scene.utterances ? spoken : withPause;
    // In the same task, while all of it is in the history.
    check = sampleFault(utterance, expected).then(
      (fault) => void (fault && faults.push(`${utterance.text}: ${fault}`)),
      (error: unknown) => void faults.push(String(error)),
    );
  });
  const { finished } = read(speaker, article);
  await finished.catch(({ name, reason }: { name: string; reason?: string }) => outcomes.push(reason ?? name));
  await check;
  article.remove();
  if (heard !== scene.utterances) faults.push(`${heard} of ${scene.utterances} paragraphs heard: ${outcomes.at(-1)}`);
  if (meter) {
    const pause = await longestPause(await meter);
    if (pause > PAUSE_SECONDS + EDGE_SECONDS) faults.push(`a pause of ${pause} s, not ${PAUSE_SECONDS}`);
  }
  return { outcomes, faults, meteredSeconds: speaker.getStats().socketOpenMs / 1000 };
}

async function meterOf({ outputNode }: SvcSpeakerElement): Promise<AudioWorkletNode> {
  const { context } = outputNode!;
  if (!metered.has(context)) {
    metered.add(context);
    await context.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(PAUSE_METER)}`);
  }
  const meter = new AudioWorkletNode(context, 'pause-meter', { numberOfOutputs: 0 });
  outputNode!.connect(meter);
  return meter;
}

/** Ends a meter, and returns its longest pause in seconds. */
async function longestPause(meter: AudioWorkletNode): Promise<number> {
  const answer = new Promise<number>((resolve) => {
    meter.port.onmessage = ({ data }) => resolve(data as number);
  });
  meter.port.postMessage(null);
  const samples = await answer;
  meter.port.close();
  return samples / meter.context.sampleRate;
}
