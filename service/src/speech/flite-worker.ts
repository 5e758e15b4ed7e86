import { parentPort, workerData } from 'node:worker_threads';
import { FliteProgram, type FliteOrder } from './flite-program.js';
import type { SpokenToken } from './flite-words.js';
import { joinSamples } from './join-samples.js';
import { mapTimes } from './map-times.js';
import { createRateConverter } from './rate-converter.js';
import { SilenceTrimmer } from './silence.js';

/** Lengths of the parts that are sent, in seconds: first one frame, for an early start, then eight frames at a time. */
const FIRST_SECONDS = 0.06;
const PART_SECONDS = 0.48;

/** Minimum length of the last part of a piece, in seconds, so that no frame is very short. */
const LAST_SECONDS = 0.06;

/** A request to this thread. */
export interface FliteTask extends FliteOrder {
  /** Rate of the voice, in Hz. */
  readonly voiceRate: number;
  /** Factor on the playback rate of the finished speech, which also raises its pitch; 1 is unchanged. */
  readonly playback: number;
  /** Silence to keep after the last sound, in seconds. */
  readonly keptAfter: number;
  /** Rate of the samples to deliver, in Hz. */
  readonly sampleRate: number;
  /** True to report what is spoken when, too. */
  readonly timings: boolean;
}

/**
 * Answers of this thread. It sends `ready` once. For each task it sends the samples in parts as they are made, then `done`
 * or the problem. The buffers of samples are transferred. Before the first samples of an utterance, it sends the tokens
 * that are spoken in it; their times count from the first sample of the task.
 */
export type FliteAnswer =
  | 'ready'
  | { readonly samples: Int16Array }
  | { readonly tokens: readonly SpokenToken[] }
  | 'done'
  | { readonly problem: string };

/** Data that the thread is started with. */
export interface FliteWorkerData {
  readonly module: WebAssembly.Module;
}

const port = parentPort!;
const flite = new FliteProgram((workerData as FliteWorkerData).module);

// Warm up: the first runs are slow, until the code has been optimized.
for (const voice of ['slt', 'kal16', 'slt']) {
  flite.speak({ text: 'Ready.', voice, stretch: null, pitch: 1 }, () => {});
  flite.recover();
}

port.on('message', (task: FliteTask) => {
  try {
    speak(task);
    answer('done');
  } catch (error) {
    answer({ problem: String(error) });
  }
  flite.recover();
});
answer('ready');

function speak(task: FliteTask): void {
  const { keptAfter, playback, sampleRate, timings, voiceRate } = task;
  // Faster playback raises the pitch, as on a turntable. The factor is rounded to 1/100, which is not audible.
  const playedRate = Math.round((voiceRate * Math.round(playback * 100)) / 100);
  const trimmer = new SilenceTrimmer(playedRate, keptAfter);
  const converter = createRateConverter(playedRate, sampleRate);
  let waiting: Int16Array<ArrayBuffer> = new Int16Array();
  let partSeconds = FIRST_SECONDS;
  let tokens: SpokenToken[] = [];
  const send = (samples: Int16Array<ArrayBuffer>): void => {
    // By now, it is known how much silence is cut.
    const inSpeech = (at: number): number => Math.max(0, (at * voiceRate - trimmer.cut) / playedRate);
    if (tokens.length > 0) answer({ tokens: tokens.map((token) => mapTimes(token, inSpeech)) });
    tokens = [];
    port.postMessage({ samples } satisfies FliteAnswer, [samples.buffer]);
  };
  const add = (samples: Int16Array): void => {
    waiting = joinSamples([waiting, samples]);
    while (waiting.length > (partSeconds + LAST_SECONDS) * sampleRate) {
      const count = Math.round(partSeconds * sampleRate);
      send(waiting.slice(0, count));
      waiting = waiting.slice(count);
      partSeconds = PART_SECONDS;
    }
  };
  const take = (samples: Int16Array, rate: number): void => {
    if (rate !== voiceRate) throw new Error(`flite makes ${rate} Hz, not ${voiceRate}`);
    add(converter.convert(trimmer.push(samples)));
  };
  flite.speak(task, take, timings ? (more) => void tokens.push(...more) : undefined);
  add(converter.convert(trimmer.end()));
  add(converter.flush());
  if (waiting.length > 0) send(waiting);
}

function answer(what: FliteAnswer): void {
  port.postMessage(what);
}
