import { useRef, useState } from 'react';
import type { SvcSpeakerElement } from 'svc-speaker';
import { SvcSpeaker } from 'svc-speaker/react.js';

export function Greeting({ name }: { name: string }) {
  const speaker = useRef<SvcSpeakerElement>(null);
  const [speaking, setSpeaking] = useState(false);
  return (
    <>
      <SvcSpeaker
        ref={speaker}
        sessionEndpoint="/speech/session"
        sessionRequest={{ voice_id: 'slt' }}
        onPlay={() => setSpeaking(true)}
        onPause={() => setSpeaking(false)}
        onUtteranceEnd={({ utterance }) => console.log(`Said: ${utterance.text}`)}
        onError={({ currentTarget }) => console.log(currentTarget.error?.message)}
      />
      <button onClick={() => speaker.current?.speak(`Hello, ${name}.`)}>Greet</button>
      <button onClick={() => speaker.current?.cancel()} disabled={!speaking}>
        Stop
      </button>
    </>
  );
}
