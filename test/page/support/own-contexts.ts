const own: AudioContext[] = [];

/** A context of the page's own. */
export function ownContext(): AudioContext {
  const context = new AudioContext();
  own.push(context);
  return context;
}

/** For `afterEach`. */
export function closeOwnContexts(): void {
  for (const context of own.splice(0)) if (context.state !== 'closed') void context.close();
}
