import { createOpenAI } from '@ai-sdk/openai';
import { Experimental_AbstractRealtimeSession as AbstractRealtimeSession } from 'ai';
import type { FedPlayer } from '../player.mjs';

/** Receives the messages that the page passes on, in place of a socket to the model. */
class PagesSocket {
  static readonly OPEN = 1;
  static latest: PagesSocket;
  readonly readyState = PagesSocket.OPEN;
  readonly bufferedAmount = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;

  constructor() {
    PagesSocket.latest = this;
    queueMicrotask(() => this.onopen?.());
  }

  send(): void {}
  close(): void {}
}

class Session extends AbstractRealtimeSession {
  protected setState(): void {}
}

const session = new Session({
  model: createOpenAI({ apiKey: 'none' }).experimental_realtime('gpt-realtime'),
  api: { token: `data:application/json,${JSON.stringify({ token: 'bench', url: 'ws://bench', tools: [] })}` },
});

const receive = (data: string | ArrayBuffer): void =>
  PagesSocket.latest.onmessage?.(new MessageEvent('message', { data }));

export default {
  open: async () => {
    const { WebSocket } = globalThis;
    Object.assign(globalThis, { WebSocket: PagesSocket });
    await session.connect();
    Object.assign(globalThis, { WebSocket });
    // Without it, the session ends after 30 s.
    receive('{"type":"session.created","session":{"id":"bench"}}');
    await session.resumePlayback();
  },
  feed: receive,
  cancel: () => session.stopPlayback(),
} satisfies FedPlayer;
