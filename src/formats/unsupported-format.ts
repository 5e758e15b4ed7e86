/** The audio has a format that cannot be played. The only error that parsers and demuxers throw. `message` names the format. */
export class UnsupportedFormat extends Error {
  /** Tells it also from another file, which has its own copy of this class. */
  override readonly name = 'UnsupportedFormat';
}
