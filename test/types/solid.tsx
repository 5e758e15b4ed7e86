/** Compiled, never run. */
/** @jsxImportSource solid-js */
import type { SvcSpeakerElement, SvcSpeakerEventMap } from 'svc-speaker';
import type { SvcSpeakerTagProps } from 'svc-speaker/solid.js';

let element: SvcSpeakerElement | undefined;
const setElement = (speaker: SvcSpeakerElement): void => void (element = speaker);

/** Attributes and properties of the right types. */
export const whole = (
  <svc-speaker
    ref={setElement}
    session-endpoint="/speech/session"
    attr:session-request='{"voice_id":"anna"}'
    prop:sessionProvider={({ signal, reason }) => Promise.resolve(`wss://example.com/?${signal.aborted}${reason}`)}
    prop:session={undefined}
    prop:volume={0.5}
    prop:messages={{ playLabel: 'Listen' }}
    prop:keepOpen={Math.random() > 0.5}
    jitter-buffer-target={200}
    controls
    keep-open={false}
    class="speaker"
    data-testid="speaker"
    on:utteranceend={({ utterance, currentTarget }) => `${utterance.text} ${currentTarget.currentTime}`}
    on:underrun={{ handleEvent: ({ durationMs }) => durationMs.toFixed(), once: true }}
    onClick={(event) => event.currentTarget.cancel()}
  >
    <span slot="play-label">Listen</span>
  </svc-speaker>
);
export const spoken = element?.speak('Hello.');

type Listener = Extract<keyof SvcSpeakerTagProps, `on:${keyof SvcSpeakerEventMap}`>;
/** Each event has a listener. */
export const heard: Record<`on:${keyof SvcSpeakerEventMap}`, true> = {} as Record<Listener, true>;

export const reader = (
  <svc-reader
    for="article"
    speaker="voice"
    highlight="sentence"
    remember={false}
    prop:voices={{ fr: 'ff_siwis' }}
    class="bar"
  />
);

export const wrong = [
  // @ts-expect-error -- no such highlight
  <svc-reader highlight="letters" />,
  // @ts-expect-error -- no voice
  <svc-reader prop:voices={{ fr: 1 }} />,
  // @ts-expect-error -- no such property; a name with a hyphen would pass
  <svc-speaker apiKey="secret" />,
  // @ts-expect-error -- no such property either
  <svc-speaker prop:apiKey="secret" />,
  // @ts-expect-error -- a message is a string
  <svc-speaker prop:messages={{ playLabel: 1 }} />,
  // @ts-expect-error -- no number
  <svc-speaker prop:volume="loud" />,
  // @ts-expect-error -- no such transport
  <svc-speaker transport="pigeon" />,
  // @ts-expect-error -- this event has no utterance
  <svc-speaker on:underrun={({ utterance }) => utterance} />,
  // @ts-expect-error -- Solid delegates this name as written, and no such event is dispatched
  <svc-speaker onUtteranceEnd={() => {}} />,
];
