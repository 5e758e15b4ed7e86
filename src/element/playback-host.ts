import { type OutputChoice, type PlayoutSettings, SpeakerOutput } from '../output/index.js';
import { type PlaybackEvent, type PlaybackHost, SpeakerError } from '../playback/index.js';
import type { TextStream } from './read-sentences.js';
import { canRenew, hasSource, type SessionSources } from './session-sources.js';
import type { SpeakerSound } from './speaker-sound.js';

/** Loads what a page needs with the first word. */
export const onDemand = () =>
  import('./on-demand.js').catch((cause: unknown) => {
    // A page that was open while its site was renewed asks for a file that is gone.
    throw new SpeakerError('output-failed', 'A file of this player did not load: reload the page.', { cause });
  });

/** Puts the rooms together for one element: what its playback needs, as its attributes say at that moment. */
export function playbackHost(
  element: SpeakerSound & SessionSources & { readonly sinkId: string },
  settings: () => PlayoutSettings,
  dispatch: (event: PlaybackEvent) => void,
): PlaybackHost {
  const choice = (): OutputChoice => {
    const { audioBackend, sinkId, transport, workletUrl, destination } = element;
    const audioContext = element.audioContext ?? destination?.context ?? null;
    return { audioBackend, sinkId, transport, workletUrl, audioContext };
  };
  return {
    clock: {
      now: () => performance.timeOrigin + performance.now(),
      setTimeout: (callback, ms) => setTimeout(callback, ms),
      clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    },
    get hasSource() {
      return hasSource(element);
    },
    get canRenew() {
      return canRenew(element);
    },
    get userHasActed() {
      return navigator.userActivation?.hasBeenActive ?? false;
    },
    get keepOpen() {
      // Nobody who looks at another page waits for the next word.
      return element.keepOpen && !document.hidden;
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
    requestSession: async (reason, signal) => (await onDemand()).requestSession(element, reason, signal),
    openChannel: async (...listeners) => (await onDemand()).openChannel(element.workerUrl, ...listeners),
    openOutput: (onLost) => new SpeakerOutput(choice, settings, onLost),
    readSentences: async (stream, ...rest) => (await onDemand()).readSentences(stream as TextStream, ...rest),
  };
}
