/**
 * Reads what the page's own backend answers.
 *
 * @throws {Error} If it refuses, or answers something else than JSON, as a proxy between does; the message says so.
 */
export async function readAnswer(response: Response): Promise<unknown> {
  const content = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  if (!response.ok) {
    throw new Error(typeof content?.detail === 'string' ? content.detail : `The backend answers ${response.status}.`);
  }
  if (typeof content !== 'object' || content === null) throw new Error('The backend answers something else than JSON.');
  return content;
}
