import { PCMPlayer } from '@speechmatics/web-pcm-player';
import type { FedPlayer } from '../player.mjs';

const context = new AudioContext({ sampleRate: 24000 });
const player = new PCMPlayer(context);

export default {
  open: () => context.resume(),
  feed: (data) => player.playAudio(new Int16Array(data as ArrayBuffer)),
  cancel: () => player.interrupt(),
} satisfies FedPlayer;
