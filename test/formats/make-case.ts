import {
  apeTag,
  between,
  id3v1,
  id3v2,
  joined,
  withChunk,
  withDataLength,
  withGranules,
  withoutEnd,
  withoutPadding,
} from './defects.js';
import { decode, encode, encodeWithSox, resampled, type Sound } from './ffmpeg.js';
import { type Random, randomOf } from './random.js';
import type { InputClass } from './page/player.js';

/** A file with its right result. */
export interface Case {
  /** Description, for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly sampleRate?: number;
  readonly input: InputClass;
  readonly pieceBytes: number;
  /** The sound that ffmpeg decodes, or null if the file must be refused. */
  readonly sound: Sound | null;
  /** Seconds of padding that may follow the sound, because the file does not say how long it is. */
  readonly addedSeconds?: number;
  /** Pattern of the error's message; null if there is no error. */
  readonly refusal: RegExp | null;
}

/** A file, and what ffmpeg decodes from it. */
interface Made {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sound: Sound;
  /** See `Case`. */
  readonly addedSeconds?: number;
}

const WAV_CODECS = [
  'pcm_s16le',
  'pcm_s24le',
  'pcm_s32le',
  'pcm_u8',
  'pcm_f32le',
  'pcm_f64le',
  'pcm_mulaw',
  'pcm_alaw',
] as const;
const RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000] as const;
const MP3_RATES = RATES.filter((rate) => rate <= 48_000);
const OPUS_RATES = [8000, 12_000, 16_000, 24_000, 48_000] as const;
/** Lengths that writers use if they do not know the real one. */
const PLACEHOLDERS = [0, 0xffffffff, 0x7fffffff, 0x7ffff000, 0x80000000, 2_000_000_000, 0xffffff00, 1_728_000_000];

/** Types that say nothing, or something wrong. The bytes decide. */
const OTHER_TYPES = [
  '',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'application/octet-stream',
  'text/plain',
  'audio/webm',
];

/** Makes the file of a seed, with ffmpeg and sox. */
export async function makeCase(seed: number): Promise<Case> {
  const random = randomOf(seed);
  const kind = random.pick(['wav', 'wav', 'mp3', 'mp3', 'ogg', 'ogg', 'webm', 'aac', 'raw', 'refused'] as const);
  if (kind === 'refused') return makeRefused(random);
  if (kind === 'raw') return makeRaw(random);
  const make = { wav: makeWav, mp3: makeMp3, ogg: makeOgg, webm: makeWebm, aac: makeAac }[kind];
  const count = random.chance(0.4) ? 2 + random.below(3) : 1;
  const first = await make(random, undefined, count === 1);
  const parts: Made[] = [first];
  while (parts.length < count) {
    const rate = random.chance(0.5) ? first.sound.sampleRate : undefined;
    parts.push(await make(random, rate, parts.length === count - 1));
  }
  const type = { wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', webm: 'audio/webm', aac: 'audio/aac' }[kind];
  const whole = await joinedCase(parts);
  // Without a Content-Type, a beginning that is none looks like samples.
  if (/false header|junk/.test(first.name)) {
    return { ...whole, ...delivery(random, whole.bytes.length), contentType: type, input: 'url' };
  }
  return {
    ...whole,
    ...delivery(random, whole.bytes.length),
    contentType: random.chance(0.25) ? random.pick(OTHER_TYPES) : type,
    ...(random.chance(0.2) && { sampleRate: 24_000 }),
  };
}

async function joinedCase(
  parts: readonly Made[],
): Promise<Pick<Case, 'name' | 'bytes' | 'sound' | 'refusal' | 'addedSeconds'>> {
  const { sampleRate } = parts[0]!.sound;
  // Files of one rate are converted to another as one sound, so their positions are not rounded to its samples.
  const runs: Sound[] = [];
  for (const { sound } of parts) {
    const last = runs.at(-1);
    if (last?.sampleRate === sound.sampleRate)
      runs.push({ ...runs.pop()!, samples: inARow(last.samples, sound.samples) });
    else runs.push(sound);
  }
  const samples = inARow(...(await Promise.all(runs.map((run) => resampled(run, sampleRate)))));
  return {
    name: parts.map(({ name }) => name).join(' + '),
    bytes: joined(...parts.map(({ bytes }) => bytes)),
    sound: { samples, sampleRate },
    addedSeconds: parts.at(-1)!.addedSeconds ?? 0,
    refusal: null,
  };
}

/** Returns sounds one after the other. */
export function inARow(...sounds: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(sounds.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const sound of sounds) {
    all.set(sound, at);
    at += sound.length;
  }
  return all;
}

/** Pieces are not shorter than a thousandth, because each takes several messages between threads. */
function delivery(random: Random, length: number): Pick<Case, 'input' | 'pieceBytes'> {
  return {
    input: random.pick(['url', 'request', 'response', 'stream', 'blob', 'file', 'buffer']),
    pieceBytes: Math.ceil(length / random.pick([1, 2, 7, 100, 1000])),
  };
}

/** Returns interleaved samples: tones that change several times a second, so that each place sounds different. */
function melody(random: Random, sampleRate: number, channels: number, seconds: number): Float32Array {
  const step = Math.floor(sampleRate / 8);
  const frames = Math.floor(seconds * sampleRate);
  const samples = new Float32Array(frames * channels);
  const highest = Math.min(3000, sampleRate / 4);
  let [frequency, phase, level] = [0, 0, 0];
  for (let i = 0; i < frames; i++) {
    if (i % step === 0) [frequency, level] = [150 + random.below(highest - 150), 0.2 + random.below(5) / 10];
    phase += (2 * Math.PI * frequency) / sampleRate;
    for (let channel = 0; channel < channels; channel++) {
      samples[i * channels + channel] = level * Math.sin(phase + 0.3 * channel) * Math.min(1, (frames - i) / 300);
    }
  }
  return samples;
}

const secondsOf = (random: Random): number => 0.25 + random.below(200) / 100;

async function makeWav(random: Random, rate: number | undefined): Promise<Made> {
  const sampleRate = rate ?? random.pick(RATES);
  const channels = random.pick([1, 1, 1, 2, 2, 6]);
  const samples = melody(random, sampleRate, channels, secondsOf(random));
  const codec = random.pick(WAV_CODECS);
  const isSox = random.chance(0.25);
  let options: string[];
  let bytes: Uint8Array;
  if (isSox) {
    options = random.pick([
      ['-b', '16'],
      ['-b', '24'],
      ['-b', '32'],
      ['-b', '8'],
      ['-e', 'float', '-b', '32'],
      ['-e', 'mu-law'],
      ['-e', 'a-law'],
    ]);
    bytes = await encodeWithSox(samples, sampleRate, channels, options);
  } else {
    options = ['-c:a', codec];
    if (random.chance(0.15)) options.push('-rf64', 'always');
    if (random.chance(0.15)) options.push('-write_bext', '1');
    if (random.chance(0.3)) options.push('-metadata', `title=${'Hello.'.repeat(1 + random.below(40))}`);
    bytes = await encode(samples, sampleRate, channels, options, 'wav');
  }
  const sound = await decode(bytes, 'wav');
  // With an unknown length, a padding byte looks like a sample.
  bytes = withoutPadding(bytes);
  const defect = random.pick(['none', 'none', 'length', 'half', 'chunk', 'padding', 'pipe'] as const);
  const name = `WAV ${isSox ? 'sox' : 'ffmpeg'} ${options.join(' ').slice(0, 60)} ${sampleRate} Hz ${channels} ch, ${defect}`;
  if (defect === 'length') bytes = withDataLength(bytes, random.pick(PLACEHOLDERS));
  if (defect === 'pipe') bytes = withDataLength(bytes, 0xffffffff);
  if (defect === 'half') bytes = withDataLength(bytes, 2 * Math.floor(bytes.length / 5));
  if (defect === 'chunk')
    bytes = withChunk(bytes, new Uint8Array(1 + 2 * random.below(200)).fill(0x61), random.chance(0.5));
  return { name, bytes, sound };
}

async function makeMp3(random: Random, rate: number | undefined): Promise<Made> {
  const sampleRate = rate ?? random.pick(MP3_RATES);
  const channels = random.pick([1, 2]);
  const samples = melody(random, sampleRate, channels, secondsOf(random));
  const options = [
    '-c:a',
    'libmp3lame',
    ...random.pick([
      ['-b:a', '32k'],
      ['-b:a', '64k'],
      ['-q:a', '4'],
      ['-q:a', '9'],
    ]),
  ];
  options.push('-write_xing', random.pick(['0', '1', '1']), '-id3v2_version', random.pick(['0', '3', '4']));
  if (random.chance(0.2)) options.push('-write_id3v1', '1');
  if (random.chance(0.2)) options.push('-joint_stereo', '0');
  if (random.chance(0.2)) options.push('-reservoir', '0');
  let bytes = await encode(samples, sampleRate, channels, options, 'mp3');
  const sound = await decode(bytes, 'mp3');
  const defect = random.pick([
    'none',
    'none',
    'none',
    'id3v2',
    'id3v1',
    'ape',
    'behind',
    'false header',
    'junk',
  ] as const);
  if (defect === 'id3v2') bytes = between(bytes, id3v2(random), random);
  if (defect === 'id3v1') bytes = between(bytes, id3v1(), random);
  if (defect === 'ape') bytes = between(bytes, apeTag(), random);
  if (defect === 'behind') bytes = joined(bytes, apeTag(), id3v1());
  if (defect === 'false header')
    bytes = joined([0xff, 0xfb, 0x90, 0x64], new Uint8Array(random.below(300)).fill(0x55), bytes);
  if (defect === 'junk') bytes = joined(new Uint8Array(1 + random.below(2000)), bytes);
  return { name: `MP3 ${options.slice(2).join(' ')} ${sampleRate} Hz ${channels} ch, ${defect}`, bytes, sound };
}

async function makeAac(random: Random, rate: number | undefined): Promise<Made> {
  const sampleRate = rate ?? random.pick(RATES);
  const channels = random.pick([1, 2]);
  const samples = melody(random, sampleRate, channels, secondsOf(random));
  const options = ['-c:a', 'aac', '-b:a', random.pick(['32k', '64k', '96k'])];
  if (random.chance(0.3)) options.push('-write_id3v2', '1');
  let bytes = await encode(samples, sampleRate, channels, options, 'aac');
  const sound = await decode(bytes, 'aac');
  const defect = random.pick(['none', 'none', 'id3v2', 'ape'] as const);
  if (defect === 'id3v2') bytes = between(bytes, id3v2(random), random);
  if (defect === 'ape') bytes = joined(bytes, apeTag());
  return { name: `AAC ${sampleRate} Hz ${channels} ch, ${defect}`, bytes, sound };
}

async function makeOpus(random: Random, extension: string, muxer: readonly string[]): Promise<Made> {
  const sampleRate = random.pick(OPUS_RATES);
  const channels = random.pick([1, 2]);
  const samples = melody(random, sampleRate, channels, secondsOf(random));
  const options = ['-c:a', 'libopus', '-b:a', random.pick(['16k', '32k', '64k']), '-vbr', random.pick(['on', 'off'])];
  options.push('-frame_duration', random.pick(['2.5', '5', '10', '20', '40', '60']));
  options.push('-application', random.pick(['voip', 'audio', 'lowdelay']), ...muxer);
  const bytes = await encode(samples, sampleRate, channels, options, extension);
  return {
    name: `${options.slice(2).join(' ')} ${sampleRate} Hz ${channels} ch`,
    bytes,
    sound: await decode(bytes, extension),
  };
}

async function makeOgg(random: Random, _rate: number | undefined, isLast: boolean): Promise<Made> {
  const made = await makeOpus(random, 'ogg', ['-page_duration', random.pick(['20000', '200000', '1000000'])]);
  const defect = random.pick(['none', 'zero', 'third', 'half', 'no end'] as const);
  if (defect === 'none' || !isLast) return { ...made, name: `Ogg ${made.name}` };
  const factor = { zero: 0, third: 1 / 3, half: 1 / 2, 'no end': 1 }[defect];
  const bytes = factor === 1 ? withoutEnd(made.bytes) : withGranules(made.bytes, factor);
  // Without a usable position of the end, what the encoder has added there remains.
  return { ...made, name: `Ogg ${made.name}, ${defect}`, bytes, addedSeconds: 0.06 };
}

async function makeWebm(random: Random): Promise<Made> {
  const made = await makeOpus(
    random,
    'webm',
    random.pick([[], ['-live', '1'], ['-cluster_time_limit', '300'], ['-dash', '1']]),
  );
  return { ...made, name: `WebM ${made.name}` };
}

async function makeRaw(random: Random): Promise<Case> {
  const sampleRate = random.pick(RATES);
  const channels = random.pick([1, 1, 2]);
  const samples = melody(random, sampleRate, channels, secondsOf(random));
  // Some begin in silence, some with a loud sample.
  if (random.chance(0.3)) samples.fill(0, 0, channels * random.below(sampleRate / 5));
  const skipped = random.chance(0.5) ? channels * random.below(500) : 0;
  const kept = samples.slice(skipped);
  const isLittle = random.chance(0.6);
  const bytes = new Uint8Array(kept.length * 2);
  const view = new DataView(bytes.buffer);
  kept.forEach((sample, i) => view.setInt16(2 * i, Math.round(sample * 32_767), isLittle));
  const parameters = `rate=${sampleRate};channels=${channels}`;
  const types = isLittle
    ? [
        `audio/pcm;${parameters}`,
        `audio/L16;codec=pcm;${parameters}`,
        `audio/l16; ${parameters}; endianness=little-endian`,
      ]
    : [
        `audio/L16;${parameters}`,
        `audio/l16;${parameters};endianness=big-endian`,
        `audio/pcm;${parameters};endianness=big-endian`,
      ];
  const isPlain = isLittle && channels === 1 && random.chance(0.3);
  const contentType = isPlain ? random.pick(['', 'application/octet-stream', 'audio/pcm']) : random.pick(types);
  const sound = {
    sampleRate,
    samples: Float32Array.from({ length: kept.length / channels }, (_, i) => {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += kept[i * channels + channel]!;
      return sum / channels;
    }),
  };
  const name = `raw ${isLittle ? 'LE' : 'BE'} as ${contentType || 'nothing'}`;
  const input = contentType && !isPlain ? random.pick(['url', 'request', 'response', 'blob', 'file'] as const) : 'url';
  const { pieceBytes } = delivery(random, bytes.length);
  return { name, bytes, contentType, input, pieceBytes, sound, refusal: null, ...(isPlain && { sampleRate }) };
}

async function makeRefused(random: Random): Promise<Case> {
  const rate = random.pick([16_000, 44_100, 48_000]);
  const samples = melody(random, rate, 1, 1);
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const noise = Uint8Array.from({ length: 144_000 }, () => random.below(256));
  const secret = `sk-${'a1B2c3'.repeat(6)}`;
  const file = async (codec: string, extension: string): Promise<Uint8Array> =>
    encode(samples, rate, 1, ['-c:a', codec, ...(extension === 'm4a' ? ['-movflags', '+faststart'] : [])], extension);
  const [name, bytes, refusal, type] = await random.pick([
    async () => ['FLAC', await file('flac', 'flac'), /FLAC/, 'audio/flac'] as const,
    async () => ['MP4', await file('aac', 'm4a'), /MP4/, 'audio/mp4'] as const,
    async () => ['Vorbis', await file('libvorbis', 'ogg'), /vorbis/, 'audio/ogg'] as const,
    async () => ['Vorbis in WebM', await file('libvorbis', 'webm'), /VORBIS/, 'audio/webm'] as const,
    async () => ['FLAC in Ogg', await file('flac', 'oga'), /FLAC/, 'audio/ogg'] as const,
    async () => ['AIFF', await file('pcm_s16be', 'aiff'), /AIFF/, 'audio/aiff'] as const,
    async () => ['AU', await file('pcm_s16be', 'au'), /AU/, 'audio/basic'] as const,
    async () => ['CAF', await file('pcm_s16le', 'caf'), /CAF/, 'audio/x-caf'] as const,
    async () => ['WavPack', await file('wavpack', 'wv'), /WavPack/, 'audio/x-wavpack'] as const,
    async () => ['ADPCM', await file('adpcm_ima_wav', 'wav'), /ADPCM/, 'audio/wav'] as const,
    async () =>
      ['noise', joined([0x80], noise), /audio\/mpeg|audio\/wav/, random.pick(['audio/mpeg', 'audio/wav'])] as const,
    async () =>
      [
        'JSON',
        text(`{"error":{"message":"Bad key ${secret}","url":"https://a.test/b?token=c"}}`),
        /JSON.*Bad key/,
        'audio/mpeg',
      ] as const,
    async () =>
      [
        'pretty JSON',
        text(`{\n  "detail": "Quota of ${secret} is used up."\n}\n`),
        /JSON.*Quota/,
        'audio/pcm;rate=24000',
      ] as const,
    async () =>
      [
        'HTML',
        text('<!DOCTYPE html>\n<html><body>Log in at http://login.test/?next=key</body></html>'),
        /HTML/,
        'text/html',
      ] as const,
    async () =>
      [
        'XML',
        text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
        /XML.*AccessDenied/,
        'audio/mpeg',
      ] as const,
    async () =>
      [
        'text',
        text('Zu viele Anfragen. Bitte später wieder versuchen.'),
        /text.*später/,
        'application/octet-stream',
      ] as const,
    async () =>
      ['base64', text(Buffer.from(await file('pcm_s16le', 'wav')).toString('base64')), /base64/, 'audio/wav'] as const,
  ])();
  const { input, pieceBytes } = delivery(random, bytes.length);
  const rest = { input: input === 'stream' || input === 'buffer' ? 'blob' : input, pieceBytes, sound: null } as const;
  return {
    name,
    bytes,
    refusal,
    contentType: type,
    ...rest,
    ...(random.chance(0.5) && name !== 'noise' && { sampleRate: 24_000 }),
  };
}
