import { openai } from '@ai-sdk/openai';
import { experimental_useRealtime as useRealtime } from '@ai-sdk/react';
import { useEffect, useRef, useState } from 'react';
import 'svc-speaker/define.js';
import type { SvcSpeakerElement } from 'svc-speaker';
import { playedBy } from './ai-sdk.js';

export function Assistant({ speaker }: { speaker: SvcSpeakerElement }) {
  const session = useRef<ReturnType<typeof useRealtime>>(null);
  const [{ model, end }] = useState(() =>
    playedBy(speaker, openai.experimental_realtime('gpt-realtime'), (event) => void session.current?.sendEvent(event)),
  );
  const realtime = (session.current = useRealtime({ model, api: { token: '/api/realtime/setup' } }));
  useEffect(() => {
    if (realtime.status === 'disconnected' || realtime.status === 'error') end();
  }, [realtime.status, end]);
  const talk = async () => {
    await realtime.connect();
    realtime.startAudioCapture(await navigator.mediaDevices.getUserMedia({ audio: true }));
  };
  return <button onClick={talk}>Talk</button>;
}
