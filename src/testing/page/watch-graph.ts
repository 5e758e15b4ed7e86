import { native } from './native.js';
import type { Speakers } from './speakers.js';
import type { Taps } from './taps.js';

/**
 * Replaces functions of Web Audio, so that every context of the page gets a tap, and every node that is connected to a
 * destination is also connected to it.
 *
 * @param sampleRate - Forced on every context, in Hz; null for each context's own rate.
 * @returns The contexts that the page has created.
 */
export function watchGraph(taps: Taps, speakers: Speakers, sampleRate: number | null): Set<AudioContext> {
  const pageContexts = new Set<AudioContext>();
  window.AudioContext = class extends native.AudioContext {
    constructor(options?: AudioContextOptions) {
      super(sampleRate === null ? options : { ...options, sampleRate });
      pageContexts.add(this);
      taps.open(this);
    }
  };
  // The page's own modules load after the tap's, so that nothing can play before the tap listens.
  AudioWorklet.prototype.addModule = async function (this: AudioWorklet, ...module: unknown[]) {
    await taps.moduleLoaded(this);
    return native.addModule.apply(this, module);
  };
  AudioNode.prototype.connect = function (this: AudioNode, to: unknown, ...ports: unknown[]) {
    const result = native.connect.call(this, to, ...ports);
    const isHeard = to instanceof AudioDestinationNode;
    const isOurs = pageContexts.has(this.context as AudioContext);
    if (isOurs && (isHeard || speakers.isDestination(to))) taps.of(this.context)?.listen(this, isHeard);
    return result;
  } as typeof AudioNode.prototype.connect;
  AudioNode.prototype.disconnect = function (this: AudioNode, ...from: unknown[]) {
    native.disconnect.apply(this, from);
    const isFromAll = from.length === 0;
    const isAway = isFromAll || from[0] === this.context.destination || speakers.isDestination(from[0]);
    if (isAway) taps.of(this.context)?.leave(this, isFromAll);
  };
  return pageContexts;
}
