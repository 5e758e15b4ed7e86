import type { StreamObserver } from '../stream/stream-observer.js';

/** Combines observers into one that notifies each of them, in order. */
export function combineObservers(...observers: readonly StreamObserver[]): StreamObserver {
  return {
    opened() {
      for (const each of observers) each.opened();
    },
    closed(code, openMs) {
      for (const each of observers) each.closed(code, openMs);
    },
    refused(code) {
      for (const each of observers) each.refused(code);
    },
    firstFrame(ms) {
      for (const each of observers) each.firstFrame(ms);
    },
    frameSent(seconds) {
      for (const each of observers) each.frameSent(seconds);
    },
    contextEnded(...ending) {
      for (const each of observers) each.contextEnded(...ending);
    },
  };
}
