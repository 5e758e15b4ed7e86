import { MicVAD } from '@ricky0123/vad-web';

/** Folders of the development server with the files that the detector loads: model and worklet, WebAssembly. */
const MODEL_FOLDER = '/demo/talk-back/detector/node_modules/@ricky0123/vad-web/dist/';
const WASM_FOLDER = '/demo/talk-back/detector/node_modules/onnxruntime-web/dist/';

/** A detector at work. */
export interface VoiceDetector {
  /** Stops the detector and the tracks of its stream. Idempotent. */
  close(): Promise<void>;
}

/**
 * Detects voice in a stream with the model Silero VAD 6, in the page: nothing is sent anywhere.
 *
 * @param heard - Called for each frame of 512 samples at 16 kHz, with the probability of voice in it, 0 to 1.
 * @throws {Error} If the model or its WebAssembly cannot be loaded.
 */
export async function detectVoice(stream: MediaStream, heard: (probability: number) => void): Promise<VoiceDetector> {
  const detector = await MicVAD.new({
    model: 'v6',
    baseAssetPath: MODEL_FOLDER,
    onnxWASMBasePath: WASM_FOLDER,
    // A frame takes about a millisecond. Threads would cost more than they save.
    ortConfig: (ort) => {
      ort.env.wasm.numThreads = 1;
      ort.env.logLevel = 'error';
    },
    getStream: () => Promise.resolve(stream),
    onFrameProcessed: ({ isSpeech }) => heard(isSpeech),
  });
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= detector.destroy()) };
}
