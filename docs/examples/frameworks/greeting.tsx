import { useRef } from 'react';
import type { SvcSpeakerElement } from 'svc-speaker';
import { SvcSpeaker, useSpeaker } from 'svc-speaker/react.js';

export function Greeting({ name }: { name: string }) {
  const speaker = useRef<SvcSpeakerElement>(null);
  const { state, heard, error } = useSpeaker(speaker);
  return (
    <>
      <SvcSpeaker
        ref={speaker}
        sessionEndpoint="/speech/session"
        sessionRequest={{ voice_id: 'slt' }}
        onUtteranceEnd={({ utterance }) => console.log(`Said: ${utterance.text}`)}
        onError={({ currentTarget }) => console.log(currentTarget.error?.message)}
      />
      <button onClick={() => speaker.current?.speak(`Hello, ${name}.`)}>Greet</button>
      <button onClick={() => speaker.current?.cancel()} disabled={state !== 'playing'}>
        Stop
      </button>
      <p>{error ? error.message : heard.text}</p>
    </>
  );
}
