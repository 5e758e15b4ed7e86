import { type AudioOutput, EVIWebAudioPlayer } from 'hume';
import type { FedPlayer } from '../player.mjs';

/**
 * It loads its worklet from its maker's storage. The server has brought the file from there and gives it out, so that a
 * run does not depend on the network; with `?buffered` it has none, and the player's own mode without a worklet is used.
 */
const buffered = new URLSearchParams(location.search).has('buffered');
const { addModule } = AudioWorklet.prototype;
AudioWorklet.prototype.addModule = function addLocalModule(url, options) {
  const remote = String(url).startsWith('https:');
  return addModule.call(this, remote ? `/hume-worklet${location.search}` : url, options);
};
const player = new EVIWebAudioPlayer({ disableAudioWorklet: buffered });

export default {
  open: () => player.init(),
  feed: (data) => void player.enqueue(JSON.parse(data as string) as AudioOutput),
  cancel: () => player.stop(),
} satisfies FedPlayer;
