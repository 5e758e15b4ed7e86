'use client';

import { useRef, useState } from 'react';
import { SvcSpeaker } from 'svc-speaker/react.js';

export function Greeting({ name }) {
  const speaker = useRef(null);
  const [said, setSaid] = useState('');

  async function greet() {
    try {
      await speaker.current.speak(`Hello, ${name}. You hear this while it is still being made.`).finished;
      setSaid('The last sample has been heard.');
    } catch (error) {
      setSaid(error.message);
    }
  }

  return (
    <>
      <button onClick={greet}>Greet</button>
      <SvcSpeaker ref={speaker} controls sessionEndpoint="/speech/session" />
      <p id="said">{said}</p>
    </>
  );
}
