import { NOT_FOR_SPEECH } from '../../scripts/without-dynamic-imports.mjs';
import type { FrameFormat } from './plan.mjs';

/** A measured player. */
export interface Player {
  /** Name on the command line and in the tables; also the name of its file in `page/players/`. */
  readonly name: string;
  /** Package and version; for our player, the element and its transport. */
  readonly title: string;
  /** True if its page is cross-origin isolated. */
  readonly isolated: boolean;
  readonly format: FrameFormat;
  /** Import that a page needs for the player. The size is measured for this code. */
  readonly imports: string;
  /** Paths of the dynamic imports that speech does not load. */
  readonly notLoaded?: RegExp;
  /** Note for readers of the figures. */
  readonly note: string;
}

/** Players in the order of the tables. */
export const PLAYERS: readonly Player[] = [
  {
    name: 'svc-speaker-shared',
    title: '`<svc-speaker>`, shared',
    isolated: true,
    format: 'svctts',
    imports: `import '../../dist/define.js';`,
    notLoaded: NOT_FOR_SPEECH,
    note: 'Ours on a cross-origin isolated page, with every setting at its default. The size includes both threads, but not the controls.',
  },
  {
    name: 'svc-speaker-message',
    title: '`<svc-speaker>`, message',
    isolated: false,
    format: 'svctts',
    imports: `import '../../dist/define.js';`,
    notLoaded: NOT_FOR_SPEECH,
    note: 'Ours on a page that is not cross-origin isolated. The same files.',
  },
  {
    name: 'elevenlabs',
    title: '@elevenlabs/client 1.25.0',
    isolated: false,
    format: 's16le',
    imports: `export { MediaDeviceOutput } from '@elevenlabs/client/internal/unity';`,
    note: 'Output of a conversation. Reaches the device through an `<audio>` element, whose delay is not in the figures. The size is that of the entry that contains the output; it includes LiveKit.',
  },
  {
    name: 'wavtools',
    title: 'wavtools 0.1.5',
    isolated: false,
    format: 's16le',
    imports: `export { WavStreamPlayer } from 'wavtools';`,
    note: 'Player of the OpenAI realtime console; Pipecat has a copy.',
  },
  {
    name: 'ai-sdk',
    title: 'ai 7.0.173, realtime session',
    isolated: false,
    format: 'realtime',
    imports: `export { Experimental_AbstractRealtimeSession } from 'ai'; export { createOpenAI } from '@ai-sdk/openai';`,
    note: 'By Vercel, with its model of OpenAI; the hook of React adds nothing to the sound. Receives the JSON of that service: samples in base64. The size is that of the two entries.',
  },
  {
    name: 'agents',
    title: 'agents 0.32.0, voice client',
    isolated: false,
    format: 's16le',
    imports: `export { VoiceClient } from 'agents/voice/client';`,
    note: 'By Cloudflare. Receives the frames from our own transport, which it accepts as an option. Also reaches the device through an `<audio>` element.',
  },
  {
    name: 'speechmatics',
    title: '@speechmatics/web-pcm-player 1.1.0',
    isolated: false,
    format: 's16le',
    imports: `export { PCMPlayer } from '@speechmatics/web-pcm-player';`,
    note: 'In an audio context at the sample rate of the speech, as in its documentation.',
  },
  {
    name: 'deepgram',
    title: '@deepgram/browser-agent 0.2.1',
    isolated: false,
    format: 's16le',
    imports: `import '@deepgram/browser-agent';`,
    note: 'The element without its microphone. The bench passes each message to the handler of the element. The CPU time includes an animation that it draws.',
  },
  {
    name: 'hume',
    title: 'hume 0.16.0',
    isolated: false,
    format: 'evi',
    imports: `export { EVIWebAudioPlayer } from 'hume';`,
    note: 'Receives the JSON of its service: one WAV file in base64 per message, each decoded separately. A message that is being decoded at cancel stops the fade-out, and everything queued continues to play.',
  },
  {
    name: 'cartesia',
    title: '@cartesia/cartesia-js 2.2.9, WebPlayer',
    isolated: false,
    format: 'f32le',
    imports: `export { WebPlayer } from '@cartesia/cartesia-js';`,
    note: 'With a `bufferDuration` of 120 ms. Removed in version 3. The size is that of the entry, which includes the whole client.',
  },
];

/** The browser without a player: the minimum cost of the same speech. */
export const FLOOR: Player = {
  name: 'native',
  title: 'one AudioBuffer, looped',
  isolated: false,
  format: 's16le',
  imports: '',
  note: 'The browser playing a buffer while the same frames arrive: the minimum cost.',
};
