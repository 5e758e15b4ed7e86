import { openai } from '@ai-sdk/openai';
import { experimental_useRealtime as useRealtime } from '@ai-sdk/react';

const model = openai.experimental_realtime('gpt-realtime');

export function Assistant() {
  const realtime = useRealtime({ model, api: { token: '/api/realtime/setup' } });
  const talk = async () => {
    await realtime.connect();
    realtime.startAudioCapture(await navigator.mediaDevices.getUserMedia({ audio: true }));
  };
  return <button onClick={talk}>Talk</button>;
}
