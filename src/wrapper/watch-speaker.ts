import type {
  Heard,
  SpeakerError,
  SpeakerState,
  SpokenWord,
  SvcSpeakerElement,
  SvcSpeakerEventMap,
  Utterance,
} from '../index.js';

/** Values of a speaker, as returned by `useSpeaker` of a framework. */
export interface SpeakerValues {
  /** State of the speaker. */
  readonly state: SpeakerState;
  /** Position in seconds. */
  readonly currentTime: number;
  /** In seconds; NaN before there is speech, Infinity until its end is known. */
  readonly duration: number;
  /** Part of the latest utterance that has been heard; nothing after `emptied`. */
  readonly heard: Heard;
  /** The word that is heard; null between words. */
  readonly currentWord: SpokenWord | null;
  /** True while `duck()` lowers speech. */
  readonly ducked: boolean;
  /** The error that ended speech, until the next attempt. */
  readonly error: SpeakerError | null;
}

/** Values before there is an element, and on a server. */
export const initialValues: SpeakerValues = Object.freeze({
  state: 'idle',
  currentTime: 0,
  duration: NaN,
  heard: Object.freeze({ seconds: 0, text: '' }),
  currentWord: null,
  ducked: false,
  error: null,
});

/** Events after which a value may have changed. */
const CHANGES = [
  'statechange',
  'timeupdate',
  'durationchange',
  'emptied',
  'seeked',
  'duckstart',
  'duckend',
  'utterancestart',
  'utteranceend',
  'word',
  'error',
] as const satisfies readonly (keyof SvcSpeakerEventMap)[];

/**
 * Reports the values of a speaker immediately and after each change. During playback, `currentTime` and `heard` are
 * reported at each `timeupdate`, and at each word.
 *
 * Main thread.
 *
 * @returns Function that stops the reports.
 */
export function watchSpeaker(speaker: SvcSpeakerElement, report: (values: SpeakerValues) => void): () => void {
  const life = new AbortController();
  let latest = initialValues;
  let utterance: Utterance | undefined;
  const update = (): void => {
    if (life.signal.aborted) return;
    const { state, currentTime, duration, currentWord, ducked, error } = speaker;
    const { seconds, text } = utterance?.heard ?? initialValues.heard;
    const { heard } = latest;
    const isSame = heard.seconds === seconds && heard.text === text;
    const values = {
      state,
      currentTime,
      duration,
      heard: isSame ? heard : { seconds, text },
      currentWord,
      ducked,
      error,
    };
    const names = Object.keys(values) as (keyof SpeakerValues)[];
    if (names.every((name) => Object.is(values[name], latest[name]))) return;
    latest = values;
    report(values);
  };
  const begin = (event: SvcSpeakerEventMap['utterancestart']): void => {
    utterance = event.utterance;
    // `heard` becomes final when the utterance ends. `cancel()` ends it without an event.
    utterance.finished.then(update, update);
  };
  const forget = (): void => (utterance = undefined);
  speaker.addEventListener('utterancestart', begin, { signal: life.signal });
  speaker.addEventListener('emptied', forget, { signal: life.signal });
  for (const type of CHANGES) speaker.addEventListener(type, update, { signal: life.signal });
  update();
  return () => life.abort();
}
