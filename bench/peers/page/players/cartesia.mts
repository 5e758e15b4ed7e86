import { WebPlayer } from '@cartesia/cartesia-js';
import sourceModule from '@cartesia/cartesia-js/wrapper/source.js';
import type { FedPlayer } from '../player.mjs';

/**
 * It buffers this many seconds of audio before it plays each piece; the same as the initial target of our jitter
 * buffer.
 */
const player = new WebPlayer({ bufferDuration: 0.12 });
/** The form in which its own socket passes a reply to the player. */
const source = new sourceModule.default({ sampleRate: 24000, encoding: 'pcm_f32le', container: 'raw' });

export default {
  open: async () => {
    void player.play(source);
  },
  feed: (data) => void source.enqueue(new Float32Array(data as ArrayBuffer)),
  end: () => void source.close(),
  cancel: () => void player.stop(),
} satisfies FedPlayer;
