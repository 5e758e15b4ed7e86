/** The members of a speaker that determine whether `play()` has something to say. */
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
 * Returns true if `play()` is known to reject with InvalidStateError: there is no source, or neither the page nor its
 * session has words. The words of a provider or an endpoint are unknown until a session is requested.
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

/** Returns the values whose change means that the source has changed. */
export function sourceOf(speaker: SpeechSource): unknown[] {
  const { text, src, session, sessionProvider, sessionEndpoint, sessionRequest } = speaker;
  return [text, src, session, sessionProvider, sessionEndpoint, JSON.stringify(sessionRequest)];
}
