import { MediaDeviceOutput } from '@elevenlabs/client/internal/unity';
import type { FedPlayer } from '../player.mjs';

let output: MediaDeviceOutput;

/** The output of a conversation, without the base64 encoding that its service uses for audio. */
export default {
  open: async () => {
    output = await MediaDeviceOutput.create({ sampleRate: 24000, format: 'pcm' });
  },
  feed: (data) => output.playAudio(data as ArrayBuffer),
  cancel: () => output.interrupt(),
} satisfies FedPlayer;
