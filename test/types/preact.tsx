/** Compiled, never run. */
/** @jsxImportSource preact */
import { createRef } from 'preact';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from 'svc-speaker';
import type { SvcSpeakerTagProps } from 'svc-speaker/preact.js';

const ref = createRef<SvcSpeakerElement>();

/** Attributes and properties of the right types. */
export const whole = (
  <svc-speaker
    ref={ref}
    key="speaker"
    session-endpoint="/speech/session"
    session-request='{"voice_id":"anna"}'
    sessionRequest={{ voice_id: 'anna' }}
    sessionProvider={({ signal, reason }) => Promise.resolve(`wss://example.com/?${signal.aborted}${reason}`)}
    session={undefined}
    jitter-buffer-target={200}
    controls={false}
    keep-open
    keepOpen={Math.random() > 0.5}
    volume={0.5}
    messages={{ playLabel: 'Listen' }}
    class="speaker"
    data-testid="speaker"
    onutteranceend={({ utterance, currentTarget }) => `${utterance.text} ${currentTarget.currentTime}`}
    onunderrun={({ durationMs }) => durationMs.toFixed()}
    onClick={(event) => event.currentTarget.cancel()}
  >
    <span slot="play-label">Listen</span>
  </svc-speaker>
);

type Listener = Extract<keyof SvcSpeakerTagProps, `on${keyof SvcSpeakerEventMap}`>;
/** Each event has a listener. */
export const heard: Record<`on${keyof SvcSpeakerEventMap}`, true> = {} as Record<Listener, true>;

export const reader = (
  <svc-reader
    for="article"
    speaker="voice"
    highlight="sentence"
    remember={false}
    voices={{ fr: 'ff_siwis' }}
    class="bar"
  />
);

export const wrong = [
  // @ts-expect-error -- no such highlight
  <svc-reader highlight="letters" />,
  // @ts-expect-error -- no voice
  <svc-reader voices={{ fr: 1 }} />,
  // @ts-expect-error -- no such property; a name with a hyphen would pass
  <svc-speaker apiKey="secret" />,
  // @ts-expect-error -- Preact would write keep-open="false", which sets the attribute
  <svc-speaker keep-open={false} />,
  // @ts-expect-error -- a message is a string
  <svc-speaker messages={{ playLabel: 1 }} />,
  // @ts-expect-error -- no number
  <svc-speaker jitter-buffer-target="200" />,
  // @ts-expect-error -- no such transport
  <svc-speaker transport="pigeon" />,
  // @ts-expect-error -- this event has no utterance
  <svc-speaker onunderrun={({ utterance }) => utterance} />,
  // @ts-expect-error -- another element
  <svc-speaker ref={createRef<HTMLAudioElement>()} />,
];
