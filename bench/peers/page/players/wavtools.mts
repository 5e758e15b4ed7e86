import { WavStreamPlayer } from 'wavtools';
import type { FedPlayer } from '../player.mjs';

const player = new WavStreamPlayer({ sampleRate: 24000 });

export default {
  open: async () => {
    await player.connect();
  },
  feed: (data) => {
    player.add16BitPCM(data as ArrayBuffer, 'bench');
  },
  cancel: () => void player.interrupt(),
} satisfies FedPlayer;
