import { SpeakerError } from '../base/speaker-error.js';
import { withoutSecrets } from '../base/without-secrets.js';
import type { StreamFailure } from '../connection/audio-input.js';

/** The formats of audio streams, for people. */
const SUPPORTED =
  'WAV, raw samples of 16 bits with a rate (audio/pcm;rate=R, audio/L16;rate=R, or sampleRate), and, with WebCodecs, ' +
  'MP3, AAC in ADTS, and Opus in Ogg or WebM, at 8000 to 96000 Hz';

/** Length of a URL in a message, in characters. Audio in base64 that is taken for a URL is longer. */
const PLACE_LENGTH = 200;

/**
 * Makes the error for an audio stream. Its reasons are those of a socket that did not open or ended early, because no
 * session was requested. Pure. Main thread, because the worker reports only facts.
 */
export function describeStreamFailure(cause: StreamFailure): SpeakerError {
  switch (cause.type) {
    case 'request-failed': {
      const cors = isData(cause.url)
        ? ' It must allow data:. If you cannot change it, give the bytes in place of the URL.'
        : cause.isCrossOrigin
          ? ' That is another origin: its server must answer with Access-Control-Allow-Origin for this page, and with' +
            ' Access-Control-Allow-Credentials if crossorigin is use-credentials. If you cannot change it, fetch the audio' +
            ' through your own backend.'
          : ' If it redirects to another origin, that server must allow this page (CORS).';
      const message =
        `No audio from ${placeOf(cause.url)}: ${withoutSecrets(cause.message)}. Check the address, the network` +
        ` and the page's connect-src.${cors}`;
      return new SpeakerError('socket-failed', message, { retryable: 'unknown' });
    }
    case 'http-status': {
      const { url, status } = cause;
      const from = url === null ? 'The Response given to speakAudio()' : placeOf(url);
      const message =
        status === 0
          ? `${from} is opaque: a page may not read it. Fetch it without mode: 'no-cors'.`
          : `${from} has status ${status} and no audio. ${remedyFor(status)}`;
      return new SpeakerError('socket-failed', message, {
        ...(status > 0 && { httpStatus: status }),
        retryable: status === 429 || status >= 500,
      });
    }
    case 'stream-ended': {
      const { bytes, expected, message: said } = cause;
      const of = expected === null ? '' : ` of ${expected}`;
      const why = said && ` (${said.replace(/\.$/, '')})`;
      const message = `The audio stream ended early, after ${bytes} bytes${of}${why}. Check its server, or try again.`;
      return new SpeakerError('socket-closed', message, { retryable: 'unknown' });
    }
  }
  const message = `This audio stream cannot be played: it is ${withoutSecrets(cause.received)}. Supported are ${SUPPORTED}.`;
  return new SpeakerError('format-unsupported', message);
}

function isData(url: string): boolean {
  return /^data:/i.test(url);
}

/** Names a URL without its query, password and data. */
function placeOf(url: string): string {
  return isData(url) ? 'a data: URL' : withoutSecrets(url).slice(0, PLACE_LENGTH);
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'Log in, or allow the user to get it.';
  if (status === 404) return 'Check the address.';
  if (status === 429 || status >= 500) return 'Try again later.';
  return 'Check the request.';
}
