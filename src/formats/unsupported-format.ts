/** The audio has a format that cannot be played. The only error that the parsers throw. `message` names the format. */
export class UnsupportedFormat extends Error {}
