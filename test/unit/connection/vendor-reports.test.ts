/**
 * Faults that users of other clients of these vendors have reported in public, each as the messages that the service sent.
 * The values were written down before the first run.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import { cartesiaSession, deepgramSession, elevenLabsSession } from '../../../src/backend/index.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { startVendorSockets, VENDOR_KEY, type VendorSockets, WORD_SAMPLES } from '../../vendor-sockets.js';
import { Speaker, until } from './speaker.js';

const VENDORS = {
  elevenLabs: { makeSession: elevenLabsSession, voice: 'a-voice', field: 'contextId' },
  cartesia: { makeSession: cartesiaSession, voice: 'a-voice', field: 'context_id' },
  deepgram: { makeSession: deepgramSession, voice: 'aura-2-thalia-en', field: '' },
  deepgramFlux: { makeSession: deepgramSession, voice: 'flux-haley-en', field: '' },
};
type Vendor = keyof typeof VENDORS;

/** A message of the service; or the end of its socket, with the code 1006 if the line dies. */
type Answer = object | string | { readonly closeCode: number; readonly reason?: string };

interface Report {
  readonly fault: string;
  readonly vendor: Vendor;
  /** Pieces of one text; `One two, three.` by default. */
  readonly texts?: readonly string[];
  /** Messages after each piece and after the end of the text; at Deepgram, only after the end. */
  readonly answers: readonly (readonly Answer[])[];
  /** The value of each tenth of a second that is heard. */
  readonly heard: readonly number[];
  /** Words with times, and their starts in seconds. */
  readonly words?: readonly [word: string, start: number][];
  /** Reason and message of the error; none by default. */
  readonly error?: readonly [reason: string, message: RegExp];
  /** Seconds of silence until the end is known. */
  readonly silence?: number;
  /** True if the page can get another session. */
  readonly canRenew?: boolean;
}

/** A tenth of a second of one value, as bytes. */
const pcm = (value: number, samples = WORD_SAMPLES): Buffer => Buffer.from(new Int16Array(samples).fill(value).buffer);
const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** Audio of ElevenLabs, with the characters that are spoken in it. */
const spoken = (value: number, text?: string): object => {
  const alignment = text === undefined ? null : alignmentOf(text);
  return { audio: base64(pcm(value)), isFinal: null, alignment, normalizedAlignment: alignment };
};
const alignmentOf = (text: string): object => {
  const chars = Array.from(text);
  return {
    chars,
    charStartTimesMs: chars.map((_, at) => Math.round((at * 100) / chars.length)),
    charDurationsMs: chars.map(() => Math.round(100 / chars.length)),
  };
};
const FINAL = { audio: null, isFinal: true };

const chunk = (value: number): object => ({ type: 'chunk', data: base64(pcm(value)), done: false, status_code: 206 });
const timestamps = (words: string[], start: number[]): object => ({
  type: 'timestamps',
  done: false,
  status_code: 206,
  word_timestamps: { words, start, end: start.map((time, index) => start[index + 1] ?? time + 0.1) },
});
const DONE = { type: 'done', done: true, status_code: 200 };

const ONE_TWO_THREE: Report['words'] = [
  ['One', 0],
  ['two,', 0.1],
  ['three.', 0.2],
];

const REPORTS: readonly Report[] = [
  // livekit/agents 2973
  {
    fault: 'a message with empty audio and no times comes first',
    vendor: 'elevenLabs',
    answers: [
      [
        { audio: '', isFinal: null, normalizedAlignment: null, alignment: null },
        spoken(1, 'One '),
        spoken(2, 'two, '),
        spoken(3, 'three. '),
      ],
      [FINAL],
    ],
    heard: [1, 2, 3],
    words: ONE_TWO_THREE,
  },
  // elevenlabs/elevenlabs-docs 405, bolna-ai/bolna 790
  {
    fault: 'isFinal stays null to the end, and another session can be had',
    vendor: 'elevenLabs',
    answers: [[spoken(1, 'One '), spoken(2, 'two, '), spoken(3, 'three. ')], []],
    heard: [1, 2, 3],
    words: ONE_TWO_THREE,
    silence: 10,
    canRenew: true,
  },
  {
    fault: 'isFinal stays null to the end, and there is no other session',
    vendor: 'elevenLabs',
    answers: [[spoken(1, 'One '), spoken(2, 'two, '), spoken(3, 'three. ')], []],
    heard: [1, 2, 3],
    words: ONE_TWO_THREE,
    error: ['socket-closed', /sent nothing for 60 s/],
    silence: 60,
  },
  // bolna-ai/bolna 735
  {
    fault: 'isFinal comes after the first piece of the text, and audio of the next one follows',
    vendor: 'elevenLabs',
    texts: ['One two, ', 'three.'],
    answers: [[spoken(1, 'One '), spoken(2, 'two, '), FINAL], [spoken(3, 'three. ')], [FINAL]],
    heard: [1, 2, 3],
    words: ONE_TWO_THREE,
  },
  // pipecat-ai/pipecat 2840
  {
    fault: 'a word is split across messages',
    vendor: 'elevenLabs',
    answers: [[spoken(1, 'One t'), spoken(2, 'wo, thr'), spoken(3, 'ee. ')], [FINAL]],
    heard: [1, 2, 3],
    words: [
      ['One', 0],
      ['two,', 0.08],
      ['three.', 0.16],
    ],
  },
  // pipecat-ai/pipecat 4415
  {
    fault: 'a message begins with the space between two words',
    vendor: 'elevenLabs',
    answers: [[spoken(1, ' One'), spoken(2, ' two,'), spoken(3, ' three. ')], [FINAL]],
    heard: [1, 2, 3],
    words: [
      ['One', 0.03],
      ['two,', 0.12],
      ['three.', 0.21],
    ],
  },
  // pipecat-ai/pipecat 4316
  {
    fault: 'the second message with times begins again at the first word',
    vendor: 'elevenLabs',
    answers: [[spoken(1, 'One '), spoken(2, 'two, thr'), spoken(3, 'One two, three. ')], [FINAL]],
    heard: [1, 2, 3],
    words: [
      ['One', 0],
      ['two,', 0.1],
      // The word that is cut begins where the second message has it.
      ['three.', 0.26],
    ],
  },
  // pipecat-ai/docs 798, for pipecat 4424
  {
    fault: 'the spoken text is Chinese in Latin letters',
    vendor: 'elevenLabs',
    texts: ['你好'],
    answers: [
      [
        {
          ...spoken(1, '你好'),
          normalizedAlignment: alignmentOf(' nǐ hǎo'),
        },
      ],
      [FINAL],
    ],
    heard: [1],
    words: [
      ['你', 0],
      ['好', 0.05],
    ],
  },
  // elevenlabs/elevenlabs-python 689, livekit/agents 4276
  {
    fault: 'audio comes without times, and the times of all of it with the last',
    vendor: 'elevenLabs',
    answers: [[spoken(1, 'One '), spoken(2), spoken(3, 'two, three. ')], [FINAL]],
    heard: [1, 2, 3],
    words: [
      ['One', 0],
      ['two,', 0.2],
      ['three.', 0.24],
    ],
  },
  // ilyaizen/CopySpeak 30
  {
    fault: 'pieces of audio end in the middle of a sample',
    vendor: 'elevenLabs',
    answers: [
      [
        { audio: base64(pcm(1).subarray(0, 4001)), isFinal: null },
        { audio: base64(pcm(1).subarray(4001)), isFinal: null },
      ],
      [FINAL],
    ],
    heard: [1],
  },
  // The plugin of livekit/agents for ElevenLabs expects it
  {
    fault: 'several characters, also those of two words, are reported as one',
    vendor: 'elevenLabs',
    answers: [
      [
        {
          audio: base64(pcm(1)),
          alignment: { chars: ['On', 'e ', 'tw'], charStartTimesMs: [0, 20, 50], charDurationsMs: [20, 30, 50] },
        },
        {
          audio: base64(pcm(2)),
          alignment: { chars: ['o,', ' thr', 'ee. '], charStartTimesMs: [0, 20, 50], charDurationsMs: [20, 30, 50] },
        },
      ],
      [FINAL],
    ],
    heard: [1, 2],
    words: [
      ['One', 0],
      ['two,', 0.05],
      ['three.', 0.12],
    ],
  },
  // livekit/agents-js 1985, livekit/agents 5844, pipecat-ai/pipecat 4041
  {
    fault: 'too many contexts are open: an error without a context, and the socket is closed',
    vendor: 'elevenLabs',
    answers: [
      [
        {
          message: 'Maximum simultaneous contexts per WebSocket connection exceeded (5).',
          error: 'max_active_conversations',
          code: 1008,
          contextId: undefined,
        },
        { closeCode: 1008 },
      ],
    ],
    heard: [],
    error: ['service-error', /Maximum simultaneous contexts/],
  },
  // livekit/agents 5321, pipecat-ai/pipecat 4390
  {
    fault: 'a flush is done long before the context is',
    vendor: 'cartesia',
    texts: ['One two, ', 'three.'],
    answers: [
      [chunk(1), chunk(2), { type: 'flush_done', flush_done: true, flush_id: 1, done: false, status_code: 206 }],
      [chunk(3)],
      [DONE],
    ],
    heard: [1, 2, 3],
  },
  // pipecat-ai/pipecat 3775
  {
    fault: 'messages name no context',
    vendor: 'cartesia',
    answers: [[{ ...chunk(1), context_id: null }, chunk(2)], [{ ...DONE, context_id: null }]],
    heard: [1, 2],
  },
  // cartesia-ai/cartesia-python 73
  {
    fault: 'times come before their audio, and without values',
    vendor: 'cartesia',
    answers: [
      [
        timestamps(['One', 'two,'], [0, 0.1]),
        chunk(1),
        chunk(2),
        { type: 'timestamps', done: false, word_timestamps: null },
        { type: 'timestamps', done: false, word_timestamps: { words: ['three.'], start: [null], end: [null] } },
        chunk(3),
      ],
      [DONE],
    ],
    heard: [1, 2, 3],
    words: [
      ['One', 0],
      ['two,', 0.1],
    ],
  },
  // livekit/agents-js 681
  {
    fault: 'at the limit of requests, audio ends without a last message, and there is no other session',
    vendor: 'cartesia',
    answers: [[chunk(1), timestamps(['One'], [0])], []],
    heard: [1],
    words: [['One', 0]],
    error: ['socket-closed', /sent nothing for 60 s/],
    silence: 60,
  },
  {
    fault: 'at the limit of requests, audio ends without a last message: another session speaks the rest',
    vendor: 'cartesia',
    answers: [[chunk(1), timestamps(['One'], [0])], []],
    heard: [1, 100, 200],
    words: ONE_TWO_THREE,
    silence: 10,
    canRenew: true,
  },
  // cartesia-ai/cartesia-python 39
  {
    fault: 'the context is done although its text goes on',
    vendor: 'cartesia',
    texts: ['One two, ', 'three.'],
    answers: [[chunk(1), chunk(2), DONE], [chunk(3)], [DONE]],
    heard: [1, 2, 3],
  },
  // pipecat-ai/pipecat 2307, 5679
  {
    fault: 'the times of Chinese are those of groups of characters, across words',
    vendor: 'cartesia',
    texts: ['您好，感谢您。'],
    answers: [
      [chunk(1), chunk(2), timestamps(['您', '好', '，', '感', '谢您', '。'], [0, 0.05, 0.08, 0.1, 0.15, 0.2])],
      [DONE],
    ],
    heard: [1, 2],
    words: [
      ['您', 0],
      ['好', 0.05],
      ['感', 0.1],
      ['谢您', 0.15],
    ],
  },
  // pipecat-ai/pipecat 2299
  {
    fault: 'the times of Korean are those of syllables, without the spaces',
    vendor: 'cartesia',
    texts: ['안녕 반가워'],
    answers: [[chunk(1), chunk(2), timestamps(['안', '녕', '반', '가', '워'], [0, 0.04, 0.08, 0.12, 0.16])], [DONE]],
    heard: [1, 2],
    words: [
      ['안', 0],
      ['녕', 0.04],
      ['반', 0.08],
      ['가', 0.12],
      ['워', 0.16],
    ],
  },
  // livekit/agents 5361
  {
    fault: 'messages with the times of sounds come between the audio',
    vendor: 'cartesia',
    answers: [
      [
        chunk(1),
        { type: 'phoneme_timestamps', phoneme_timestamps: { phonemes: ['w'], start: [0], end: [0.1] }, done: false },
        chunk(2),
      ],
      [DONE],
    ],
    heard: [1, 2],
  },
  // pipecat-ai/pipecat 5361
  {
    fault: 'the line dies after the text was sent and before any audio: another session speaks it',
    vendor: 'cartesia',
    answers: [[{ closeCode: 1006 }]],
    heard: [100, 200, 300],
    words: ONE_TWO_THREE,
    canRenew: true,
  },
  // pipecat-ai/pipecat 1703, livekit/agents 3080
  {
    fault: 'the service refuses a text',
    vendor: 'cartesia',
    answers: [
      [{ type: 'error', status_code: 400, done: true, error: 'transcript empty or contains only punctuation' }],
    ],
    heard: [],
    error: ['service-error', /transcript empty/],
  },
  // deepgram/deepgram-python-sdk 617
  {
    fault: 'a warning comes between the audio',
    vendor: 'deepgram',
    answers: [
      [
        pcm(1),
        { type: 'Warning', warn_code: 'EXCESSIVE_FLUSH', warn_msg: 'Rate limit exceeded for flushes.' },
        pcm(2),
        { type: 'Flushed', sequence_id: 0 },
      ],
    ],
    heard: [1, 2],
  },
  {
    fault: 'a flush is refused with a warning, and nothing follows',
    vendor: 'deepgram',
    answers: [[{ type: 'Warning', warn_code: 'EXCESSIVE_FLUSH', warn_msg: 'Rate limit exceeded for flushes.' }]],
    heard: [],
    error: ['socket-closed', /sent nothing for 60 s/],
    silence: 60,
  },
  // deepgram/deepgram-js-sdk 443
  {
    fault: 'messages with samples have odd lengths',
    vendor: 'deepgram',
    answers: [[pcm(258).subarray(0, 1111), pcm(258).subarray(1111), { type: 'Flushed', sequence_id: 0 }]],
    heard: [258],
  },
  // jambonz/freeswitch-modules 34
  {
    fault: 'the first message begins with the header of a WAV file',
    vendor: 'deepgram',
    answers: [[Buffer.concat([Buffer.from('RIFF\xff\xff\xff\x7fWAVEfmt ', 'latin1'), Buffer.alloc(28), pcm(1)])]],
    heard: [],
    error: ['protocol-unsupported', /deepgram: the audio is a WAV file/],
  },
  // jambonz/jambonz-feature-server 1214
  {
    fault: 'the service closes the socket in the middle, because too much text was sent',
    vendor: 'deepgram',
    answers: [[pcm(1), { closeCode: 1008, reason: 'Too many characters.' }]],
    heard: [1],
    error: ['socket-closed', /Too many characters/],
  },
  // deepgram/deepgram-js-sdk 337
  {
    fault: 'the service closes the socket after the audio, without a message',
    vendor: 'deepgram',
    answers: [[pcm(1), pcm(2), { closeCode: 1000 }]],
    heard: [1, 2],
  },
  // pipecat-ai/pipecat 5605
  {
    fault: 'an utterance has several messages with its state, of which only the last is its end',
    vendor: 'deepgramFlux',
    answers: [
      [
        pcm(1),
        { type: 'ConfigureSuccess' },
        { type: 'Flushed', speech_id: 'dg_sp_1' },
        pcm(2),
        { type: 'SpeechMetadata', speech_id: 'dg_sp_1', audio_duration_ms: 200, input_character_count: 15 },
      ],
    ],
    heard: [1, 2],
  },
];

/** A message as text, with what JSON does not have in place of `null`. */
const withNaN = (message: object): string =>
  JSON.stringify({ ...message, contextId: 'c1', context_id: 'c1' }).replaceAll('null', 'NaN');

const RELAYED: readonly Report[] = [
  // socketio/socket.io 2387, Kitware/wslink 20
  {
    fault: 'times and other values are NaN, which JSON does not have',
    vendor: 'elevenLabs',
    answers: [
      [
        withNaN({
          audio: base64(pcm(1)),
          isFinal: null,
          alignment: {
            chars: ['O', 'n', 'e', ' '],
            charStartTimesMs: [0, null, 50, null],
            charDurationsMs: [25, 25, 25, 25],
          },
        }),
        withNaN({ audio: base64(pcm(2)), isFinal: null, alignment: null }),
      ],
      [FINAL],
    ],
    heard: [1, 2],
    words: [['One', 0]],
  },
  {
    fault: 'the end of a word is NaN, which JSON does not have',
    vendor: 'cartesia',
    answers: [
      [
        withNaN({ ...chunk(1), step_time: null }),
        withNaN({ type: 'timestamps', word_timestamps: { words: ['One', 'two,'], start: [0, 0.1], end: [0.1, null] } }),
        chunk(2),
      ],
      [DONE],
    ],
    heard: [1, 2],
    words: [['One', 0]],
  },
  // meteor/meteor 10166, posit-dev/py-shiny 1597
  {
    fault: 'a relay writes each message as a JSON string',
    vendor: 'elevenLabs',
    answers: [
      [
        JSON.stringify(JSON.stringify({ ...spoken(1, 'One '), contextId: 'c1' })),
        JSON.stringify(JSON.stringify(spoken(2))),
      ],
      [JSON.stringify(JSON.stringify({ ...FINAL, contextId: 'c1' }))],
    ],
    heard: [1, 2],
    words: [['One', 0]],
  },
  {
    fault: 'a relay writes each message as a JSON string, in bytes',
    vendor: 'deepgram',
    answers: [[pcm(1), Buffer.from(JSON.stringify('{"type":"Flushed"}'))]],
    heard: [1],
  },
  // tradovate/api 36, bwegh/erwa 7
  {
    fault: 'a relay sends lists of messages',
    vendor: 'cartesia',
    answers: [[JSON.stringify([{ ...chunk(1), context_id: 'c1' }, timestamps(['One'], [0]), chunk(2)])], [DONE]],
    heard: [1, 2],
    words: [['One', 0]],
  },
  // marimo-team/stdio-to-ws 4, kerryjiang/WebSocket4Net 71
  {
    fault: 'a relay sends messages in pieces',
    vendor: 'elevenLabs',
    answers: [
      [
        ...JSON.stringify({ ...spoken(1, 'One '), contextId: 'c1' }).match(/.{1,1024}/g)!,
        { ...spoken(2), contextId: 'c1' },
        ...JSON.stringify({ ...spoken(3), contextId: 'c1' })
          .match(/.{1,4096}/g)!
          .map((piece) => Buffer.from(piece)),
      ],
      [FINAL],
    ],
    heard: [1, 2, 3],
    words: [['One', 0]],
  },
  {
    fault: 'the rest of a message in pieces never comes',
    vendor: 'elevenLabs',
    answers: [['{"audio":"AAAA', spoken(1), '","isFinal":true}'], [FINAL]],
    heard: [1],
  },
  // pipecat-ai/pipecat 5110
  {
    fault: 'the context is done before its last audio and times',
    vendor: 'cartesia',
    answers: [[], [chunk(1), DONE, chunk(2), timestamps(['One', 'two,'], [0, 0.1]), chunk(3)]],
    heard: [1, 2, 3],
    words: [
      ['One', 0],
      ['two,', 0.1],
    ],
  },
  {
    fault: 'the context is done before all of its audio',
    vendor: 'elevenLabs',
    answers: [[], [FINAL, spoken(1, 'One '), spoken(2, 'two, ')]],
    heard: [1, 2],
    words: [
      ['One', 0],
      ['two,', 0.1],
    ],
  },
  // pipecat-ai/pipecat 5322, 5307
  {
    fault: 'marks in the text are not spoken, or belong to a word',
    vendor: 'cartesia',
    texts: ['Hi Ann.<break time="1s"/>Tell me <spell>0364</spell> now.'],
    answers: [
      [
        chunk(1),
        timestamps(['Hi', 'Ann.', 'Tell', 'me', '<spell>0364</spell>', 'now.'], [0, 0.01, 0.02, 0.03, 0.04, 0.09]),
      ],
      [DONE],
    ],
    heard: [1],
    words: [
      ['Hi', 0],
      ['Ann.', 0.01],
      ['Tell', 0.02],
      ['me', 0.03],
      ['<spell>0364</spell>', 0.04],
      ['now.', 0.09],
    ],
  },
  // pipecat-ai/pipecat 447
  {
    fault: 'there are no times',
    vendor: 'cartesia',
    texts: ['2 + 2 = 4'],
    answers: [[chunk(1), { type: 'timestamps', word_timestamps: { words: [], start: [], end: [] } }], [DONE]],
    heard: [1],
  },
  // livekit/agents 5813
  {
    fault: 'a flush of another context is done',
    vendor: 'elevenLabs',
    answers: [[spoken(1), { flush_done: true, contextId: undefined, context_id: 'c0' }, spoken(2)], [FINAL]],
    heard: [1, 2],
  },
];

const TWO = [pcm(1), pcm(2)];
const withoutPadding = base64(Buffer.concat(TWO).subarray(0, -1)).replace(/=+$/, '');
const inLines = base64(pcm(2).subarray(-1)).replace(/../g, '$&\r\n');

/** Messages that do not fit: one error that names the place, or none, and no noise. */
const MISFITS: readonly Report[] = [
  ...(
    [
      ['elevenLabs', 'audio', {}, FINAL],
      ['cartesia', 'data', { type: 'chunk' }, DONE],
    ] as const
  ).flatMap(([vendor, path, more, end]): Report[] => [
    {
      fault: 'base64 without padding, in lines',
      vendor,
      answers: [
        [
          { ...more, [path]: withoutPadding },
          { ...more, [path]: inLines },
        ],
        [end],
      ],
      heard: [1, 2],
    },
    ...[{ message: 'No audio.' }, ['AAAA'], 7, 'no base64!'].map((value): Report => ({
      fault: `${JSON.stringify(value)} in place of audio`,
      vendor,
      answers: [[{ ...more, [path]: value }]],
      heard: [],
      error: ['protocol-unsupported', new RegExp(`${vendor}: the value at ${path} is not base64`)],
    })),
    {
      fault: 'audio in another field, or in a binary message',
      vendor,
      answers: [[{ ...more, sound: base64(pcm(7)) }, pcm(7)], [end]],
      heard: [],
      error: [
        'service-error',
        new RegExp(`${vendor} sent no audio in ${path}, but {.*"sound":"…"} and a binary message\\.`),
      ],
    },
    {
      fault: 'audio in another field, and no end',
      vendor,
      answers: [[{ ...more, sound: base64(pcm(7)) }], []],
      heard: [],
      error: ['socket-closed', new RegExp(`for 60 s .*${vendor} sent no audio in ${path}, but {.*"sound":"…"}\\. Try`)],
      silence: 60,
    },
    // A server that forwards what the library ws gives it: in its version 8, each message is bytes.
    {
      fault: 'a relay sends each message as binary',
      vendor,
      answers: [[Buffer.from(JSON.stringify({ ...more, [path]: base64(pcm(1)) }))], [Buffer.from(JSON.stringify(end))]],
      heard: [1],
    },
    {
      fault: 'an error comes as a binary message, and the context ends',
      vendor,
      answers: [[Buffer.from('upstream connect error or disconnect/reset before headers.')], [end]],
      heard: [],
      error: ['service-error', new RegExp(`${vendor} sent no audio in ${path}, but upstream connect error or disc`)],
    },
  ]),
  // joshrotenberg/tower-mcp 1314, jl777/SuperNET 642
  {
    fault: 'messages begin with a byte order mark, or end with 0',
    vendor: 'elevenLabs',
    answers: [[`\uFEFF${JSON.stringify({ audio: base64(pcm(1)), contextId: 'c1' })}`], [`${JSON.stringify(FINAL)}\0`]],
    heard: [1],
  },
  // KanishJebaMathewM/Truxify 4757, AidenAI-IO/aiden-firmware 72
  {
    fault: 'the audio is hexadecimal digits',
    vendor: 'elevenLabs',
    answers: [[{ audio: pcm(1234).toString('hex') }], [FINAL]],
    heard: [1234],
  },
  // andimarafioti/faster-qwen3-tts 72, microphone-stream/microphone-stream 19
  {
    fault: 'the audio is floats',
    vendor: 'deepgram',
    answers: [
      [Buffer.from(Float32Array.from({ length: WORD_SAMPLES }, (_, at) => Math.sin(at / 9) / 3 + 0.01).buffer)],
    ],
    heard: [],
    error: ['protocol-unsupported', /deepgram: the audio is f32le: name its format in the dialect/],
  },
  // daydreamlive/scope 552
  {
    fault: 'an error of an unknown form comes, and the socket is closed without a reason',
    vendor: 'elevenLabs',
    answers: [[{ detail: { status: 'voice_not_found', message: 'No such voice.' } }, { closeCode: 1008 }]],
    heard: [],
    error: [
      'socket-closed',
      /The service refused the session: .*"status":"voice_not_found","message":"No such voice\."/,
    ],
  },
  // livekit/agents 3028, 4182
  {
    fault: 'an error has its reason in another field',
    vendor: 'deepgram',
    answers: [[{ type: 'Error', err_code: 'QUOTA', err_msg: 'No credits left.' }]],
    heard: [],
    error: ['service-error', /"err_code":"QUOTA","err_msg":"No credits left\."/],
  },
  // juspay/neurolink 1005: text that ws gives as bytes is forwarded as bytes
  {
    fault: 'a relay sends each message as binary, with an error of the service',
    vendor: 'deepgram',
    answers: [[Buffer.from(JSON.stringify({ type: 'Error', description: 'No credits left.', code: 'NO_CREDITS' }))]],
    heard: [],
    error: ['service-error', /No credits left/],
  },
  {
    fault: 'a relay sends each message as binary, with the end and a 0 behind it',
    vendor: 'deepgram',
    answers: [[pcm(1), Buffer.from('{"type":"Flushed"}\0')]],
    heard: [1],
  },
  // twilio-labs/call-gpt 18
  {
    fault: 'an error of the account comes where audio is expected',
    vendor: 'deepgram',
    answers: [
      [
        Buffer.from('{"detail":{"status":"quota_exceeded","message":"0 credits remain, Müller."}}'),
        { type: 'Flushed' },
      ],
    ],
    heard: [],
    error: [
      'service-error',
      /deepgram sent no audio in binary messages, but .*\{"detail":\{"status":"quota_exceeded","message":"0 credits remain, Müller\."\}\}/,
    ],
  },
  {
    fault: 'the page of a gateway comes between the audio',
    vendor: 'deepgram',
    answers: [[pcm(1), Buffer.from('<html><head><title>502 Bad Gateway</title></head></html>'), { type: 'Flushed' }]],
    heard: [1],
  },
  {
    fault: 'an error with a key comes where audio is expected, and a text that is not JSON',
    vendor: 'deepgram',
    answers: [
      [
        Buffer.from(`{"err_code":"INVALID_AUTH","err_msg":"No such key: ${'0123456789abcdef'.repeat(3)}"}`),
        'Error!',
        { type: 'Flushed' },
      ],
    ],
    heard: [],
    error: [
      'service-error',
      /deepgram sent no audio in binary messages, but .*"err_msg":"No such key: …"\} and Error!\. Change/,
    ],
  },
  // livekit/agents 5719
  {
    fault: 'an error comes in the middle, and nothing else',
    vendor: 'deepgram',
    answers: [[pcm(1), { type: 'Error', description: 'The engine failed.', code: 'INTERNAL' }]],
    heard: [1],
    error: ['service-error', /The engine failed/],
  },
  // pipecat-ai/pipecat 2194, elevenlabs/elevenlabs-python 167
  {
    fault: 'an error comes in place of audio, and the socket is closed',
    vendor: 'elevenLabs',
    answers: [
      [
        { message: 'This request exceeds your quota.', error: 'quota_exceeded', code: 1008, contextId: undefined },
        { closeCode: 1008, reason: 'quota_exceeded' },
      ],
    ],
    heard: [],
    error: ['service-error', /exceeds your quota/],
  },
  // The types of pvanand07/voice-sandwich-demo
  {
    fault: 'the error is an object',
    vendor: 'elevenLabs',
    answers: [[{ error: { message: 'No such voice.', code: 1008, status: 'voice_id_does_not_exist' } }]],
    heard: [],
    error: ['service-error', /No such voice/],
  },
  {
    fault: 'the error is an object without a message',
    vendor: 'elevenLabs',
    answers: [[{ error: { status: 'voice_id_does_not_exist' } }]],
    heard: [],
    error: ['service-error', /voice_id_does_not_exist/],
  },
  // rgerum/unofficial-duolingo-stories 650
  {
    fault: 'the fields have their names with underscores',
    vendor: 'elevenLabs',
    answers: [
      [{ audio: base64(pcm(1)), is_final: null, contextId: undefined, context_id: 'c1' }],
      [{ audio: null, is_final: true, contextId: undefined, context_id: 'c1' }],
    ],
    heard: [1],
  },
  // pipecat-ai/pipecat 367
  {
    fault: 'an error has other fields than before',
    vendor: 'cartesia',
    answers: [
      [
        {
          type: 'error',
          title: 'Voice not found',
          message: 'The voice does not exist.',
          error_code: 'voice_not_found',
          status_code: 404,
        },
      ],
    ],
    heard: [],
    error: ['service-error', /The voice does not exist/],
  },
];

interface Interruption {
  readonly fault: string;
  readonly vendor: Vendor;
  /** Messages of the interrupted text: just before the service gets the cancel, and before the next text is spoken. */
  readonly early?: readonly Answer[];
  readonly late?: readonly Answer[];
  /** Messages after the first text, and after the next one. */
  readonly first: readonly Answer[];
  readonly next: readonly Answer[];
}

const INTERRUPTIONS: readonly Interruption[] = [
  // bolna-ai/bolna 784
  {
    fault: 'audio and isFinal of the interrupted context come after the next text',
    vendor: 'elevenLabs',
    late: [
      { ...spoken(7, 'three.'), contextId: 'c1' },
      { ...FINAL, contextId: 'c1' },
    ],
    first: [spoken(1, 'One ')],
    next: [spoken(8, 'Next.'), FINAL],
  },
  // livekit/agents 7081
  {
    fault: 'audio and the end of the interrupted context come after the next text',
    vendor: 'cartesia',
    late: [
      { ...chunk(7), context_id: 'c1' },
      { ...timestamps(['three.'], [0]), context_id: 'c1' },
      { ...DONE, context_id: 'c1' },
    ],
    first: [chunk(1)],
    next: [chunk(8), DONE],
  },
  // GetStream/Vision-Agents 539, pipecat-ai/pipecat 4899
  {
    fault: 'an error about the interrupted context comes after the next text',
    vendor: 'elevenLabs',
    late: [{ error: 'context_not_found', message: 'Context not found.', code: 1008, contextId: 'c1' }],
    first: [spoken(1, 'One ')],
    next: [spoken(8, 'Next.'), FINAL],
  },
  // joinly-ai/joinly 19, pipecat-ai/pipecat 3958
  {
    fault: 'audio and Flushed come before the answer to Clear',
    vendor: 'deepgram',
    early: [pcm(7), { type: 'Flushed', sequence_id: 0 }, pcm(7)],
    first: [pcm(1)],
    next: [pcm(8), { type: 'Flushed', sequence_id: 2 }],
  },
  // pipecat-ai/pipecat 3156
  {
    fault: 'Flushed comes before Clear, for a text of which nothing is left',
    vendor: 'deepgram',
    early: [{ type: 'Flushed', sequence_id: 0 }],
    first: [pcm(1)],
    next: [pcm(8), { type: 'Flushed', sequence_id: 2 }],
  },
  // pipecat-ai/pipecat 5296: without a turn, Interrupt is answered with a warning
  {
    fault: 'audio and the end of the turn come before Interrupt',
    vendor: 'deepgramFlux',
    early: [
      pcm(7),
      { type: 'SpeechMetadata', speech_id: 'dg_sp_1', audio_duration_ms: 200, input_character_count: 15 },
    ],
    first: [pcm(1)],
    next: [pcm(8), { type: 'SpeechMetadata', speech_id: 'dg_sp_2', audio_duration_ms: 100, input_character_count: 5 }],
  },
  // deepgram/deepgram-go-sdk 347
  {
    fault: 'the service closes the socket because of the cancel',
    vendor: 'deepgram',
    early: [{ closeCode: 1008, reason: 'Unknown message.' }],
    first: [pcm(1)],
    next: [pcm(8), { type: 'Flushed', sequence_id: 0 }],
  },
];

describe('a fault that users of other clients have reported', () => {
  let vendors: VendorSockets;
  let speaker: Speaker;
  const sessions: PlayableSession[] = [];

  before(async () => {
    vendors = await startVendorSockets();
  });

  beforeEach(() => {
    vendors.messages.length = 0;
    vendors.isSlow = true;
  });

  afterEach(async () => {
    await speaker.close();
    assert.deepEqual(vendors.problems, []);
  });

  after(() => vendors.close());

  /** Makes a speaker with sessions of a vendor. */
  async function begin(vendor: Vendor): Promise<void> {
    const { makeSession, voice } = VENDORS[vendor];
    const session = makeSession({ apiKey: VENDOR_KEY, baseUrl: vendors.url, voice });
    sessions.length = 0;
    for (let count = 0; count < 3; count++) {
      const { url, sample_rate, dialect, voice_id } = await session({}, { signal: new AbortController().signal });
      sessions.push({ url, sampleRate: sample_rate, messages: [], dialect: dialect!, voice: voice_id });
    }
    speaker = new Speaker({ session: (attempt) => sessions[attempt]! }).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
  }

  /**
   * Lets the service answer each message with text according to a script.
   *
   * @param beforeMore - Sent after the last answer, when another message comes and before it is taken.
   * @returns A function that is true once at most `count` answers are left and everything that was sent has arrived.
   */
  function script(
    vendor: Vendor,
    answers: readonly (readonly Answer[])[],
    beforeMore: readonly Answer[] = [],
  ): (count: number) => boolean {
    const left = [...answers];
    let isClosed = false;
    let sent = 0;
    const send = (socket: WebSocket, context: string, messages: readonly Answer[]): void => {
      for (const one of messages) {
        if (typeof one === 'object' && 'closeCode' in one) {
          isClosed = true;
          if (one.closeCode === 1006) socket.terminate();
          else socket.close(one.closeCode, one.reason);
          continue;
        }
        const { field } = VENDORS[vendor];
        const isJson = typeof one === 'object' && !Buffer.isBuffer(one);
        socket.send(isJson ? JSON.stringify({ ...(field && { [field]: context }), ...one }) : one);
        sent++;
      }
    };
    const answer = (socket: WebSocket, context: string): void => {
      send(socket, context, left.shift()!);
      if (left.length === 0) socket.prependOnceListener('message', () => send(socket, context, beforeMore));
      vendors.next = left.length > 0 ? answer : null;
      // A new socket is one that answers as usual.
      vendors.isSlow = !isClosed;
    };
    vendors.next = answer;
    const earlier = speaker.messages;
    return (count) =>
      left.length <= count &&
      speaker.messages >= earlier + sent &&
      (!isClosed || speaker.of('socket-close').length > 0);
  }

  /** Returns the value of each tenth of a second of an utterance. */
  const heardOf = (serial: number): number[] => {
    const samples = speaker.listener.heard(serial);
    assert.equal(samples.length % WORD_SAMPLES, 0);
    return Array.from({ length: samples.length / WORD_SAMPLES }, (_, tenth) => {
      const part = new Set(samples.subarray(tenth * WORD_SAMPLES, (tenth + 1) * WORD_SAMPLES));
      assert.equal(part.size, 1);
      return [...part][0]!;
    });
  };

  for (const report of [...REPORTS, ...RELAYED, ...MISFITS]) {
    const { fault, vendor, texts = ['One two, three.'], answers, heard, words = [], error, silence, canRenew } = report;
    it(`at ${vendor} does no harm: ${fault}`, async () => {
      await begin(vendor);
      speaker.canRenew = canRenew ?? false;
      const isAnswered = script(vendor, answers);
      speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts, more: true });
      await until(() => isAnswered(1), 'the answers to the text');
      speaker.worker.handle({ type: 'text', serial: 1, text: null });
      await until(() => isAnswered(0), 'the answer to its end');
      vendors.isSlow = false;
      if (silence) {
        speaker.clock.advance(silence * 1000 - 1);
        assert.deepEqual([...speaker.of('received'), ...speaker.of('failed')], []);
        speaker.clock.advance(1);
      }
      await until(() => {
        speaker.clock.advance(25);
        return speaker.of('received').length + speaker.of('failed').length > 0;
      }, 'the end');
      await speaker.listenFor(0);
      const text = texts.join('');
      const failures = speaker.of('failed').map((one) => one.error);
      assert.deepEqual(
        failures.map(({ reason }) => reason),
        error ? [error[0]] : [],
      );
      for (const { message } of failures) assert.match(message, error![1]);
      assert.deepEqual(heardOf(1), heard);
      assert.deepEqual(
        speaker
          .of('timings')
          .flatMap((one) => one.words)
          .map(({ from, to, start }) => [text.slice(from, to), Math.round(start * 100) / 100]),
        words,
      );
      // It speaks on, on another socket if this one is closed.
      speaker.canRenew = true;
      speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Next.'], more: false });
      await until(() => {
        speaker.clock.advance(25);
        return speaker.of('received').some(({ serial }) => serial === 2);
      }, 'the next utterance');
      await speaker.listenFor(0);
      assert.deepEqual(heardOf(2), [100]);
    });
  }

  for (const { fault, vendor, early, late = [], first, next } of INTERRUPTIONS) {
    it(`at ${vendor} does no harm to the next text after an interruption: ${fault}`, async () => {
      await begin(vendor);
      script(vendor, [first, []].slice(0, vendor.startsWith('deepgram') ? 1 : 2), early);
      speaker.say('One two, three.');
      await speaker.next('first-audio');
      await until(() => vendors.next === null, 'the answer to the end');
      speaker.canRenew = true;
      speaker.worker.handle({ type: 'cancel', serials: [1] });
      script(vendor, [[...late, ...next], []].slice(0, vendor.startsWith('deepgram') ? 1 : 2));
      speaker.say('Next.');
      await until(() => {
        speaker.clock.advance(25);
        return speaker.of('received').length > 0;
      }, 'the end');
      await speaker.listenFor(0);
      assert.deepEqual(speaker.of('failed'), []);
      assert.deepEqual(heardOf(2), [8]);
      const isClosed = early?.some((one) => typeof one === 'object' && 'closeCode' in one);
      assert.equal(speaker.sockets.length, isClosed ? 2 : 1);
    });
  }

  // livekit/agents-js 1985, livekit/agents 5844, pipecat-ai/pipecat 4126
  it('at elevenLabs does no harm: interruptions one after the other leave no context open, and open none', async () => {
    await begin('elevenLabs');
    const serials = [1, 2, 3, 4, 5, 6];
    for (const serial of serials) {
      speaker.worker.handle({ type: 'enqueue', serial, contextId: `c${serial}`, texts: ['One two.'], more: true });
      await speaker.next('first-audio', serial);
      speaker.worker.handle({ type: 'cancel', serials: [serial] });
    }
    speaker.worker.handle({ type: 'enqueue', serial: 7, contextId: 'c7', texts: [], more: true });
    speaker.worker.handle({ type: 'cancel', serials: [7] });
    speaker.worker.handle({ type: 'enqueue', serial: 8, contextId: 'c8', texts: ['Next.'], more: true });
    await speaker.next('first-audio', 7);
    const contexts = serials.map((serial) => `c${serial}`);
    const opened = new Set(vendors.messages.map(({ context_id }) => context_id));
    assert.deepEqual([...opened], [...contexts, 'c8']);
    assert.deepEqual(
      vendors.messages.filter(({ close_context }) => close_context).map(({ context_id }) => context_id),
      contexts,
    );
    assert.equal(speaker.sockets.length, 1);
  });

  // pipecat-ai/pipecat 3771
  for (const vendor of ['elevenLabs', 'cartesia'] as const) {
    it(`at ${vendor} does no harm: the page gives an id of a context again, after an interruption`, async () => {
      await begin(vendor);
      speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'same', texts: ['One two.'], more: false });
      await speaker.next('first-audio');
      speaker.worker.handle({ type: 'cancel', serials: [1] });
      vendors.isSlow = false;
      const late = { elevenLabs: { ...spoken(7), contextId: 'same' }, cartesia: { ...chunk(7), context_id: 'same' } };
      vendors.next = (socket, context) => {
        const end = { elevenLabs: { ...FINAL, contextId: context }, cartesia: { ...DONE, context_id: context } };
        const own = {
          elevenLabs: { ...spoken(8, 'Two.'), contextId: context },
          cartesia: { ...chunk(8), context_id: context },
        };
        for (const one of [late, own, end]) socket.send(JSON.stringify(one[vendor]));
      };
      speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'same', texts: ['Two.'], more: false });
      await until(() => {
        speaker.clock.advance(25);
        return speaker.of('received').length > 0;
      }, 'the end');
      await speaker.listenFor(0);
      assert.deepEqual(heardOf(2), [8]);
      assert.equal(speaker.sockets.length, 1);
    });
  }

  // livekit/agents-js 2144: the audio of the text that failed would be that of the next one.
  it('at deepgram does no harm: audio goes on after an error', async () => {
    await begin('deepgram');
    script('deepgram', [[pcm(1), { type: 'Error', description: 'No.' }, pcm(7), { type: 'Flushed', sequence_id: 0 }]]);
    speaker.say('One.', 'Two.');
    await speaker.next('failed');
    vendors.isSlow = false;
    await speaker.finish();
    assert.deepEqual([heardOf(1), heardOf(2)], [[1], [100]]);
    assert.equal(speaker.sockets.length, 2);
  });

  // livekit/agents 3596
  it('at elevenLabs does no harm: the error of an idle socket crosses the next text', async () => {
    await begin('elevenLabs');
    vendors.isSlow = false;
    speaker.canRenew = true;
    speaker.say('One.');
    await speaker.finish();
    script('elevenLabs', [[{ contextId: null, error: 'input_timeout_exceeded', code: 1008 }, { closeCode: 1008 }]]);
    speaker.say('Two.');
    await speaker.next('connection-lost');
    speaker.clock.advance(1000);
    await speaker.next('first-audio', 2);
    await speaker.finish(2);
    assert.deepEqual([heardOf(2), speaker.of('failed'), speaker.sockets.length], [[100], [], 2]);
  });

  // pipecat-ai/pipecat 5874 and 4126, livekit/agents-js 2314
  it('at elevenLabs does no harm: a context that has failed is closed, and not kept alive', async () => {
    await begin('elevenLabs');
    script('elevenLabs', [[spoken(1, 'One. '), { error: 'No.', message: 'No.' }]]);
    speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['One. '], more: true });
    await speaker.next('failed');
    await until(() => vendors.messages.some(({ close_context }) => close_context), 'the end of the context');
    const { length } = vendors.messages;
    speaker.clock.advance(60_000);
    vendors.isSlow = false;
    speaker.say('Two.');
    await speaker.finish();
    assert.ok(vendors.messages.slice(length).every(({ context_id }) => context_id !== 'c1'));
  });

  for (const vendor of Object.keys(VENDORS) as Vendor[]) {
    it(`at ${vendor} does no harm: a token that was used before`, async () => {
      await begin(vendor);
      vendors.isSlow = false;
      sessions[1] = sessions[0]!;
      speaker.say('One.');
      await speaker.finish();
      speaker.worker.handle({ type: 'keep-open', keepOpen: false });
      await speaker.next('socket-close');
      speaker.say('Two.');
      const { reason, serials } = await speaker.failed();
      assert.deepEqual([reason, serials], ['socket-failed', [2]]);
      speaker.say('Three.');
      await speaker.finish(2);
      assert.deepEqual([heardOf(1), heardOf(2), heardOf(3)], [[100], [], [100]]);
    });
  }
});
