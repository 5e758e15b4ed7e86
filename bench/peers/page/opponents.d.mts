/**
 * Types of the compared packages, for the parts that this bench uses. They are declared here because types are checked
 * without the packages, which are installed only when this bench runs.
 */
declare module '@elevenlabs/client/internal/unity' {
  export class MediaDeviceOutput {
    static create(options: { sampleRate: number; format: 'pcm' | 'ulaw' }): Promise<MediaDeviceOutput>;
    playAudio(chunk: ArrayBuffer): void;
    interrupt(): void;
  }
}

declare module 'wavtools' {
  export class WavStreamPlayer {
    constructor(options: { sampleRate: number });
    connect(): Promise<true>;
    add16BitPCM(chunk: ArrayBuffer, trackId: string): Int16Array;
    interrupt(): Promise<unknown>;
  }
}

declare module 'agents/voice/client' {
  interface VoiceTransport {
    readonly connected: boolean;
    onopen: (() => void) | null;
    onclose: (() => void) | null;
    onerror: (() => void) | null;
    onmessage: ((data: ArrayBuffer | Blob | string) => void) | null;
    sendJSON(data: Record<string, unknown>): void;
    sendBinary(data: ArrayBuffer): void;
    connect(): void;
    disconnect(): void;
  }
  interface VoiceAudioInput {
    onAudioLevel: ((rms: number) => void) | null;
    start(): Promise<void>;
    stop(): void;
  }
  export class VoiceClient {
    constructor(options: { agent: string; transport: VoiceTransport; audioInput: VoiceAudioInput });
    connect(): void;
    startCall(): Promise<void>;
  }
}

declare module '@ai-sdk/openai' {
  export function createOpenAI(options: { apiKey: string }): { experimental_realtime(model: string): object };
}

declare module 'ai' {
  export abstract class Experimental_AbstractRealtimeSession {
    constructor(options: { model: object; api: { token: string } });
    protected abstract setState(): void;
    connect(): Promise<void>;
    stopPlayback(): void;
    resumePlayback(): Promise<void>;
  }
}

declare module '@speechmatics/web-pcm-player' {
  export class PCMPlayer {
    constructor(context: AudioContext);
    playAudio(samples: Int16Array): void;
    interrupt(): void;
  }
}

declare module '@deepgram/browser-agent' {
  export class AgentElement extends HTMLElement {
    ttsAnalyser?: AnalyserNode;
    ttsContext?: AudioContext;
    handleSocketMessage(event: MessageEvent): void;
  }
}

declare module 'hume' {
  export interface AudioOutput {
    type: 'audio_output';
    id: string;
    index: number;
    data: string;
  }
  export class EVIWebAudioPlayer {
    constructor(options: { disableAudioWorklet: boolean });
    init(): Promise<void>;
    enqueue(message: AudioOutput): Promise<void>;
    stop(): void;
  }
}

declare module '@cartesia/cartesia-js/wrapper/source.js' {
  const module: {
    /** The class itself: the package is CommonJS. */
    default: new (options: { sampleRate: number; encoding: 'pcm_f32le'; container: 'raw' }) => CartesiaSource;
  };
  export default module;
  export interface CartesiaSource {
    enqueue(samples: Float32Array): Promise<void>;
    close(): Promise<void>;
  }
}

declare module '@cartesia/cartesia-js' {
  import type { CartesiaSource } from '@cartesia/cartesia-js/wrapper/source.js';
  export class WebPlayer {
    constructor(options: { bufferDuration: number });
    play(source: CartesiaSource): Promise<void>;
    stop(): Promise<void>;
  }
}
