import assert from 'node:assert/strict';
import type { ConnectionCounters, SpeakerFact } from '../../../src/connection/command.js';
import { openRingFeed } from '../../../src/connection/ring-feed.js';
import { WorkerSpeaker } from '../../../src/connection/worker-speaker.js';
import { endMessage, synthesizeMessage } from '../../../src/protocol/message.js';
import { type ClientMessage, encodeFrame, FRAME_HEADER_BYTES } from '../../../src/protocol/index.js';
import type { Random } from '../../../src/testing/random.js';
import { FakeClock } from '../fake-clock.js';
import { FuzzSocket, NOTHING, type Speech, valueOf } from './fuzz-socket.js';
import { type Listener, listen } from './listener.js';

const SAMPLE_RATE = 24000;
const RING_SAMPLES = 2 ** 11;

/** How often each thing happens, relative to the others. */
const WEIGHTS = {
  enqueue: 4,
  continueText: 3,
  cancel: 2,
  answer: 6,
  attach: 1,
  detach: 1,
  keepOpen: 1,
  keepHistory: 1,
  read: 1,
  hear: 4,
  wait: 6,
  waitLong: 1,
  open: 6,
  end: 1,
  endClosing: 3,
  frame: 20,
  done: 6,
  times: 6,
  nonsense: 1,
  fail: 1,
};
const SEEKING_WEIGHTS = { ...WEIGHTS, seek: 4, forget: 1 };
const ACTS = listed(WEIGHTS);
const SEEKING_ACTS = listed(SEEKING_WEIGHTS);

/** An utterance from the page's point of view. */
interface Expected {
  outcome: 'received' | 'failed' | 'cancelled' | null;
  /** True if its text may continue. */
  more: boolean;
  readonly hasText: boolean;
  /** Its latest speech. */
  speech: Speech | undefined;
  /** True after a `cancel`, which may come after the outcome and drops what was not heard. */
  isDropped: boolean;
  heard: number;
}

/**
 * A worker's speaker between a page, a service, a network and a listener that do anything that they may do, in any
 * order, and a service that also sends nonsense. Each step asserts what must always hold. Without real time.
 */
export class FuzzWorld {
  readonly counts = { utterances: 0, frames: 0, samples: 0, sockets: 0, resumptions: 0 };
  readonly #random: Random;
  readonly #clock = new FakeClock();
  readonly #speaker: WorkerSpeaker;
  readonly #utterances = new Map<number, Expected>();
  readonly #sockets: FuzzSocket[] = [];
  #listener: Listener | null = null;
  /** The utterance for which the worker has requested a connection. */
  #asked: number | null = null;
  #isClosed = false;
  #counters: ConnectionCounters | null = null;
  #received = { frames: 0, bytes: 0 };
  /** True if the page seeks: then samples may be heard again. */
  readonly #seeks: boolean;
  readonly #canRenew: boolean;
  #seekCount = 0;
  #lastHeard = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#seeks = random.below(3) === 0;
    this.#canRenew = random.below(2) === 0;
    this.#speaker = new WorkerSpeaker({
      report: (fact) => this.#check(fact),
      createSocket: (url) => this.#openSocket(url),
      openRingFeed: (descriptor) => openRingFeed(descriptor, this.#clock),
      clock: this.#clock,
      spillSeconds: random.below(2) === 0 ? 0.5 : 3600,
    });
  }

  /** Does one thing. */
  act(): void {
    const acts = this.#seeks ? SEEKING_ACTS : ACTS;
    this[acts[this.#random.below(acts.length)]!]();
    this.#checkSockets();
  }

  /** Ends the world: most of the time after all that was said is heard, else in the middle of it. */
  finish(): void {
    if (this.#random.below(4) > 0) this.#speakAll();
    else this.#checkHeard();
    this.#speaker.handle({ type: 'close' });
    for (const socket of this.#sockets) if (socket.readyState < 3) socket.end(1000);
    assert.ok(this.#isClosed, 'the speaker reports that it is closed');
    assert.equal(this.#clock.pending, 0, 'no timer is left');
    this.#speaker.handle({ type: 'enqueue', serial: 1e6, contextId: 'c', texts: ['Too late.'], more: false });
    this.#clock.advance(100_000);
  }

  // --- the page

  enqueue(): void {
    const serial = this.#utterances.size + 1;
    const hasText = this.#random.below(6) > 0;
    const more = hasText && this.#random.below(3) === 0;
    this.#utterances.set(serial, { outcome: null, more, hasText, speech: undefined, isDropped: false, heard: 0 });
    const texts = hasText ? Array.from({ length: this.#random.below(3) }, () => 'Words.') : null;
    this.#speaker.handle({ type: 'enqueue', serial, contextId: `c${serial}`, texts, more });
    this.counts.utterances++;
  }

  continueText(): void {
    const open = [...this.#utterances].filter(([, { more }]) => more);
    const [serial, utterance] = open[this.#random.below(open.length)] ?? [];
    if (!utterance) return;
    utterance.more = this.#random.below(2) === 0;
    this.#speaker.handle({ type: 'text', serial: serial!, text: utterance.more ? 'Again.' : null });
  }

  cancel(serial: number = this.#recent()): void {
    const utterance = this.#utterances.get(serial);
    if (!utterance) return;
    utterance.outcome ??= 'cancelled';
    utterance.isDropped = true;
    utterance.more = false;
    if (this.#asked === serial) this.#asked = null;
    const heard = this.#listener?.heard(serial).length ?? 0;
    const samples = this.#random.below(2) * Math.ceil(heard / 2);
    const kept = { serial, samples, as: -serial };
    this.#speaker.handle({ type: 'cancel', serials: [serial], ...(samples > 0 && { kept }) });
  }

  /** Answers a request for a connection. */
  answer(isKind: boolean = false): void {
    const serial = this.#asked;
    if (serial === null) return;
    this.#asked = null;
    const chance = isKind ? 1 : this.#random.unit();
    if (chance < 0.05) return this.cancel(serial);
    const utterance = this.#utterances.get(serial)!;
    const url = chance < 0.1 ? 'refused' : `wss://example.test/${serial}`;
    const id = `m${serial}`;
    const messages = utterance.hasText || this.#random.below(2) === 0 ? [] : wordsOf(id);
    const timings = this.#random.below(2) === 0 && { timings: true };
    const name = utterance.hasText || messages.length > 0 ? url : `${url}?own`;
    this.#speaker.handle({
      type: 'connect',
      serial,
      session: { url: name, sampleRate: SAMPLE_RATE, messages, ...timings },
      canRenew: this.#canRenew,
      lead: 0.02,
    });
  }

  attach(): void {
    this.#checkHeard();
    this.#listener = listen('shared', RING_SAMPLES);
    this.#speaker.handle({ type: 'attach', ring: this.#listener.descriptor });
  }

  detach(): void {
    this.#checkHeard();
    this.#listener = null;
    this.#speaker.handle({ type: 'detach' });
  }

  keepOpen(keepOpen: boolean = this.#random.below(2) === 0): void {
    this.#speaker.handle({ type: 'keep-open', keepOpen });
  }

  keepHistory(): void {
    this.#speaker.handle({ type: 'history', seconds: [0, 0.05, 600][this.#random.below(3)]! });
  }

  read(): void {
    const serial = this.#random.below(4) === 0 ? null : this.#recent();
    this.#speaker.handle({ type: 'read', request: serial ?? 0, serial });
  }

  seek(): void {
    const mark = this.#listener ? ++this.#seekCount : 0;
    const serial = this.#recent();
    const isAfter = this.#random.below(5) === 0;
    const place = isAfter ? { after: serial } : { at: { serial, sample: this.#random.below(4000) } };
    const target = this.#random.below(4) === 0 ? 'fresh' : place;
    const only = this.#random.below(4) === 0;
    this.#speaker.handle({ type: 'seek', number: this.#seekCount, mark, target, only });
  }

  forget(): void {
    this.#speaker.handle({ type: 'forget', serial: this.#recent() });
  }

  // --- the listener and the clock

  hear(): number {
    return this.#listener?.take() ?? 0;
  }

  wait(ms: number = 1 + this.#random.below(200)): void {
    for (const socket of this.#sockets) socket.late = undefined;
    this.#clock.advance(ms);
  }

  waitLong(): void {
    this.wait(this.#random.below(70_000));
  }

  // --- the network and the service

  open(socket: FuzzSocket | undefined = this.#some((state) => state === 0)): void {
    if (!socket) return;
    socket.readyState = 1;
    if (socket.own && this.#utterances.get(socket.own.serial)!.outcome === null) socket.contexts.push(socket.own);
    socket.onopen?.();
  }

  /** A socket ends: by the service, by the network, or because the worker has closed it. */
  end(): void {
    const socket = this.#some(() => true);
    if (!socket) return;
    const codes = [1000, 1001, 1006, 1011, 4429];
    if (this.#random.below(4) > 0) return socket.end(codes[this.#random.below(codes.length)]!);
    // An error without a close event.
    socket.readyState = 3;
    socket.onerror?.();
    this.wait(1);
  }

  /** The worker's closes arrive. */
  endClosing(): void {
    this.#some((state) => state === 2)?.end(1000);
  }

  frame(socket: FuzzSocket | undefined = this.#some((state) => state > 0)): void {
    const speech = socket?.contexts[0] ?? socket?.late;
    if (!socket || !speech) return;
    const bytes = this.#random.below(5) === 0 ? this.#random.below(4) : this.#random.below(1500);
    const from = samplesOf(speech);
    const pcm = Int16Array.from({ length: (bytes >> 1) + 2 }, (_, index) => valueOf(speech.serial, from + index));
    const isOdd = speech.bytes % 2;
    const header = { version: 1, flags: 0, context: 0, sequence: this.#received.frames, pts: 0 };
    const frame = new Uint8Array(FRAME_HEADER_BYTES + bytes);
    frame.set(new Uint8Array(encodeFrame(header, new Int16Array(0), 'big')));
    frame.set(new Uint8Array(pcm.buffer, isOdd, bytes), FRAME_HEADER_BYTES);
    if (this.#deliver(socket, frame.buffer)) {
      speech.bytes += bytes;
      this.#utterances.get(speech.serial)!.speech = speech;
      this.counts.frames++;
      this.counts.samples += bytes >> 1;
    }
  }

  done(socket: FuzzSocket | undefined = this.#some((state) => state > 0)): void {
    // Now and then out of order, or before the text is over.
    const index = this.#random.below(20) === 0 ? this.#random.below(3) : 0;
    const speech = socket?.contexts[index];
    if (!socket || !speech || !(speech.isTextOver || this.#random.below(10) === 0)) return;
    // Speech that never had a frame has no samples. What a closed socket says has no effect.
    if (socket.onmessage) this.#utterances.get(speech.serial)!.speech = speech;
    socket.finish(speech);
    const id = index > 0 || this.#random.below(2) === 0 ? speech.id : undefined;
    this.#deliver(socket, JSON.stringify({ type: 'context_done', context_id: id }));
  }

  /** The service reports when a word is spoken: each is one character, and none comes before a mark. */
  times(socket: FuzzSocket | undefined = this.#some((state) => state > 0)): void {
    const speech = socket?.contexts[0];
    if (!socket || !speech?.id?.startsWith('c') || speech.words >= speech.text.length) return;
    const from = speech.words++;
    if (speech.text.slice(from, from + 2).includes('.')) return;
    const start = speech.wordsEnd;
    speech.wordsEnd += this.#random.below(1000) / SAMPLE_RATE;
    const words = [{ from, to: from + 1, start, end: speech.wordsEnd }];
    this.#deliver(socket, JSON.stringify({ type: 'timings', context_id: speech.id, words }));
  }

  nonsense(): void {
    const socket = this.#some((state) => state > 0);
    if (!socket) return;
    const texts = ['', '{', 'null', '[]', '{"type":"unknown"}', '"error"'];
    const knowsAll = socket.contexts.every(({ id }) => id !== undefined);
    if (knowsAll && !socket.late) texts.push('{"type":"context_done","context_id":"nobody"}');
    const chance = this.#random.below(3);
    if (chance > 0) this.#deliver(socket, texts[this.#random.below(texts.length)]!);
    else this.#deliver(socket, new Uint8Array(this.#random.below(FRAME_HEADER_BYTES + 1)).fill(255).buffer);
  }

  fail(): void {
    const socket = this.#some((state) => state > 0);
    if (!socket) return;
    if (socket.onmessage) socket.contexts = [];
    this.#deliver(socket, JSON.stringify({ type: 'error', message: 'no.' }));
  }

  // --- what must hold

  #check(fact: SpeakerFact): void {
    assert.ok(!this.#isClosed, `${fact.type} is reported after closed`);
    switch (fact.type) {
      case 'connection-needed':
      case 'connection-busy':
        this.#living(fact.serial, fact.type);
        this.#asked = fact.serial;
        break;
      case 'connection-lost':
        for (const serial of fact.serials) this.#living(serial, fact.type);
        this.#asked = fact.serials[0]!;
        break;
      case 'resuming': {
        const utterance = this.#living(fact.serial, fact.type);
        assert.ok(fact.samples <= samplesOf(utterance.speech), 'nothing is added');
        utterance.speech = { id: undefined, serial: fact.serial, before: fact.samples, ...NOTHING };
        this.counts.resumptions++;
        break;
      }
      case 'first-audio':
        this.#living(fact.serial, fact.type);
        break;
      case 'received': {
        const utterance = this.#living(fact.serial, fact.type);
        utterance.outcome = 'received';
        assert.equal(fact.samples, samplesOf(utterance.speech), `samples of ${fact.serial}`);
        break;
      }
      case 'failed':
        for (const serial of fact.serials) this.#living(serial, fact.type).outcome = 'failed';
        break;
      case 'counters':
        this.#counters = fact.counters;
        assert.equal(fact.counters.framesReceived, this.#received.frames, 'frames are counted');
        assert.equal(fact.counters.bytesReceived, this.#received.bytes, 'bytes are counted');
        break;
      case 'samples':
        if (fact.samples && fact.request > 0) checkRuns(fact.samples, []);
        break;
      case 'closed':
        this.#isClosed = true;
        assert.ok(
          this.#sockets.every(({ readyState }) => readyState === 3),
          'closed means that no socket is left',
        );
        break;
      default:
    }
  }

  /** Returns an utterance that must not be settled. */
  #living(serial: number, what: string): Expected {
    const utterance = this.#utterances.get(serial);
    assert.ok(utterance?.outcome === null, `${what} of utterance ${serial}, which is ${utterance?.outcome}`);
    return utterance;
  }

  #checkSockets(): void {
    const wanted = this.#sockets.filter(({ readyState }) => readyState < 2);
    assert.ok(wanted.length <= 1, `${wanted.length} sockets are open at once`);
    for (const socket of this.#sockets.splice(0)) if (socket.readyState < 3) this.#sockets.push(socket);
  }

  /** Checks that each sample was heard once, in order, between the marks of its utterance. */
  #checkHeard(): void {
    this.hear();
    if (!this.#listener) return;
    const samples = this.#listener.heard();
    const { marks } = this.#listener;
    if (this.#seeks) {
      checkRuns(
        samples,
        marks.map((mark) => mark.at),
      );
      return;
    }
    let at = 0;
    let playing: number | null = null;
    for (const { kind, serial, at: until } of [...marks, { kind: 'end', serial: -1, at: samples.length }]) {
      assert.ok(playing !== null || until === at, `${until - at} samples outside all utterances`);
      const utterance = this.#utterances.get(playing ?? 0);
      for (; at < until; at++) {
        assert.equal(samples[at], valueOf(playing!, utterance!.heard), `sample ${utterance!.heard} of ${playing}`);
        utterance!.heard++;
      }
      if (kind === 'start') assert.equal(playing, null, `an utterance ends before ${serial} starts`);
      else if (serial > 0) assert.equal(serial, playing, 'the utterance that plays ends');
      assert.ok(serial < 0 || serial >= this.#lastHeard, `${serial} is heard after ${this.#lastHeard}`);
      this.#lastHeard = Math.max(serial, this.#lastHeard);
      playing = kind === 'start' ? serial : null;
    }
  }

  /** Lets everything end well, and asserts that it does. */
  #speakAll(): void {
    this.keepOpen(false);
    if (!this.#listener) this.attach();
    if (this.#seeks) {
      this.#speaker.handle({ type: 'seek', number: 0, mark: ++this.#seekCount, target: 'fresh', only: false });
    }
    for (const [serial, utterance] of this.#utterances) {
      if (utterance.more) this.#speaker.handle({ type: 'text', serial, text: null });
      utterance.more = false;
    }
    let quiet = 0;
    for (let round = 0; quiet < 3; round++) {
      assert.ok(round < 5000, `these utterances are not settled: ${this.#unsettled().join()}`);
      this.answer(true);
      for (const socket of this.#sockets) {
        if (socket.readyState === 0) this.open(socket);
        else if (socket.readyState === 2) socket.end(1000);
        else if (socket.readyState === 1) {
          this.frame(socket);
          this.done(socket);
        }
      }
      this.wait(100);
      const isQuiet = this.hear() === 0 && this.#unsettled().length === 0;
      quiet = isQuiet && this.#sockets.every(({ readyState }) => readyState === 3) ? quiet + 1 : 0;
    }
    this.#checkHeard();
    assert.equal(this.#counters?.spilledSamples ?? 0, 0, 'no sample waits');
    if (this.#seeks) return;
    for (const [serial, { outcome, isDropped, heard, speech }] of this.#utterances) {
      if (outcome === 'received' && !isDropped) assert.equal(heard, samplesOf(speech), `samples of ${serial}`);
    }
  }

  #unsettled(): number[] {
    return [...this.#utterances].flatMap(([serial, { outcome }]) => (outcome === null ? serial : []));
  }

  // --- helpers

  #openSocket(url: string): WebSocket {
    if (url.startsWith('refused')) throw new SyntaxError('The URL is refused.');
    const serial = Number(/\d+/.exec(url)![0]);
    const socket = new FuzzSocket(
      url.endsWith('?own') ? { id: undefined, serial, before: 0, ...NOTHING, isTextOver: true } : undefined,
      (other) => samplesOf(this.#utterances.get(other)!.speech),
    );
    this.#sockets.push(socket);
    this.counts.sockets++;
    return socket as unknown as WebSocket;
  }

  /** Returns false if the worker has closed the socket. */
  #deliver(socket: FuzzSocket, data: string | ArrayBuffer): boolean {
    if (!socket.onmessage) return false;
    if (typeof data !== 'string') {
      this.#received.frames++;
      this.#received.bytes += data.byteLength;
    }
    socket.onmessage({ data });
    return true;
  }

  #some(isMeant: (readyState: number) => boolean): FuzzSocket | undefined {
    const sockets = this.#sockets.filter(({ readyState }) => readyState < 3 && isMeant(readyState));
    return sockets[this.#random.below(sockets.length)];
  }

  /** One of the latest utterances. */
  #recent(): number {
    return Math.max(1, this.#utterances.size - this.#random.below(6));
  }
}

/** Returns the number of samples of an utterance up to the end of this speech. */
function samplesOf(speech: Speech | undefined): number {
  return speech ? speech.before + (speech.bytes >> 1) : 0;
}

/** Returns each key as often as its weight says. */
function listed<Key extends string>(weights: Record<Key, number>): Key[] {
  const entries = Object.entries(weights) as [Key, number][];
  return entries.flatMap(([key, weight]) => Array.from({ length: weight }, () => key));
}

function wordsOf(id: string): ClientMessage[] {
  return [synthesizeMessage('Words.', id), endMessage(id)];
}

/** Asserts that samples follow one another, except at these places and at the end of an utterance. */
function checkRuns(samples: Int16Array, places: readonly number[]): void {
  const isPlace = new Set(places);
  for (let at = 1; at < samples.length; at++) {
    if (isPlace.has(at)) continue;
    const follows = ((samples[at - 1]! + 1) << 16) >> 16 === samples[at];
    assert.ok(follows, `${samples[at]} follows ${samples[at - 1]} at ${at}`);
  }
}
