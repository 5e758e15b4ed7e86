/** Compiled, never run: the component and the bare tag. */
import { useRef } from 'react';
import type { SvcSpeakerElement } from 'svc-speaker';
import { SvcSpeaker } from 'svc-speaker/react.js';

export function App() {
  const speaker = useRef<SvcSpeakerElement>(null);
  return (
    <>
      <SvcSpeaker
        ref={speaker}
        controls
        volume={0.5}
        onUtteranceEnd={({ utterance }) => console.log(utterance.text)}
        onClick={() => speaker.current?.speak('Hello.')}
      />
      <svc-speaker controls session-endpoint="/speech/session" />
      {/* @ts-expect-error -- no such transport */}
      <SvcSpeaker transport="pigeon" />
    </>
  );
}
