import type { PageRecorderOptions } from '../page-recording.js';
import { MediaElements } from './media-elements.js';
import { Speakers } from './speakers.js';
import { moduleLoader, Taps } from './taps.js';
import { watchGraph } from './watch-graph.js';
import { watchWorkers } from './watch-workers.js';

/** Installs `window.svcSpeakerRecorder`. Runs in the page before any of its scripts. */
export function installPageRecorder({ sampleRate, fromStart, processor, processorUrl }: PageRecorderOptions): void {
  const speakers = new Speakers();
  const taps = new Taps(speakers, fromStart, moduleLoader(processor, processorUrl));
  const contexts = watchGraph(taps, speakers, sampleRate);
  const workers = watchWorkers();
  new MediaElements(taps, sampleRate).watch();
  speakers.watch(taps);
  for (const type of ['click', 'keydown']) addEventListener(type, () => taps.mark(type), { capture: true });
  window.svcSpeakerRecorder = {
    start: () => taps.start(),
    read: (speaker, had) => taps.read(speaker, had),
    mark: (name) => taps.mark(name),
    count: () => ({
      contexts: [...contexts].filter(({ state }) => state !== 'closed').length,
      workers: workers.size,
    }),
  };
}
