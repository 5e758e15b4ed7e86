import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Player, type Recording, startPlayer, type Stream } from './chromium-player.js';
import { framesOf, joined, tagBytes, withDataLength, withGranules, withLacing, withPages } from './defects.js';
import { decode, encode, encodeWithSox, skip } from './ffmpeg.js';
import { likeness } from './likeness.js';
import { inARow } from './make-case.js';

const RATE = 24_000;

/** Returns a sine with the amplitude 12000 of 16 bits. */
function sine(frequency: number, seconds: number, sampleRate = RATE): Float32Array {
  const at = (i: number): number => (12_000 / 32_768) * Math.sin((2 * Math.PI * frequency * i) / sampleRate);
  return Float32Array.from({ length: seconds * sampleRate }, (_, i) => at(i));
}

function s16(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.round(sample * 32_768));
}

function swapped(samples: Int16Array): Uint8Array {
  return new Uint8Array(Buffer.from(samples.slice().buffer).swap16());
}

const bytesOf = (samples: Int16Array): Uint8Array => new Uint8Array(samples.buffer);
const wav = (samples: Float32Array, sampleRate = RATE): Promise<Uint8Array> =>
  encode(samples, sampleRate, 1, ['-c:a', 'pcm_s16le', '-bitexact'], 'wav');
const mp3 = (samples: Float32Array, sampleRate: number, options: readonly string[] = []): Promise<Uint8Array> =>
  encode(samples, sampleRate, 1, ['-b:a', '48k', ...options], 'mp3');

/** Reports of users about other players. Their numbers are those of the issue trackers. */
describe('A stream that other players have failed on', { skip }, () => {
  let player: Player;
  before(async () => {
    player = await startPlayer();
  });
  after(() => player.close());

  /** Plays bytes whole and in pieces of 997 bytes. Both have the same result. */
  async function play(bytes: Uint8Array, contentType: string, more: Partial<Stream> = {}): Promise<Recording> {
    const [whole, pieces] = await Promise.all(
      [0, 997].map((pieceBytes) => player.play({ bytes, contentType, input: 'response', ...more, pieceBytes })),
    );
    assert.deepEqual(whole!.samples, pieces!.samples);
    assert.deepEqual(whole!.error, pieces!.error);
    return whole!;
  }

  function assertTone(
    { samples, sampleRate, error }: Recording,
    right: Float32Array,
    seconds = 0.03,
    least = 0.99,
  ): void {
    assert.equal(error, null, error?.message);
    assert.ok(
      Math.abs(samples.length - right.length) <= seconds * sampleRate,
      `${samples.length}, not ${right.length}`,
    );
    const value = likeness(samples, right, sampleRate);
    assert.ok(value > least, String(value));
  }

  it('has a placeholder for its length (kyutai-labs/pocket-tts 229)', async () => {
    const tone = sine(440, 1);
    const file = await wav(tone);
    for (const length of [2_000_000_000, 0x7fffffff, 0xffffffff, 0, 0x7ffff000, 0x80000000]) {
      const { samples, error } = await play(withDataLength(file, length, length + 36), 'audio/wav');
      assert.equal(error, null);
      assert.deepEqual(samples, s16(tone));
    }
    const { samples, error } = await play(withDataLength(file, 96_000), 'audio/wav');
    assert.deepEqual([samples.length, error?.reason], [RATE, 'socket-closed']);
  });

  it('is a WAV file per sentence (remsky/Kokoro-FastAPI 94)', async () => {
    const tones = [sine(300, 1), sine(500, 1), sine(700, 1)];
    const files = await Promise.all(tones.map((tone) => wav(tone)));
    const { samples, error } = await play(joined(...files), 'audio/wav');
    assert.equal(error, null);
    assert.deepEqual(samples, s16(inARow(...tones)));
    const slow = await wav(sine(500, 1, 16_000), 16_000);
    const right = inARow(...tones);
    assertTone(await play(joined(files[0]!, slow, files[2]!), 'audio/wav'), right);
  });

  it('has samples in the other byte order (googleapis/python-genai 837)', async () => {
    const tone = s16(sine(440, 1));
    const slow = s16(sine(440, 1, 22_050));
    const cases = [
      [bytesOf(tone), 'audio/L16;codec=pcm;rate=24000', tone],
      [bytesOf(slow), 'audio/l16;rate=22050;endianness=little-endian', slow],
      [swapped(tone), 'audio/L16;rate=24000', tone],
      [swapped(tone), 'audio/l16;rate=24000;endianness=big-endian', tone],
    ] as const;
    for (const [bytes, type, right] of cases) assert.deepEqual((await play(bytes, type)).samples, right, type);
  });

  it('is Ogg whose positions are too small (lostromb/concentus 47)', async () => {
    const tone = sine(440, 2, 48_000);
    const file = await encode(tone, 48_000, 1, ['-c:a', 'libopus', '-frame_duration', '60'], 'ogg');
    for (const factor of [0, 1 / 3, 1 / 2, 1]) {
      assertTone(await play(withGranules(file, factor), 'audio/ogg'), tone, 0.06);
    }
  });

  it('has no type and is not PCM (elevenlabs/elevenlabs-js 48)', async () => {
    const tone = sine(440, 1, 44_100);
    const wide = sine(440, 1, 48_000);
    const files = {
      mp3: await mp3(tone, 44_100),
      'mp3 without tags': await mp3(tone, 44_100, ['-id3v2_version', '0', '-write_xing', '0']),
      ogg: await encode(wide, 48_000, 1, ['-c:a', 'libopus'], 'ogg'),
      webm: await encode(wide, 48_000, 1, ['-c:a', 'libopus'], 'webm'),
    };
    const flac = await encode(tone, 44_100, 1, [], 'flac');
    for (const input of ['stream', 'buffer'] as const) {
      for (const sampleRate of [44_100, undefined]) {
        for (const [name, bytes] of Object.entries(files)) {
          const right = await decode(bytes, name.split(' ')[0]!);
          assertTone(await play(bytes, '', { input, sampleRate }), right.samples);
        }
        const { samples, error } = await play(flac, '', { input, sampleRate });
        assert.deepEqual([samples.length, error?.reason], [0, 'format-unsupported']);
        assert.match(error!.message, /FLAC/);
      }
      const { samples } = await play(bytesOf(s16(tone)), '', { input, sampleRate: 44_100 });
      assert.deepEqual(samples, s16(tone));
    }
  });

  it('has the wrong type (langgenius/dify 39434)', async () => {
    const tone = sine(440, 1);
    const noise = Float32Array.from({ length: 3 * RATE }, (_, i) => Math.sin(i * i * 0.37));
    const file = await wav(tone);
    for (const type of ['audio/mpeg', 'audio/mp3; charset=utf-8']) assertTone(await play(file, type), tone);
    assertTone(await play(await wav(noise), 'audio/mpeg'), noise);
    const song = await mp3(tone, RATE);
    assertTone(await play(song, 'audio/wav'), (await decode(song, 'mp3')).samples);
    const opus = await encode(sine(440, 1, 48_000), 48_000, 1, ['-c:a', 'libopus'], 'ogg');
    assertTone(await play(opus, 'audio/mpeg'), sine(440, 1, 48_000));
  });

  it('is several MP3 files, the first of which announces only itself (richardr1126/openreader 129)', async () => {
    const tones = [300, 600, 900].map((frequency) => sine(frequency, 2));
    const plain = await Promise.all(tones.map((tone) => mp3(tone, RATE, ['-id3v2_version', '0'])));
    const tagged = await Promise.all(tones.map((tone) => mp3(tone, RATE)));
    const piped = await mp3(tones[0]!, RATE, ['-write_xing', '0']);
    for (const files of [plain, tagged, [piped, tagged[1]!]]) {
      const sounds = await Promise.all(files.map((file) => decode(file, 'mp3')));
      const right = inARow(...sounds.map(({ samples }) => samples));
      assert.ok(Math.abs(right.length / RATE - 2 * files.length) < 0.15);
      assertTone(await play(joined(...files), 'audio/mpeg'), right);
    }
  });

  it('is WAV of a telephone or a sound card (0xShug0/audio.cpp 319)', async () => {
    const tone = sine(440, 1, 8000);
    const codecs = ['pcm_u8', 'pcm_mulaw', 'pcm_alaw', 'pcm_s32le', 'pcm_f64le', 'pcm_s24le', 'pcm_f32le'];
    for (const codec of codecs) {
      const file = await encode(tone, 8000, 1, ['-c:a', codec], 'wav');
      assertTone(await play(file, 'audio/wav'), tone);
    }
    const short = await encode(tone.slice(0, 800), 8000, 1, ['-c:a', 'pcm_s24le'], 'wav');
    for (const pieceBytes of [1, 2, 5]) {
      const stream = { bytes: short, contentType: 'audio/wav', input: 'response', pieceBytes } as const;
      assertTone(await player.play(stream), tone.slice(0, 800));
    }
    assertTone(await play(await encode(tone, 8000, 1, ['-rf64', 'always'], 'wav'), 'audio/wav'), tone);
    const mono = sine(440, 1);
    const six = Float32Array.from({ length: 6 * RATE }, (_, i) => mono[Math.floor(i / 6)]!);
    assertTone(await play(await encodeWithSox(six, RATE, 6, ['-b', '24']), 'audio/wav'), sine(440, 1));
  });

  it('is a file per chunk, in every container (Blaizzy/mlx-audio 898)', async () => {
    const tones = [300, 500, 700].map((frequency) => sine(frequency, 1, 48_000));
    const containers: [string, string, string[]][] = [
      ['mp3', 'audio/mpeg', ['-b:a', '64k']],
      ['ogg', 'audio/ogg', ['-c:a', 'libopus']],
      ['webm', 'audio/webm', ['-c:a', 'libopus']],
      ['wav', 'audio/wav', ['-c:a', 'pcm_s16le']],
    ];
    for (const [extension, type, options] of containers) {
      const files = await Promise.all(tones.map((tone) => encode(tone, 48_000, 1, options, extension)));
      assertTone(await play(joined(...files), type), inARow(...tones));
    }
  });

  it('is Ogg files with the same serial number (chris-rudmin/opus-recorder 29)', async () => {
    const tone = sine(440, 1, 48_000);
    const file = await encode(tone, 48_000, 1, ['-c:a', 'libopus', '-serial_offset', '7', '-bitexact'], 'ogg');
    assertTone(await play(joined(file, file, file), 'audio/ogg'), inARow(tone, tone, tone));
  });

  it('is WAV whose header describes only the first chunk (travisvn/chatterbox-tts-api 11)', async () => {
    const tone = sine(440, 2);
    const file = await wav(tone);
    const { samples, error } = await play(withDataLength(file, 48_000), 'audio/wav');
    assert.equal(error, null);
    assert.deepEqual(samples, s16(tone));
  });

  it('is WAV with metadata behind the samples (roryeckel/wyoming_openai 73)', async () => {
    const tone = sine(440, 1);
    const text = Buffer.from('INFOISFT\x1a\0\0\0CrispASR (AI-generated audio)', 'latin1');
    const chunk = (name: string, data: Uint8Array): Uint8Array => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(data.length);
      return joined(Buffer.from(name), length, data, data.length % 2 > 0 ? [0] : []);
    };
    const file = joined(await wav(tone), chunk('LIST', text), chunk('C2PA', new Uint8Array(1682).fill(0x7f)));
    assert.deepEqual((await play(file, 'audio/wav')).samples, s16(tone));
    assert.deepEqual((await play(joined(file, file), 'audio/wav')).samples, s16(inARow(tone, tone)));
  });

  it('is WAV whose length counts the header (cryptix/wav 10)', async () => {
    const tone = sine(440, 1);
    for (const counted of [28, 36, 44]) {
      const { samples, error } = await play(withDataLength(await wav(tone), 48_000 + counted), 'audio/wav');
      assert.equal(error, null);
      assert.deepEqual(samples, s16(tone));
    }
  });

  it('is WAV with a wrong byte rate (meetecho/janus-gateway 262), or channel mask (evuraan/yellowShoes 13)', async () => {
    const tone = sine(440, 1);
    const file = await wav(tone);
    const view = new DataView(file.buffer);
    view.setUint32(28, 2 * RATE * 2, true);
    assert.deepEqual((await play(file, 'audio/wav')).samples, s16(tone));
    const wide = await encodeWithSox(tone, RATE, 1, ['-b', '24']);
    assert.equal(new DataView(wide.buffer).getUint16(20, true), 0xfffe);
    new DataView(wide.buffer).setUint32(40, 0xffffffff, true);
    assertTone(await play(wide, 'audio/wav'), tone);
  });

  it('is WebM of a recorder, whose clusters have no length (CrispStrobe/CrispASR 417)', async () => {
    const tone = sine(440, 2, 48_000);
    const options = ['-c:a', 'libopus', '-live', '1', '-cluster_time_limit', '100'];
    const file = await encode(tone, 48_000, 1, options, 'webm');
    const [one, two] = [await play(file, 'audio/webm'), await play(joined(file, file), 'audio/webm;codecs=opus')];
    assertTone(one, tone, 0.1);
    assert.equal(two.samples.length, 2 * one.samples.length);
  });

  it('is another format than the PCM that was requested (livekit/agents-js 2320)', async () => {
    const tone = sine(440, 1);
    const song = await mp3(tone, RATE);
    const type = 'audio/pcm;rate=24000';
    assert.deepEqual((await play(await wav(tone), type)).samples, s16(tone));
    assertTone(await play(song, type), (await decode(song, 'mp3')).samples);
  });

  it('is a page or JSON with the address of the audio (THU-MAIC/OpenMAIC 1395), but not PCM that begins like it', async () => {
    const address = 'https://files.test/speech/123.mp3?signature=abc';
    const json = new TextEncoder().encode(`{"audioUrl":"${address}","format":"mp3"}`);
    for (const type of ['audio/mpeg', 'application/json', 'audio/pcm;rate=24000']) {
      const { samples, error } = await play(json, type);
      assert.deepEqual([samples.length, error?.reason], [0, 'format-unsupported']);
      assert.match(error!.message, /JSON.*audioUrl/);
      assert.doesNotMatch(error!.message, /files\.test|signature/);
    }
    const pcm = s16(sine(440, 1));
    pcm[0] = 0x227b;
    assert.deepEqual((await play(bytesOf(pcm), 'audio/pcm;rate=24000')).samples, pcm);
  });

  it('is raw floats (AreevAI/flowcat 18)', async () => {
    const tone = sine(440, 1);
    const bytes = new Uint8Array(tone.buffer);
    const quiet = new Uint8Array(sine(440, 1).map((sample) => sample / 100).buffer);
    for (const type of ['', 'application/octet-stream', 'audio/pcm;rate=24000']) {
      assertTone(await play(bytes, type, { sampleRate: RATE }), tone);
      assertTone(await play(quiet, type, { sampleRate: RATE }), tone);
    }
    const { samples, error } = await play(bytes, 'application/vnd.lmnt.audio-fp32', { sampleRate: RATE });
    assert.deepEqual([samples.length, error?.reason], [0, 'format-unsupported']);
    assert.match(error!.message, /audio-fp32/);
  });

  it('is WebM or MP4 without its beginning (chrisguttandin/extendable-media-recorder 690)', async () => {
    const tone = sine(440, 2, 48_000);
    const options = ['-c:a', 'libopus', '-live', '1', '-cluster_time_limit', '100'];
    const file = Buffer.from(await encode(tone, 48_000, 1, options, 'webm'));
    const cluster = new Uint8Array(file.subarray(file.indexOf(Buffer.of(0x1f, 0x43, 0xb6, 0x75), 2000)));
    const fragment = joined([0, 0, 2, 0], Buffer.from('moof'), new Uint8Array(40), cluster);
    for (const [bytes, name] of [
      [cluster, /WebM/],
      [fragment, /MP4/],
    ] as const) {
      for (const type of ['audio/webm', '']) {
        const { samples, error } = await play(bytes, type, { sampleRate: RATE });
        assert.deepEqual([samples.length, error?.reason], [0, 'format-unsupported']);
        assert.match(error!.message, name);
      }
    }
  });

  it('is Ogg whose last page has no position (JamesHeinrich/getID3 450)', async () => {
    const tone = sine(440, 2, 48_000);
    const file = await encode(tone, 48_000, 1, ['-c:a', 'libopus'], 'ogg');
    const last = Buffer.from(file).lastIndexOf('OggS');
    // An empty page without a position follows the audio, and only that page ends the stream.
    const end = joined(file.subarray(last, last + 26), [0]);
    end.fill(0xff, 6, 14);
    file[last + 5] = 0;
    assertTone(
      await play(
        withPages(joined(file, end), () => {}),
        'audio/ogg',
      ),
      tone,
    );
    // The last page with audio has none.
    file.fill(0xff, last + 6, last + 14);
    file[last + 5] = 4;
    assertTone(
      await play(
        withPages(file, () => {}),
        'audio/ogg',
      ),
      tone,
    );
  });

  it('is Ogg of a single page, which ends it (zeroclaw-labs/zeroclaw 10627)', async () => {
    for (const seconds of [0.2, 0.5, 0.9]) {
      const tone = sine(440, seconds, 48_000);
      const options = ['-c:a', 'libopus', '-page_duration', '2000000'];
      const file = await encode(tone, 48_000, 1, options, 'ogg');
      assert.equal(Buffer.from(file).toString('latin1').split('OggS').length, 1 + 3);
      assertTone(await play(file, 'audio/ogg'), (await decode(file, 'ogg')).samples, 0.001);
      assertTone(await play(joined(file, file), 'audio/ogg'), inARow(tone, tone));
    }
  });

  it('is WAV with a wrong block length (pdeljanov/Symphonia 409), a long header (stemdeckapp/stemdeck 358), or half a frame at its end (MediaArea/BWFMetaEdit 166)', async () => {
    const tone = sine(440, 1);
    const file = await wav(tone);
    const wrong = file.slice();
    new DataView(wrong.buffer).setUint16(32, 16, true);
    assert.deepEqual((await play(wrong, 'audio/wav')).samples, s16(tone));
    for (const length of [512, 4096, 65_536]) {
      const header = Buffer.alloc(8);
      header.write('JUNK');
      header.writeUInt32LE(length, 4);
      const long = joined(file.subarray(0, 12), header, new Uint8Array(length), file.subarray(12));
      assert.deepEqual((await play(long, 'audio/wav')).samples, s16(tone));
    }
    const stereo = Float32Array.from({ length: 2 * RATE }, (_, i) => tone[i >> 1]!);
    const wide = await encode(stereo, RATE, 2, ['-c:a', 'pcm_s24le', '-bitexact'], 'wav');
    const data = Buffer.from(wide).indexOf('data') + 4;
    new DataView(wide.buffer).setUint32(data, 6 * RATE - 2, true);
    assertTone(await play(wide.subarray(0, -2), 'audio/wav'), tone);
  });

  it('is MP3 behind a long tag with a picture (schreibfaul1/ESP32-audioI2S 4)', async () => {
    const tone = sine(440, 1);
    const song = await mp3(tone, RATE, ['-id3v2_version', '0']);
    // The picture has what looks like frames.
    const picture = joined([0xff, 0xd8, 0xff, 0xe0], song, new Uint8Array(150_000), song);
    const size = picture.length;
    const tag = joined(Buffer.from('ID3'), [3, 0, 0, size >> 21, (size >> 14) & 127, (size >> 7) & 127, size & 127]);
    const right = await decode(song, 'mp3');
    for (const type of ['audio/mpeg', '']) {
      assertTone(await play(joined(tag, picture, song), type, { sampleRate: RATE }), right.samples);
      assertTone(await play(joined(new Uint8Array(3000), song), type, { sampleRate: RATE }), right.samples);
      assertTone(await play(joined(tag.subarray(0, 3), song), type, { sampleRate: RATE }), right.samples);
    }
  });

  it('is WAV of floats that its header calls integers (rendchevi/nix-tts 6, audeering/opensmile 42)', async () => {
    const tone = sine(440, 1);
    const file = await encode(tone, RATE, 1, ['-c:a', 'pcm_f32le', '-bitexact'], 'wav');
    for (const bits of [16, 32]) {
      const wrong = file.slice();
      const view = new DataView(wrong.buffer);
      view.setUint16(20, 1, true);
      view.setUint16(34, bits, true);
      assertTone(await play(wrong, 'audio/wav'), tone, 0);
    }
  });

  it('is a chime and then speech in another format (nimroddolev/chime_tts 313)', async () => {
    const [chime, speech] = [sine(900, 1, 48_000), sine(440, 1, 48_000)];
    const first = [
      await wav(chime, 48_000),
      await encode(chime, 48_000, 1, ['-c:a', 'libopus'], 'webm'),
      await mp3(chime, 48_000),
    ];
    const song = await mp3(speech, 48_000);
    const second = [song, song.subarray(tagBytes(song)), await encode(speech, 48_000, 1, ['-c:a', 'aac'], 'aac')];
    for (const head of first) {
      for (const tail of second) assertTone(await play(joined(head, tail), ''), inARow(chime, speech), 0.1);
    }
  });

  it('ends with the message of a server that failed (Migushthe2nd/MsEdgeTTS 34)', async () => {
    const tone = sine(440, 1);
    const message = Buffer.from('{"error":{"message":"The quota is used up."}}');
    const song = await mp3(tone, RATE);
    for (const [file, right] of [
      [await wav(tone), s16(tone).length],
      [song, (await decode(song, 'mp3')).samples.length],
    ] as const) {
      const { samples, error } = await play(joined(file, message), 'audio/mpeg');
      assert.ok(Math.abs(samples.length - right) < 0.05 * RATE);
      assert.equal(error?.reason, 'format-unsupported');
      assert.match(error.message, /JSON.*quota is used up/);
    }
  });

  it('is WebM of mkvmerge, with several packets in a block (LadybirdBrowser/ladybird 6785)', async () => {
    const tone = sine(440, 2, 48_000);
    const file = await encode(tone, 48_000, 1, ['-c:a', 'libopus'], 'webm');
    const laced = withLacing(file);
    // FFmpeg reads as many samples from it.
    const right = await decode(laced, 'webm');
    assert.ok(Math.abs(right.samples.length - tone.length) < 0.03 * 48_000);
    assertTone(await play(laced, 'audio/webm'), right.samples, 0.03);
  });

  it('is MP3 that begins in the middle (lieff/minimp3 53), or lacks a part (chris-rudmin/opus-recorder 52)', async () => {
    const tone = sine(440, 2);
    const song = await mp3(tone, RATE, ['-id3v2_version', '0']);
    const frames = framesOf(song);
    const cut = song.subarray(frames[5]);
    // Up to three frames of 24 ms are silent without the data of the frames before.
    assertTone(await play(cut, 'audio/mpeg'), tone.subarray(5 * 576), 0.1, 0.95);
    const damaged = joined(song.subarray(0, frames[20]! + 9), song.subarray(frames[20]! + 60));
    assertTone(await play(damaged, 'audio/mpeg'), tone, 0.1, 0.95);
  });

  it('is of another kind, which is named (pili-engineering/QPlayer2-Android 16, goldfire/howler.js 1267)', async () => {
    const tone = sine(440, 1, 48_000);
    const stereo = Float32Array.from({ length: 96_000 }, (_, i) => tone[i >> 1]!);
    const kinds: [RegExp, Uint8Array][] = [
      [/MP2/, await encode(tone, 48_000, 1, ['-c:a', 'mp2'], 'mp2')],
      [/transport stream/, await encode(tone, 48_000, 1, ['-c:a', 'aac'], 'ts')],
      [/W64/, await encode(tone, 48_000, 1, [], 'w64')],
      [
        /Ogg with Opus in several streams/,
        await encode(stereo, 48_000, 2, ['-c:a', 'libopus', '-mapping_family', '255'], 'ogg'),
      ],
    ];
    for (const [name, bytes] of kinds) {
      for (const type of ['audio/mpeg', '']) {
        const { samples, error } = await play(bytes, type, { sampleRate: 48_000 });
        assert.deepEqual([samples.length, error?.reason], [0, 'format-unsupported'], String(name));
        assert.match(error!.message, name);
      }
    }
  });
});
