import type { FedPlayer } from '../player.mjs';

const context = new AudioContext({ sampleRate: 24000 });
const chunks: Int16Array[] = [];
let playing = false;

/**
 * Not a player: collects two seconds and has the browser play one buffer as long as the speech. The least that speech
 * from a socket can cost; measured for nothing else.
 */
export default {
  open: () => context.resume(),
  feed: (data) => {
    chunks.push(new Int16Array(data as ArrayBuffer));
    if (playing || chunks.length < 50) return;
    playing = true;
    const samples = chunks.flatMap((chunk) => [...chunk]);
    const buffer = context.createBuffer(1, samples.length, 24000);
    buffer.getChannelData(0).set(samples.map((sample) => sample / 32768));
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.loop = true;
    source.connect(context.destination);
    source.start();
  },
  cancel: () => void context.suspend(),
} satisfies FedPlayer;
