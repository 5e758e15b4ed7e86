import type { Clock } from '../base/clock.js';
import { threadClock } from '../base/thread-clock.js';

/** Number of requests for the rest of a body, and milliseconds before each. */
const TRIES = 3;
const TRY_AGAIN_MS = 1000;

/**
 * Returns the body of a response. When it breaks, the rest of it is requested, as media elements do. This needs a server
 * with byte ranges, and a strong validator, which ensures that the rest is of the same file (RFC 9110, section 13.1.5).
 * Worker thread.
 *
 * @param length - Length of the body in bytes; null if unknown.
 * @param request - Sends the request again, with these headers in addition.
 */
export function resumedBody(
  { status, headers, body }: Response,
  length: number | null,
  request: (headers: [string, string][]) => Promise<Response>,
  clock: Clock = threadClock,
): ReadableStream<Uint8Array> | null {
  const tag = headers.get('etag');
  const validator = tag?.startsWith('"') ? tag : headers.get('last-modified');
  const hasRanges = status === 200 && headers.get('accept-ranges') === 'bytes';
  if (!body || length === null || !validator || !hasRanges) return body;
  let reader = body.getReader();
  let at = 0;
  let tries = TRIES;

  async function resume(): Promise<void> {
    await new Promise<void>((resolve) => void clock.after(TRY_AGAIN_MS, resolve));
    const rest = await request([
      ['Range', `bytes=${at}-`],
      ['If-Range', validator!],
    ]);
    if (rest.headers.get('content-range')?.startsWith(`bytes ${at}-`)) {
      reader = rest.body!.getReader();
    } else {
      tries = 0;
      await rest.body?.cancel();
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        for (;;) {
          const next = await reader.read().catch((error: unknown) => ({ error, value: undefined }));
          if (next.value) {
            at += next.value.length;
            return controller.enqueue(next.value);
          }
          if (at >= length || tries-- <= 0) return 'error' in next ? controller.error(next.error) : controller.close();
          // Without a rest, the reader reports the same again.
          await resume().catch(() => {});
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
