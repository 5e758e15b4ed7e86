import { samplesOfOpus } from '../../../src/formats/opus-packet.js';

const FRAMES = { mp3: 576, 'mp4a.40.2': 1024, opus: 0 } as const;
type Codec = keyof typeof FRAMES;

/**
 * A decoder for Node, which has no WebCodecs. It is as long as the packets are, and each sample is derived from its packet,
 * so that a lost, repeated or moved packet shows.
 */
export class FakeDecoder extends EventTarget {
  static isConfigSupported = () => Promise.resolve({ supported: true });

  state = 'unconfigured';
  decodeQueueSize = 0;
  readonly #output: (data: unknown) => void;
  #config = { codec: 'mp3' as Codec, sampleRate: 0, numberOfChannels: 0 };

  constructor({ output }: { output: (data: unknown) => void }) {
    super();
    this.#output = output;
  }

  configure(config: { codec: Codec; sampleRate: number; numberOfChannels: number }): void {
    this.state = 'configured';
    this.#config = config;
  }

  decode({ data }: { data: Uint8Array }): void {
    const { codec, sampleRate, numberOfChannels } = this.#config;
    const numberOfFrames = FRAMES[codec] || samplesOfOpus(data);
    const value = data.reduce((sum, byte) => (sum * 31 + byte) & 0x7fff, 7);
    const copyTo = (to: Int16Array): void => to.forEach((_, i) => (to[i] = value ^ (i & 255)));
    this.decodeQueueSize++;
    setImmediate(() => {
      if (this.state === 'closed') return;
      this.decodeQueueSize--;
      this.#output({ numberOfFrames, numberOfChannels, sampleRate, copyTo, close: () => {} });
      this.dispatchEvent(new Event('dequeue'));
    });
  }

  async flush(): Promise<void> {
    while (this.decodeQueueSize > 0 && this.state === 'configured') await new Promise(setImmediate);
  }

  close(): void {
    this.state = 'closed';
  }
}
