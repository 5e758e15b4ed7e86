import type { LineSettings } from '../output/index.js';
import type { PlaybackEvent, PlaybackHost } from '../playback/index.js';
import { openOutput } from './open-output.js';
import { canRenew, hasSource, type SessionSources } from './session-sources.js';
import type { SpeakerAttributes } from './speaker-attributes.js';

const onDemand = () => import('./on-demand.js');

/** Puts the rooms together for one element: what its playback needs, as its attributes say at that moment. */
export function playbackHost(
  element: SpeakerAttributes,
  sources: SessionSources,
  settings: () => LineSettings,
  dispatch: (event: PlaybackEvent) => void,
): PlaybackHost {
  return {
    clock: {
      now: () => performance.timeOrigin + performance.now(),
      setTimeout: (callback, ms) => setTimeout(callback, ms),
      clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    },
    get hasSource() {
      return hasSource(sources);
    },
    get canRenew() {
      return canRenew(sources);
    },
    get userHasActed() {
      return navigator.userActivation?.hasBeenActive ?? false;
    },
    get keepOpen() {
      return element.keepOpen;
    },
    get transport() {
      return element.transport;
    },
    get text() {
      return element.text || null;
    },
    get resumesOnGesture() {
      return !element.controls;
    },
    dispatch,
    requestSession: async (reason, signal) => (await onDemand()).requestSession(sources, reason, signal),
    openChannel: async (onReport) => (await onDemand()).openChannel(element.workerUrl, onReport),
    openOutput: () => openOutput(() => element, settings),
    domException: (message, name) => new DOMException(message, name),
  };
}
