import { engine } from './engine.js';
import { silence } from './tap.js';

const own: AudioContext[] = [];

/** Creates a context that belongs to the page. */
export function ownContext(): AudioContext {
  const context = new AudioContext();
  own.push(context);
  return context;
}

/** Closes the contexts that `ownContext` created. In WebKitGTK, they render silence first: see `silence`. */
export async function closeOwnContexts(): Promise<void> {
  if (own.length > 0 && engine === 'webkit') await silence();
  for (const context of own.splice(0)) if (context.state !== 'closed') void context.close();
}
