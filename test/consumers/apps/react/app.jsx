import { useState } from 'react';
import { SvcSpeaker } from 'svc-speaker/react.js';

export function App(threadFiles) {
  const [heard, setHeard] = useState(0);
  return (
    <>
      <SvcSpeaker controls {...threadFiles} onUtteranceEnd={() => setHeard((count) => count + 1)} />
      <output>{heard}</output>
    </>
  );
}
