/**
 * Error for audio in a format that cannot be played. The only error of parsers and demuxers. `message` names the
 * format.
 */
export class UnsupportedFormat extends Error {
  /** Identifies the error across bundles, each of which has its own copy of this class. */
  override readonly name = 'UnsupportedFormat';
}
