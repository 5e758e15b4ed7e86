import 'svc-speaker/define.js';
import { playDeepgramAgent } from './agents.js';
import { openMicrophone } from './microphone.js';

/** Starts a conversation. `close()` of the result ends it. */
export async function converse({ audio: { output }, ...settings }) {
  const microphone = await openMicrophone();
  const { access_token } = await (await fetch('/agent/token', { method: 'POST' })).json();
  const socket = new WebSocket('wss://agent.deepgram.com/v1/agent/converse', ['bearer', access_token]);
  playDeepgramAgent(socket, output.sample_rate);
  socket.addEventListener('open', () => {
    const input = { encoding: 'linear16', sample_rate: microphone.sampleRate };
    socket.send(JSON.stringify({ ...settings, audio: { input, output } }));
    microphone.sendTo(socket);
  });
  return socket;
}
