import { useEffect, useRef, useState } from 'react';
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { SvcSpeaker } from 'svc-speaker/react.js';

export default function Home() {
  const speaker = useRef(null);
  const [isHydrated, setIsHydrated] = useState(false);
  const [said, setSaid] = useState('');

  useEffect(() => setIsHydrated(true), []);

  async function greet() {
    try {
      await speaker.current.speak('Hello. You hear this while it is still being made.').finished;
      setSaid('The last sample has been heard.');
    } catch (error) {
      setSaid(error.message);
    }
  }

  return (
    <>
      <button disabled={!isHydrated} onClick={greet}>
        Greet
      </button>
      <SvcSpeaker
        ref={speaker}
        controls
        sessionEndpoint="/speech/session"
        workerUrl={workerUrl}
        workletUrl={workletUrl}
      />
      <p id="said">{said}</p>
    </>
  );
}
