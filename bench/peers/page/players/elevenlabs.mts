import { MediaDeviceOutput } from '@elevenlabs/client/internal/unity';
import type { FedPlayer } from '../player.mjs';

let output: MediaDeviceOutput;

/** The output of a conversation. Spared the base64 in which its service sends audio. */
export default {
  open: async () => {
    output = await MediaDeviceOutput.create({ sampleRate: 24000, format: 'pcm' });
  },
  feed: (data) => output.playAudio(data as ArrayBuffer),
  cancel: () => output.interrupt(),
} satisfies FedPlayer;
