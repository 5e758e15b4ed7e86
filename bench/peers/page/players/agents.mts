import { VoiceClient } from 'agents/voice/client';
import type { FedPlayer } from '../player.mjs';

/** Our transport, a documented option of the client; it is connected to the page's socket. */
const transport = {
  connected: true,
  onopen: null as (() => void) | null,
  onclose: null,
  onerror: null,
  onmessage: null as ((data: ArrayBuffer | Blob | string) => void) | null,
  sendJSON() {},
  sendBinary() {},
  connect() {
    this.onopen?.();
  },
  disconnect() {},
};
/** Replaces the microphone that a call would open. */
const audioInput = { onAudioLevel: null, start: async () => {}, stop() {} };
const client = new VoiceClient({ agent: 'bench', transport, audioInput });

export default {
  open: async () => {
    client.connect();
    await client.startCall();
    transport.onmessage?.(JSON.stringify({ type: 'audio_config', format: 'pcm16', sampleRate: 24000 }));
  },
  feed: (data) => transport.onmessage?.(data),
  cancel: () => transport.onmessage?.('{"type":"playback_interrupt"}'),
} satisfies FedPlayer;
