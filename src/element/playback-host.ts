import { type Ducking, type HostContext, type PlayoutSettings, SpeakerOutput } from '../output/index.js';
import { threadClock } from '../base/thread-clock.js';
import { type LoadedPart, type PlaybackEvent, type PlaybackHost, SpeakerError } from '../playback/index.js';
import type { AudioSource } from '../launch/audio-input.js';
import type { SessionSource } from '../sessions/session-source.js';
import type { Lexicon } from '../speakable/marks.js';
import type { ReflectedProperties } from './attributes.js';

/** Rejects with a `SpeakerError` if a file of the player does not load. */
const loaded = <T>(file: Promise<T>): Promise<T> =>
  file.catch((cause: unknown) => {
    // A page that was open while its site was updated requests a file that is gone.
    throw new SpeakerError('output-failed', 'A file of the player did not load. Reload the page.', { cause });
  });

/** The part of the player that is needed with the first utterance, once it is loaded. */
let rest: typeof import('./on-demand.js') | undefined;

/** Loads the part of the player that is needed with the first utterance. */
export const onDemand = async () => (rest ??= await loaded(import('./on-demand.js')));

/** Properties of the element that its playback reads. */
export interface SpeakerSettings
  extends Readonly<ReflectedProperties>, Pick<PlayoutSettings, 'playbackRate' | 'preservesPitch' | 'destination'> {
  readonly lexicon: Lexicon | null;
  readonly audioContext: HostContext | null;
  readonly sinkId: string;
  readonly muted: boolean;
  readonly volume: number;
}

/** Level of speech, as set by `duck` and `unduck`. */
export interface DuckingSource {
  readonly ducking: Ducking;
  silenced(): void;
}

/** Connects the rooms for one element. The host reads the element's properties at the moment of each call. */
export function playbackHost(
  element: SpeakerSettings & Element,
  source: SessionSource,
  sound: DuckingSource,
  dispatch: (event: PlaybackEvent) => void,
): PlaybackHost {
  const part = ({ heardCharacters, createBroker, openChannel }: typeof import('./on-demand.js')): LoadedPart => ({
    heardCharacters,
    createBroker: (facts) => createBroker(source, facts),
    openChannel: (...listeners) => openChannel(element.workerUrl, ...listeners),
  });
  return {
    clock: threadClock,
    get hasSource() {
      return source.exists;
    },
    get sessionWish() {
      return source.wish;
    },
    get audioUrl() {
      return source.audioUrl || null;
    },
    get keepOpen() {
      // While the page is hidden, the listener is not waiting for the next word.
      return element.keepOpen && !document.hidden;
    },
    get history() {
      return element.history;
    },
    get lead() {
      // More than the jitter buffer waits for.
      return element.resume === 'none' ? null : Math.max(600, element.jitterBufferTarget + 200) / 1000;
    },
    get transport() {
      return element.transport;
    },
    get playbackRate() {
      return element.playbackRate;
    },
    get text() {
      return element.text || null;
    },
    get resumesOnGesture() {
      // With controls, their button resumes. But if the context runs before any gesture, it was only slow to start.
      return !(element.controls && (navigator.userActivation?.hasBeenActive ?? true));
    },
    dispatch,
    silenced: () => sound.silenced(),
    load: () => (rest ? part(rest) : onDemand().then(part)),
    makeVtt: async (...spoken) => (await loaded(import('./web-vtt.js'))).vttOf(element, ...spoken),
    makeWords: async (facts) => (await loaded(import('../playback/words.js'))).makeSpokenWords(facts),
    openOutput: (...listeners) =>
      new SpeakerOutput(
        () => choiceOf(element),
        () => ({ ...settingsOf(element), ducking: sound.ducking }),
        ...listeners,
      ),
    prepareAudio: async ({ source: audio, sampleRate }, over) => {
      const { prepareAudio } = await loaded(import('../launch/audio-input.js'));
      return prepareAudio(audio as AudioSource, sampleRate, element.crossOrigin, over);
    },
    spokenAs: element,
    readText: async (...reading) => (await loaded(import('./read-text.js'))).readTextOf(element, ...reading),
  };
}

/** Returns the output that the page wants. */
function choiceOf({ audioBackend, transport, workletUrl, audioContext, destination, sinkId }: SpeakerSettings) {
  return { audioBackend, sinkId, transport, workletUrl, audioContext: audioContext ?? destination?.context ?? null };
}

/** Returns the sound settings that the page wants. */
function settingsOf(element: SpeakerSettings) {
  const { playbackRate, preservesPitch, resampler, destination } = element;
  return {
    gain: element.muted ? 0 : element.volume,
    targetDelayMs: element.jitterBufferTarget,
    leadInMs: element.leadIn,
    adaptive: element.jitterBuffer !== 'fixed',
    playbackRate,
    preservesPitch,
    resampler,
    destination,
  };
}
