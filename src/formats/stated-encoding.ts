import { bigEndian, MORE_ENCODINGS } from './more-encodings.js';
import { type Encoding, ENCODINGS } from './sample-decoder.js';

/** An encoding's name, as in FFmpeg, NumPy or SoX: `s16le`, `pcm_f32be`, `float32`, `u8`, `int24`, `signed-integer`. */
const NAME = /(?:^| )(?:pcm.?)?(s|signed.integer|int|u(?:int)?(?=8)|f|float)[_-]?(8|16|24|32|64)?[_-]?([bl]e)?(?: |$)/;
const SIGNED_8: Encoding = { bytes: 1, read: (view, at) => view.getInt8(at) * 256 };

/**
 * Returns the encoding of raw samples that their Content-Type states, by a name, a number of bits or a byte order. An
 * explicit statement wins over any guess. Null if it states none, or one that is not known here.
 */
export function statedEncoding(contentType: string): Encoding | null {
  const valueOf = (name: string): string =>
    [...contentType.toLowerCase().matchAll(new RegExp(`;\\s*(?:${name})\\s*=\\s*"?([\\w-]+)`, 'g'))]
      .map(([, value]) => value)
      .join(' ');
  // One of several may be the name of a container, such as `raw`.
  const name = valueOf('encoding|codecs?|(?:sample.?)?format');
  if (/u-?law|pcmu/.test(name)) return MORE_ENCODINGS['7/8']!;
  if (/a-?law|pcma/.test(name)) return MORE_ENCODINGS['6/8']!;
  const [found, kind = 's', width, end] = NAME.exec(name) ?? [];
  const bits =
    width ?? (valueOf('(?:sample.?size.?)?bits?(?:.?depth|.?per.?sample)?') || (kind[0] === 'f' ? '32' : '16'));
  const order = end ?? valueOf('endian\\w*|(?:is.?)?big.?endian|byte.?order');
  if (!order && bits === '16') return null;
  if (bits === '8') return found && kind[0] !== 'u' ? SIGNED_8 : MORE_ENCODINGS['1/8']!;
  const key = `${kind[0] === 'f' ? 3 : 1}/${bits}`;
  const encoding = ENCODINGS[key] ?? MORE_ENCODINGS[key];
  // `true` or `1` is the value of `is-big-endian`.
  return encoding && /^[bt1]/.test(order) ? bigEndian(encoding) : (encoding ?? null);
}
