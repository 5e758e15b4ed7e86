/** Sound cannot be played on this page as it is set up. The message names the remedy. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}
