import { VoiceClient } from 'agents/voice/client';
import type { FedPlayer } from '../player.mjs';

/** A transport of our own, as the client's documentation offers it; the page's socket is behind it. */
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
/** In place of a microphone, which a call would open. */
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
