/** Modes of the browser's echo canceller, as values of the page's choice. */
const ECHO_CANCELLATION: Record<string, boolean | string> = { on: true, all: 'all', off: false };

/**
 * Opens the microphone.
 *
 * @param echo - Key of `ECHO_CANCELLATION`. `all` cancels what other programs play, too. Where the browser does not know
 *   it, it is `on`.
 * @throws {DOMException} If the page may not or cannot use a microphone.
 */
export async function openMicrophone(echo: string): Promise<MediaStream> {
  const echoCancellation = { ideal: ECHO_CANCELLATION[echo] ?? true } as ConstrainBoolean;
  return navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation, noiseSuppression: true, autoGainControl: true },
  });
}

/** Returns why there is no microphone, and what to do. @param error - What `openMicrophone()` threw. */
export function explainMicrophone(error: unknown): string {
  if (!navigator.mediaDevices) return 'This page has no microphone: it is not served over HTTPS or from localhost.';
  const { name, message } = error as Error;
  switch (name) {
    case 'NotAllowedError':
      return 'The microphone is denied. Allow it in the browser’s settings for this page, and press Listen again.';
    case 'NotFoundError':
      return 'No microphone was found. Plug one in, and press Listen again.';
    case 'NotReadableError':
      return 'The microphone cannot be read. Another program may hold it: close it, and press Listen again.';
    default:
      return `The microphone could not be opened: ${message.replace(/\.?$/, '.')}`;
  }
}
