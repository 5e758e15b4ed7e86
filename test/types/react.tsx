/** Compiled, never run, with the types of React 19 and again with those of React 18. */
import { createRef, type ReactElement } from 'react';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from 'svc-speaker';
import de from 'svc-speaker/messages/de.js';
import { SvcSpeaker, type SvcSpeakerProps } from 'svc-speaker/react.js';

const ref = createRef<SvcSpeakerElement>();

/** All props and events, with values of the right types. */
export const whole: ReactElement = (
  <SvcSpeaker
    ref={ref}
    src="wss://example.com/"
    session={null}
    sessionProvider={({ signal, reason }) => Promise.resolve(`wss://example.com/?${signal.aborted}${reason}`)}
    sessionEndpoint="/speech/session"
    sessionRequest={{ voice_id: 'anna' }}
    text="Hello."
    autoplay
    controls
    controlsList="nodownload"
    muted={false}
    keepOpen={undefined}
    volume={0.5}
    playbackRate={1.25}
    defaultPlaybackRate={1}
    preservesPitch={false}
    jitterBuffer="low-delay"
    jitterBufferTarget={60}
    leadIn={200}
    mediaSession
    mediaMetadata={{ title: 'Greeting' }}
    messages={{ ...de, playLabel: 'Anhören' }}
    audioSession="playback"
    resampler="eco"
    transport="message"
    audioBackend="native"
    workletUrl="/speaker.worklet.js"
    workerUrl="/session.worker.js"
    audioContext={new AudioContext()}
    destination={null}
    className="speaker"
    style={{ display: 'block' }}
    id="speaker"
    slot="media"
    data-testid="speaker"
    aria-label="Speaker"
    onClick={(event) => event.currentTarget.play()}
    onUtteranceEnd={({ utterance }) => utterance.text.length}
    onContextDone={({ contextId }) => contextId.length}
    onUnderrun={({ durationMs }) => durationMs.toFixed()}
    onSocketClose={({ code, reason, openMs }) => [code.toFixed(), reason.length, openMs.toFixed()]}
    onTimeUpdate={({ currentTarget, target }) => currentTarget.currentTime + target.duration}
    onError={({ currentTarget }) => currentTarget.error?.reason === 'overflow'}
  >
    <span slot="play-label">Listen</span>
  </SvcSpeaker>
);

type Handler = Extract<keyof SvcSpeakerProps, `on${string}`>;
/** Each event has a handler, and none is misspelt. */
export const handled: Record<`on${keyof SvcSpeakerEventMap}`, true> = {} as Record<Lowercase<Handler>, true>;

export const reader: ReactElement = (
  <svc-reader
    for="article"
    speaker="voice"
    highlight="sentence"
    remember={false}
    voices={{ fr: 'ff_siwis' }}
    class="bar"
  />
);

export const wrong: ReactElement[] = [
  // @ts-expect-error -- no such highlight
  <svc-reader highlight="letters" />,
  // @ts-expect-error -- no voice
  <svc-reader voices={{ fr: 1 }} />,
  // @ts-expect-error -- no number
  <SvcSpeaker volume="loud" />,
  // @ts-expect-error -- no such transport
  <SvcSpeaker transport="pigeon" />,
  // @ts-expect-error -- no such message
  <SvcSpeaker messages={{ playlabel: 'Listen' }} />,
  // @ts-expect-error -- no such prop
  <SvcSpeaker apiKey="secret" />,
  // @ts-expect-error -- read-only
  <SvcSpeaker currentTime={1} />,
  // @ts-expect-error -- no session
  <SvcSpeaker sessionProvider={() => Promise.resolve(1)} />,
  // @ts-expect-error -- this event has no utterance
  <SvcSpeaker onUnderrun={({ utterance }) => utterance} />,
  // @ts-expect-error -- another element
  <SvcSpeaker ref={createRef<HTMLAudioElement>()} />,
];

export const tag: ReactElement = (
  <svc-speaker
    ref={ref}
    session-endpoint="/speech/session"
    session-request='{"voice_id":"anna"}'
    jitter-buffer-target={200}
    autoplay
    keep-open=""
    class="speaker"
    volume={0.5}
    messages={de}
    sessionProvider={() => Promise.resolve('wss://example.com/')}
    onutteranceend={({ utterance }) => utterance.text.length}
    onClick={(event) => event.currentTarget.cancel()}
  />
);

export const wrongTag: ReactElement[] = [
  // @ts-expect-error -- no such property; a name with a hyphen would pass
  <svc-speaker apiKey="secret" />,
  // @ts-expect-error -- no number
  <svc-speaker jitter-buffer-target="200" />,
  // @ts-expect-error -- this event has no utterance
  <svc-speaker onunderrun={({ utterance }) => utterance} />,
];
