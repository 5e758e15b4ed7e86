/** Compiled, never run. Vue checks its templates by the same types as JSX. */
/** @jsxImportSource vue */
import { createApp, type GlobalComponents } from 'vue';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from 'svc-speaker';
import svcSpeaker, { isCustomElement, SvcSpeaker } from 'svc-speaker/vue.js';

createApp({}).use(svcSpeaker).config.compilerOptions.isCustomElement = isCustomElement;

let element: SvcSpeakerElement | null = null;

/** All props and several events, with values of the right types. */
export const whole = (
  <SvcSpeaker
    ref={(speaker) => (element = speaker as SvcSpeakerElement | null)}
    src="wss://example.com/"
    session={null}
    sessionProvider={({ signal, reason }) => Promise.resolve(`wss://example.com/?${signal.aborted}${reason}`)}
    sessionEndpoint="/speech/session"
    sessionRequest={{ voice_id: 'anna' }}
    text="Hello."
    autoplay
    controls
    muted={false}
    keepOpen={undefined}
    volume="0.5"
    playbackRate={1.25}
    defaultPlaybackRate={1}
    preservesPitch={false}
    jitterBuffer="low-delay"
    jitterBufferTarget={60}
    leadIn={200}
    mediaSession
    mediaMetadata={{ title: 'Greeting' }}
    messages={{ playLabel: 'Listen' }}
    audioSession="playback"
    resampler="eco"
    transport="message"
    audioBackend="native"
    controlsList="nodownload"
    workletUrl="/speaker.worklet.js"
    workerUrl="/session.worker.js"
    audioContext={new AudioContext()}
    destination={null}
    class="speaker"
    id="speaker"
    onClick={(event) => event.preventDefault()}
    onUtteranceend={({ utterance }) => utterance.text.length}
    onContextdone={({ contextId }) => contextId.length}
    onUnderrun={({ durationMs }) => durationMs.toFixed()}
    onSocketclose={({ code, reason, openMs }) => [code.toFixed(), reason.length, openMs.toFixed()]}
    onTimeupdate={({ currentTarget, target }) => currentTarget.currentTime + target.duration}
  />
);
export const spoken = (element as SvcSpeakerElement | null)?.speak('Hello.');

type Listener = Extract<keyof Parameters<typeof SvcSpeaker>[0], `on${string}`>;
/** Each event has a listener, and none is misspelt. */
export const heard: Record<`on${Capitalize<keyof SvcSpeakerEventMap>}`, true> = {} as Record<Listener, true>;

/** The component that a template names `<SvcSpeaker>` or `<svc-speaker>`. */
export const inTemplates: GlobalComponents['SvcSpeaker'] = SvcSpeaker;

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
  // @ts-expect-error -- no such transport
  <SvcSpeaker transport="pigeon" />,
  // @ts-expect-error -- neither a number nor written as one
  <SvcSpeaker volume={true} />,
  // @ts-expect-error -- a message is a string
  <SvcSpeaker messages={{ playLabel: 1 }} />,
  // @ts-expect-error -- no session
  <SvcSpeaker sessionProvider={() => Promise.resolve(1)} />,
  // @ts-expect-error -- this event has no utterance
  <SvcSpeaker onUnderrun={({ utterance }) => utterance} />,
];
