/**
 * Returns the JSON body of a response of the page's backend.
 *
 * @throws {Error} If the response is an error (with its `detail`), or is not a JSON object, such as the error page of a
 *   proxy.
 */
export async function readJson(response: Response): Promise<unknown> {
  const content = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  if (!response.ok) {
    throw new Error(
      typeof content?.detail === 'string' ? content.detail : `The backend responded with status ${response.status}.`,
    );
  }
  if (typeof content !== 'object' || content === null) throw new Error("The backend's response is not a JSON object.");
  return content;
}
