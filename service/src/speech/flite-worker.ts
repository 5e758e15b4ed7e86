import { parentPort, workerData } from 'node:worker_threads';
import { FliteProgram, type FliteOrder } from './flite-program.js';
import { shiftPitch } from './pitch-shift.js';
import { trimSilence } from './silence.js';

/** What the engine asks of this thread. */
export interface FliteTask extends FliteOrder {
  readonly sampleRate: number;
  /** Factor by which the finished speech is played faster, which raises its pitch; 1 leaves it as it is. */
  readonly playback: number;
  /** Silence to keep after the last sound, in seconds. */
  readonly keptAfter: number;
}

/** What this thread answers: that it is ready, then one answer to each task. `samples`' buffer is transferred. */
export type FliteAnswer = 'ready' | { readonly samples: Int16Array } | { readonly problem: string };

/** What the thread is started with. */
export interface FliteWorkerData {
  readonly module: WebAssembly.Module;
}

const port = parentPort!;
const flite = new FliteProgram((workerData as FliteWorkerData).module);

// The first runs are slow, until the engine's code is compiled well. So nobody waits for them.
for (const voice of ['slt', 'kal16', 'slt']) {
  flite.speak({ text: 'Ready.', voice, stretch: null, pitch: 1 });
  flite.recover();
}

port.on('message', (task: FliteTask) => {
  const answer = work(task);
  port.postMessage(answer, 'samples' in answer ? [answer.samples.buffer as ArrayBuffer] : []);
  flite.recover();
});
port.postMessage('ready' satisfies FliteAnswer);

function work(task: FliteTask): Exclude<FliteAnswer, 'ready'> {
  try {
    const { samples, sampleRate } = flite.speak(task);
    if (sampleRate !== task.sampleRate) throw new Error(`flite made ${sampleRate} Hz, not ${task.sampleRate}`);
    return { samples: trimSilence(shiftPitch(samples, sampleRate, task.playback), sampleRate, task.keptAfter) };
  } catch (error) {
    return { problem: String(error) };
  }
}
