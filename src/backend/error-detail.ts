/**
 * Finds the reason in the body of an error. The spec shows `{detail: string}` for two routes and nothing for the
 * session route, so the usual shapes are tried: in `detail`, `message`, `error` or `err_msg`, a string, a list of `{loc,
 * msg}`, or an object with a `message`.
 *
 * Pure, never throws.
 *
 * @returns `null` if the body contains no reason that can be shown, such as an HTML page.
 */
export function readErrorDetail(body: string): string | null {
  const source = readJson(body);
  if (typeof source !== 'object' || source === null) return null;
  const { detail, message, error, err_msg } = source as Record<string, unknown>;
  for (const candidate of [detail, message, error, err_msg]) {
    const text = [candidate].flat().map(describeItem).filter(Boolean).join('; ');
    if (text !== '') return text;
  }
  return null;
}

function describeItem(item: unknown): string {
  if (typeof item === 'string') return item;
  const { loc, message, msg = message } = Object(item) as Record<string, unknown>;
  const place = Array.isArray(loc)
    ? loc
        .filter((part) => part !== 'body')
        .map(String)
        .join('.')
    : '';
  return [place, msg].filter((part) => typeof part === 'string' && part !== '').join(': ');
}

/** Deepest nesting of objects and lists. Later code recurses into them, one stack frame per level. */
export const JSON_DEPTH_MAX = 64;

/** Parses JSON text; `undefined` if it is not JSON or nested deeper than {@link JSON_DEPTH_MAX}. Never throws. */
export function readJson(text: string): unknown {
  try {
    const content = JSON.parse(text) as unknown;
    return isShallow(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(content: unknown): boolean {
  let level = [content];
  for (let depth = 0; depth <= JSON_DEPTH_MAX; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return true;
  }
  return false;
}
