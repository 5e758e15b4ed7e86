/**
 * Selects the web-platform-tests of features that the element has: events, state, seeking, sound. Excludes tracks,
 * `<source>`, MediaSource, policies and MIME types. Paths are relative to the folder of media elements.
 */
export const RUN = [
  /^(audio_(?!.*manual)|controlsList|currentSrc|error-sequence|event_|networkState_|paused_|preload_|readyState_)/,
  /^(src_(reflects|removal)|volume_)/,
  /^loading-the-media-resource\/(autoplay-|load-|resource-selection-invoke-set-src(-not-in-document)?\.html)/,
  /^(error-codes|location-of-the-media-resource|offsets-into-the-media-resource|seeking)\//,
  /^playing-the-media-resource\/(?!fragmented)/,
  /^ready-states\/autoplay\.html/,
  /^user-interface\/muted/,
];

const LEFT_OUT = 'the member is left out';
const NO_EVENT = 'there is no `loadeddata` and no `canplaythrough`';
const CLOSED = 'an element that is removed is closed';
const ONE_SOURCE = 'there is one source, and no `<source>`';
const MUTED = '`muted` applies until the element is first inserted';
const PLAY_FIRST = 'nothing is loaded before `play()`';

/**
 * Reasons why tests do not pass and are not meant to. The first match counts.
 *
 * @type {{ files: RegExp, tests?: RegExp, why: string }[]}
 */
export const REASONS = [
  { files: /canplaythrough|loadeddata|^ready-states\/autoplay/, tests: /^(?!.*load\(\))/, why: NO_EVENT },
  { files: /^(audio_loop|currentSrc|location|playing.*\/loop|loading.*\/load-events)/, why: LEFT_OUT },
  { files: /^ready-states\/autoplay/, why: LEFT_OUT },
  { files: /^event_volumechange/, tests: /before load/, why: LEFT_OUT },
  { files: /^event_order_durationchange_resize/, tests: /resize/, why: 'there is no picture, and no `resize`' },
  { files: /^loading.*\/load-removes/, tests: /load\(\)/, why: LEFT_OUT },
  { files: /^loading.*\/load-removes/, tests: /src resource/, why: 'there is no `suspend`' },
  { files: /^loading.*\/load-removes/, tests: /source error/, why: ONE_SOURCE },
  { files: /^loading.*\/autoplay-overrides/, why: 'only an element in a page plays by itself' },
  { files: /^controlsList/, why: 'other values are of buttons that the controls do not have' },
  { files: /^user-interface/, tests: /script-created/, why: MUTED },
  { files: /_noautoplay|^(seeking|offsets.*currentTime|user-interface)/, why: PLAY_FIRST },
  { files: /^error-codes/, tests: /successful load/, why: PLAY_FIRST },
  { files: /^error-codes/, tests: /empty string/, why: '`src=""` is no source, and no error' },
  { files: /^error-sequence/, why: '`loadstart` comes with the call that causes it' },
  { files: /^networkState_during_loadstart/, why: '`loadstart` comes with the call that causes it' },
  { files: /^playing.*\/pause-remove/, why: CLOSED },
];
