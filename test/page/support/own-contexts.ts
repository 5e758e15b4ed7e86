const own: AudioContext[] = [];

/** Creates a context that belongs to the page. */
export function ownContext(): AudioContext {
  const context = new AudioContext();
  own.push(context);
  return context;
}

/** Closes the contexts that `ownContext` created. */
export function closeOwnContexts(): void {
  for (const context of own.splice(0)) if (context.state !== 'closed') void context.close();
}
