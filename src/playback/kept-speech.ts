import type { SpeakerChannel } from '../connection/command.js';

/** The worker's answer: samples that it keeps, or null if some of them are gone. */
interface KeptSamples {
  readonly samples: Int16Array<ArrayBuffer> | null;
  readonly sampleRate: number;
}

/** Reads kept speech from the worker, as WAV files. Main thread. */
export class KeptSpeech {
  /** Reads that the worker has not answered, by request number. */
  readonly #reads = new Map<number, (samples: KeptSamples) => void>();
  #lastRequest = 0;

  /**
   * Returns the kept samples of an utterance, or all kept samples, as a WAV file.
   *
   * @param serial - Null for all samples.
   * @returns A promise that rejects with InvalidStateError if none is kept, or not all of the utterance.
   */
  async read(channel: SpeakerChannel, serial: number | null): Promise<Blob> {
    const request = ++this.#lastRequest;
    const answer = new Promise<KeptSamples>((resolve) => this.#reads.set(request, resolve));
    channel.post({ type: 'read', request, serial });
    const [{ samples, sampleRate }, { wavBlob, throwNotKept }] = await Promise.all([answer, import('./wav-blob.js')]);
    return samples?.length ? wavBlob(samples, sampleRate) : throwNotKept();
  }

  /** Takes the worker's answer to a read. */
  take(request: number, samples: KeptSamples): void {
    this.#reads.get(request)?.(samples);
    this.#reads.delete(request);
  }

  /** Rejects the reads that are under way, because the worker will not answer them. */
  close(): void {
    for (const resolve of this.#reads.values()) resolve({ samples: null, sampleRate: 0 });
    this.#reads.clear();
  }
}

/** Returns a promise that rejects with InvalidStateError, because speech is not kept. */
export async function rejectNotKept(): Promise<never> {
  return (await import('./wav-blob.js')).throwNotKept();
}
