/** The members of a speaker that decide whether `play()` has something to say. */
export interface SpeechSource {
  readonly hasSpeech: boolean;
  readonly text: string;
  readonly src: string;
  readonly session: { readonly messages?: readonly unknown[] } | null;
  readonly sessionProvider: unknown;
  readonly sessionEndpoint: string;
  readonly sessionRequest: unknown;
}

/**
 * Returns whether `play()` is known to reject with InvalidStateError: there is no source, or neither the page nor its
 * session has words. The words of a provider or an endpoint are not known before a session was requested.
 */
export function isKnownSilent({
  hasSpeech,
  text,
  src,
  session,
  sessionProvider,
  sessionEndpoint,
}: SpeechSource): boolean {
  if (hasSpeech) return false;
  if (session && !text) return session.messages?.length === 0;
  return !(session || src || sessionProvider || sessionEndpoint);
}

/** Returns the values by which a change of the source is noticed. */
export function sourceOf(speaker: SpeechSource): unknown[] {
  const { text, src, session, sessionProvider, sessionEndpoint, sessionRequest } = speaker;
  return [text, src, session, sessionProvider, sessionEndpoint, JSON.stringify(sessionRequest)];
}
