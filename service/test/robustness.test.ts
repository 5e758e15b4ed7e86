import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { connect, type Socket } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { CONTEXT_ID_MAX } from '../../src/protocol/index.js';
import type { Database } from '../src/index.js';
import { createAccounts, openDatabase, SpeechError } from './support/built.js';
import { Conversation } from './support/conversation.js';
import { eventually } from './support/eventually.js';
import { host, KEY, type Host } from './support/host.js';
import { ManualClock } from './support/manual-clock.js';
import { speakCodes, type StubEngine } from './support/stub-engine.js';

/** Time that a closing service waits for others, in milliseconds. It is short because the tests wait for it. */
const CLOSE_MS = 100;

let database: Database;
const open: Host<StubEngine>[] = [];
const raw: Socket[] = [];
before(async () => {
  database = await openDatabase();
});
afterEach(async () => {
  for (const socket of raw.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((service) => service.close()));
});
after(() => database.close());

async function started(options: Parameters<typeof host>[0] = {}): Promise<Host<StubEngine>> {
  const { limits, ...rest } = options;
  const service = (await host({ database, limits: { closeMs: CLOSE_MS, ...limits }, ...rest })) as Host<StubEngine>;
  open.push(service);
  return service;
}

async function noLease(): Promise<boolean> {
  return (await database.query('select 1 from lease')).length === 0;
}

/** Connects to a service and sends `text`. */
async function tcp(service: Host<StubEngine>, text: string): Promise<Socket> {
  const socket = connect(service.service.port, '127.0.0.1');
  raw.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (text) socket.write(text);
  return socket;
}

describe('A service that closes', () => {
  const SESSION = `POST /api/v1/realtime/stream/session HTTP/1.1\r\nHost: x\r\nX-SVC-Api-Key: ${KEY}\r\n`;
  for (const [what, text] of Object.entries({
    'sent nothing': '',
    'sent half a header': 'GET /healthz HTTP/1.1\r\nHost:',
    'sends a body that never comes': `${SESSION}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    'asked for an upgrade at an address that is none':
      'GET http://[/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  })) {
    it(`does not wait for a connection that ${what}`, async () => {
      const service = await started();
      const socket = await tcp(service, text);
      await fetch(`${service.service.url}/healthz`); // it has seen the connection before this one
      socket.resume();
      const closed = once(socket, 'close');
      await service.close();
      await closed;
    });
  }

  it('leaves no lease behind for sockets that come while it closes', async () => {
    const service = await started();
    const urls = await Promise.all(Array.from({ length: 8 }, () => service.session()));
    const conversations = urls.map(({ url }) => new Conversation(url));
    await Promise.race(conversations.map((conversation) => conversation.opened()));
    await service.close();
    await eventually('no lease is left', noLease);
    for (const { socket } of conversations) socket.terminate();
  });

  it('drains once, however often drain() is called', async () => {
    const service = await started();
    const conversation = await service.open();
    conversation.send({ type: 'synthesize', context_id: 'a', text: 'Hello' });
    await conversation.until(({ kind }) => kind === 'frame');
    const drained = [service.service.drain(), service.service.drain()];
    conversation.send({ type: 'end', context_id: 'a' });
    await Promise.all(drained);
  });
});

describe('Data that is not an HTTP request', () => {
  for (const [what, sent, status, detail] of [
    ['nonsense', 'nonsense\r\n\r\n', 400, 'This is not an HTTP request.'],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers are too large.',
    ],
  ] as const) {
    it(`is answered with ${status}: ${what}`, async () => {
      const service = await started();
      const socket = await tcp(service, sent);
      const answer = await readText(socket);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.deepEqual(JSON.parse(answer.split('\r\n\r\n')[1]!), { detail });
    });
  }
});

describe('A connection whose upgrade leads nowhere', () => {
  it('is ended, whether its client goes or not', async () => {
    const service = await started({ limits: { requestMs: 50 } });
    const socket = await tcp(
      service,
      'GET http://[/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    socket.resume();
    await once(socket, 'close');
  });
});

describe('A client that sends a close frame, but keeps its connection open', () => {
  it('is cut off, and charged no longer', async () => {
    const service = await started();
    const conversation = await service.open();
    const { connection } = conversation;
    conversation.say('Hello');
    await conversation.message('context_done');
    connection.removeAllListeners('end'); // so that it stays half open
    connection.on('end', () => {});
    connection.allowHalfOpen = true;
    conversation.socket.close(1000);
    await once(connection, 'close');
    await eventually('its lease is gone', noLease);
  });
});

/**
 * Program of a client with a small receive buffer, which Node cannot set. It opens a socket, sends a message many times
 * without reading, and prints how often it did.
 */
const DEAF = String.raw`
use strict; use Socket;
my ($port, $path, $message, $times) = @ARGV;
socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
setsockopt($s, SOL_SOCKET, SO_RCVBUF, 4096) or die;
connect($s, sockaddr_in($port, inet_aton('127.0.0.1'))) or die;
$SIG{PIPE} = 'IGNORE';
syswrite($s, "GET $path HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n");
my $head = '';
while ($head !~ /\r\n\r\n$/) { sysread($s, my $byte, 1) or die "no upgrade"; $head .= $byte; }
my $frame = pack('CCnN', 0x81, 0xFE, length($message), 0) . $message;
my $sent = 0;
for (my $left = $times; $left > 0; $left -= 100) {
  my $all = $frame x 100;
  while (length $all) { my $n = syswrite($s, $all); last unless $n; substr($all, 0, $n) = ''; }
  last if length $all;
  $sent += 100;
}
print $sent;
`;

describe('A client that does not read', () => {
  const id = 'a'.repeat(CONTEXT_ID_MAX);
  it('is not read from while a context_done was not taken', { skip: process.platform !== 'linux' }, async () => {
    const clock = new ManualClock();
    const service = await started({ clock, limits: { waitingContexts: 1_000_000 } });
    const { port, pathname, search } = new URL((await service.session()).url);
    // 17 MB of answers, more than the buffers of the systems hold.
    const times = 100_000;
    const args = [port, pathname + search, JSON.stringify({ type: 'end', context_id: id }), String(times)];
    const child = spawn('perl', ['-e', DEAF, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const stdout = readText(child.stdout);
    // Only a socket that sends nothing more to the service is idle.
    await eventually('the socket is closed', () => {
      clock.advance(200);
      return child.exitCode !== null;
    });
    const sent = Number(await stdout);
    assert.ok(sent < times, `all ${sent} messages were read`);
  });

  it('is closed when its pings would fill the memory', async () => {
    const service = await started({ limits: { unreadBytes: 20_000 } });
    const conversation = await service.open();
    conversation.socket.pause();
    const ping = 'x'.repeat(125);
    const closed = new Promise((resolve) => conversation.connection.once('close', resolve));
    for (let isOpen = true; isOpen;) {
      for (let count = 0; count < 1000; count++) conversation.socket.ping(ping);
      isOpen = await Promise.race([closed.then(() => false), new Promise<true>((go) => setImmediate(go, true))]);
    }
    await eventually('its lease is gone', noLease);
  });
});

describe('Every context is answered once', () => {
  it('also if its segment_mode is wrong, again and again', async () => {
    const service = await started();
    const conversation = await service.open();
    const wrong = { type: 'synthesize', context_id: 'a', text: 'x', segment_mode: 'none' };
    conversation.send(wrong, wrong, wrong, { type: 'end', context_id: 'a' });
    conversation.say('Hello', 'b');
    await conversation.message('context_done');
    const answers = conversation.heard.filter(({ kind }) => kind === 'message');
    assert.equal(answers.length, 2);
  });

  it('also if it is ended when too many wait', async () => {
    const service = await started({ limits: { waitingContexts: 2 } });
    service.engine.script = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });
    const conversation = await service.open();
    for (const id of ['a', 'b']) conversation.send({ type: 'synthesize', context_id: id, text: 'Hello' });
    conversation.send({ type: 'end', context_id: 'c' });
    assert.equal((await conversation.message('error')).context_id, 'c');
  });

  it('or the socket is closed, if more contexts fail than the service can remember', async () => {
    const service = await started({ limits: { waitingContexts: 5 } });
    const conversation = await service.open();
    for (let count = 0; count < 6; count++) {
      conversation.send({ type: 'synthesize', context_id: `c${count}`, text: 'x', segment_mode: 'none' });
    }
    assert.equal((await conversation.closed()).code, 1009);
  });
});

describe('A slot', () => {
  it('is free when the only text was refused', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    const first = await service.open();
    first.send({ type: 'synthesize', context_id: 'a', text: 'x'.repeat(10_001) }, { type: 'end', context_id: 'a' });
    await first.message('error');
    await says(await service.open());
  });

  it('is free when a context has failed', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    service.engine.script = async function* () {
      yield* speakCodes('a');
      throw new SpeechError('engine-failed', 'It failed.');
    };
    const first = await service.open();
    first.say('Hello');
    await first.message('error');
    service.engine.script = speakCodes;
    await says(await service.open());
  });

  it('is free for the next socket as soon as the last one is closed', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    for (let turn = 0; turn < 10; turn++) {
      const conversation = await service.open();
      conversation.send({ type: 'synthesize', context_id: 'endless', text: 'Hello' });
      await conversation.until(({ kind }) => kind === 'frame');
      await conversation.close();
    }
  });

  it('is taken before anything is spoken', async () => {
    const service = await started({ maxConcurrentSessions: 1 });
    const first = await service.open();
    await says(first);
    const second = await service.open();
    second.send({ type: 'synthesize', context_id: 'endless', text: 'Hello' });
    await second.until(({ kind }) => kind === 'frame');
    const { length } = service.engine.requests;
    first.say('Hello again');
    await first.message('error');
    assert.equal(service.engine.requests.length, length);
  });
});

/** Speaks on a socket, and asserts that it is admitted. */
async function says(conversation: Conversation): Promise<void> {
  conversation.say('Hello');
  await conversation.message('context_done');
}

describe('A database that does not answer', () => {
  it('keeps no open socket from speaking for more than a second', async () => {
    const clock = new ManualClock();
    let isSilent = false;
    let endSilence = (): void => {};
    const silence = new Promise<void>((resolve) => (endSilence = resolve));
    const answer = <Result>(ask: () => Promise<Result>): Promise<Result> => (isSilent ? silence.then(ask) : ask());
    const service = await started({
      clock,
      limits: { slotAnswerMs: 1000 },
      database: {
        query: (text, values) => answer(() => database.query(text, values)),
        transaction: (work) => answer(() => database.transaction(work)),
        close: async () => {},
      },
    });
    const conversation = await service.open();
    await says(conversation);
    isSilent = true;
    const { length } = service.engine.requests;
    conversation.say('Hello again');
    const spoken = conversation.message('context_done', 2);
    // The context waits for its slot before it speaks, and for the release of the slot before it is done.
    for (let done = false; !done; clock.advance(10)) {
      done = await Promise.race([
        spoken.then(() => true),
        new Promise<false>((resolve) => setImmediate(resolve, false)),
      ]);
    }
    assert.equal(service.engine.requests.length, length + 1);
    isSilent = false;
    endSilence();
  });
});

describe('Idleness', () => {
  it('does not depend on the date', async () => {
    const clock = new ManualClock();
    let skew = false;
    const jumping = {
      now: () => clock.now() + (skew ? 7 * 24 * 3600_000 : 0),
      elapsed: () => clock.elapsed(),
      after: (delayMs: number, run: () => void) => clock.after(delayMs, run),
    };
    const service = await started({ clock: jumping });
    const conversation = await service.open();
    clock.advance(30_000);
    await says(conversation);
    skew = true;
    clock.advance(31_000); // past a check of the timer, and not yet a minute since the last message
    conversation.say('Hello');
    await conversation.message('context_done', 2);
    clock.advance(60_000);
    assert.equal((await conversation.closed()).code, 4408);
  });
});

describe('The input of a session call', () => {
  it('refuses half a character in context_id, which could not stand in a URL', async () => {
    const service = await started();
    assert.equal((await service.call('{"context_id":"\\ud800"}')).status, 422);
  });

  it('refuses a text/plain body with 415', async () => {
    const service = await started();
    const headers = { 'X-SVC-Api-Key': KEY, 'content-type': 'text/plain' };
    assert.equal((await service.call('{}', headers)).status, 415);
  });

  for (const name of ['a:b@c', 'x/y', 'x?z=1', 'x#f', 'x y']) {
    it(`refuses ${name} for a Host`, async () => {
      const service = await started();
      const socket = await tcp(
        service,
        `POST /api/v1/realtime/stream/session HTTP/1.1\r\nHost: ${name}\r\nX-SVC-Api-Key: ${KEY}\r\nContent-Length: 0\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1\.1 400 /);
    });
  }
});

describe('createService', () => {
  it('names the option that cannot be used', async () => {
    await assert.rejects(started({ publicUrl: 'nonsense' }), /publicUrl/);
  });

  it('lets keys be made while it runs', async () => {
    const service = await started();
    const { key } = await createAccounts(database).createKey({});
    assert.equal((await service.call({}, { 'X-SVC-Api-Key': key })).status, 200);
  });
});
