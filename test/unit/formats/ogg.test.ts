import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPUS_TAGS, oggPage, opusHeadOf, type PageFields, packetOf, PRE_SKIP } from './compressed-file.js';
import { joined, partsOf, read } from './parts.js';

const SIZES = [1, 7, 997, 100_000];
const LAST = 4;
const FIRST = 2;
const SAMPLES = 960;
const packets = Array.from({ length: 10 }, (_, i) => packetOf('ogg', new Uint8Array(80).fill(i + 1)));
const lists = (data: readonly Uint8Array[]): number[][] => data.map((packet) => [...packet]);
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');

const head = (fields: PageFields = {}): Uint8Array => oggPage({ flags: FIRST, ...fields }, opusHeadOf());
const tags = (fields: PageFields = {}): Uint8Array => oggPage(fields, OPUS_TAGS);
/** Makes a page for each packet. */
const audio = (data: readonly Uint8Array[], fields: (index: number) => PageFields = () => ({})): Uint8Array =>
  joined(...data.map((packet, i) => oggPage({ granule: SAMPLES * (i + 1), ...fields(i) }, packet)));
const file = (serial = 1): Uint8Array =>
  joined(
    head({ serial }),
    tags({ serial }),
    audio(packets, (i) => ({ serial, flags: i === 9 ? LAST : 0 })),
  );

/** Returns the packets and the tracks of a stream, which are the same in all sizes of pieces. */
function readAll(bytes: Uint8Array) {
  const [first, ...others] = SIZES.map((size) => {
    const parts = partsOf(bytes, {}, size).filter((part) => 'data' in part);
    const tracks = [...new Set(parts.map(({ track }) => track))].map(({ skip, samples }) => ({ skip, samples }));
    return { packets: parts.map(({ data }) => [...data]), tracks };
  });
  for (const other of others) assert.deepEqual(other, first);
  return first!;
}

describe('Ogg with Opus', () => {
  // pschatzmann/arduino-audio-tools 2369, savonet/liquidsoap 3062
  it('goes on behind a page that claims to be the last one', () => {
    const last = { flags: LAST };
    const heads = joined(head(), tags());
    const streams = {
      'on the head': joined(head({ flags: FIRST | LAST }), tags(), audio(packets)),
      'on the tags': joined(head(), tags(last), audio(packets)),
      'on one page': joined(
        heads,
        audio(packets, (i) => (i === 3 || i === 9 ? last : {})),
      ),
      'on all pages': joined(
        heads,
        audio(packets, () => last),
      ),
      'on all but the head': joined(
        head(),
        tags(last),
        audio(packets, () => last),
      ),
    };
    for (const [name, bytes] of Object.entries(streams)) {
      const found = readAll(bytes);
      assert.deepEqual(found.packets, lists(packets), name);
      assert.deepEqual(found.tracks, [{ skip: PRE_SKIP, samples: Infinity }], name);
      const twice = readAll(joined(bytes, file(2), bytes));
      assert.deepEqual(twice.packets, lists([...packets, ...packets, ...packets]), name);
      assert.equal(twice.tracks.length, 3, name);
    }
  });

  it('is trimmed by its last page, whatever claims to be the last one before', () => {
    const position = (i: number): number => SAMPLES * (i + 1) - (i === 9 ? 100 : 0);
    for (const premature of [[], [3], [0, 1, 2, 3, 4, 5, 6, 7, 8]]) {
      const pages = audio(packets, (i) => ({
        granule: position(i),
        flags: premature.includes(i) || i === 9 ? LAST : 0,
      }));
      const { tracks } = readAll(joined(head(), tags(), pages, file(2)));
      assert.deepEqual(tracks[0], { skip: PRE_SKIP, samples: 10 * SAMPLES - 100 - PRE_SKIP }, premature.join());
    }
    // The cut of the page is undone.
    const cut = audio(packets, (i) => (i === 3 ? { flags: LAST, granule: 4 * SAMPLES - 100 } : {}));
    assert.deepEqual(readAll(joined(head(), tags(), cut)).tracks, [{ skip: PRE_SKIP, samples: Infinity }]);
  });

  // ralph-irving/squeezelite 203
  it('goes on under another serial number', () => {
    const heads = joined(head(), tags());
    for (const flags of [0, LAST]) {
      const first = audio(packets, (i) => ({ flags: i === 9 ? flags : 0 }));
      const second = audio(packets, (i) => ({ serial: 2, flags: i === 9 ? LAST : 0, granule: SAMPLES * (i + 1) }));
      const { packets: found, tracks } = readAll(joined(heads, first, second));
      assert.deepEqual(found, lists([...packets, ...packets]));
      assert.deepEqual(tracks, [{ skip: PRE_SKIP, samples: Infinity }]);
      const trimmed = audio(packets, (i) => ({
        serial: 2,
        flags: i === 9 ? LAST : 0,
        granule: SAMPLES * (i + 1) - (i === 9 ? 100 : 0),
      }));
      assert.deepEqual(readAll(joined(heads, first, trimmed)).tracks, [
        { skip: PRE_SKIP, samples: 20 * SAMPLES - 100 - PRE_SKIP },
      ]);
      const headless = joined(head({ serial: 2, flags: 0 }), tags({ serial: 2 }), second);
      const files = readAll(joined(heads, first, headless));
      assert.deepEqual(files.packets, lists([...packets, ...packets]));
      assert.equal(files.tracks.length, 2);
    }
  });

  it('is one of several streams of a file, the others of which are not played', () => {
    const other = (flags = 0): Uint8Array =>
      oggPage({ serial: 9, flags }, joined([0x80], ascii('theora'), new Uint8Array(99)));
    const pages = packets.map((packet, i) =>
      oggPage({ granule: SAMPLES * (i + 1), flags: i === 3 || i === 9 ? LAST : 0 }, packet),
    );
    const mixed = joined(...pages.flatMap((page) => [other(), page]), other(), other(LAST));
    const before = joined(other(FIRST), head(), other(), tags(), mixed);
    const after = joined(head(), other(FIRST), tags(), mixed);
    for (const bytes of [before, after, joined(before, after), joined(after, file(9), before)]) {
      const { packets: found } = readAll(bytes);
      assert.deepEqual(found, lists(Array.from({ length: found.length / 10 }, () => packets).flat()));
    }
    assert.equal(readAll(joined(after, file(9), before)).packets.length, 30);
  });

  // MusicPlayerDaemon/MPD 2404
  it('is refused by its number of channels', () => {
    const bytes = joined(oggPage({ flags: FIRST }, opusHeadOf(6)), tags(), audio(packets));
    for (const size of SIZES) assert.match(read(bytes, '', size).refusal, /^Ogg with Opus of 6 channels, not with/);
  });
});
