/**
 * Reduces the URLs in a text to origin and path: the rest may hold a password or an API key, which must not appear in a
 * message. Any thread.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/(?:[^/?#]*@)?([^\s?#]*)\S*/g, '://$1');
}
