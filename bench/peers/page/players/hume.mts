import { type AudioOutput, EVIWebAudioPlayer } from 'hume';
import type { FedPlayer } from '../player.mjs';

/**
 * The player loads its worklet from its maker's storage. The server has downloaded the file and serves it, so that a
 * run does not depend on the network. With `?buffered` the file is not available, and the player runs in its own mode
 * without a worklet.
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
