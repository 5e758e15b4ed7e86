/** The worker that owns the sockets of all speakers of a page: commands in, reports out. See `command.ts`. */
import { openSink } from './audio-sink.js';
import { threadClock } from './clock.js';
import type { SessionCommand, SessionReport } from './command.js';
import { Session } from './session.js';

const port = globalThis as unknown as DedicatedWorkerGlobalScope;
const sessions = new Map<number, Session>();
const post = (report: SessionReport): void => port.postMessage(report);

port.onmessage = ({ data: command }: MessageEvent<SessionCommand>) => {
  const { speaker } = command;
  if (command.type === 'open') {
    const session = new Session({
      report: (report) => post({ ...report, speaker }),
      createSocket: (url) => new WebSocket(url),
      openSink: (descriptor) => openSink(descriptor, threadClock),
      clock: threadClock,
      random: Math.random,
    });
    sessions.set(speaker, session);
  } else {
    sessions.get(speaker)?.handle(command);
    if (command.type === 'close') sessions.delete(speaker);
  }
};

post({ type: 'ready' });
