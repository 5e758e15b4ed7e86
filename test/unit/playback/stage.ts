import {
  type LoadedPart,
  type PageAudio,
  Playback,
  type PlaybackEvent,
  type PlaybackHost,
  SpeakerError,
  type SpeakerErrorDetails,
  type SpeakerErrorReason,
} from '../../../src/playback/index.js';
import { heardCharacters } from '../../../src/playback/heard-text.js';
import { makeSpokenWords, type TimedText, type WordFacts } from '../../../src/playback/words.js';
import { describeStreamFailure } from '../../../src/launch/stream-failure.js';
import type { PreparedAudio } from '../../../src/connection/audio-input.js';
import type { OpenedChannel, QuietRange, SpeakerCommand, TapePlace } from '../../../src/connection/command.js';
import type { FailureReport, SpeakerReport } from '../../../src/connection/speaker-report.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { type BrokerFacts, SessionBroker } from '../../../src/sessions/session-broker.js';
import type { SessionReason } from '../../../src/sessions/session-source.js';
import type { SpokenAs } from '../../../src/speakable/marks.js';
import type { Run } from '../../../src/speakable/runs.js';
import { FakeClock } from '../fake-clock.js';
import { FakeNode, FakeOutput } from './fake-output.js';

export const RATE = 24000;

/** A playback, with simulations of everything around it: page, worker, audio thread and listener. */
export class Stage implements PlaybackHost {
  readonly clock = new FakeClock();
  readonly output = new FakeOutput();
  readonly playback: Playback;
  hasSource = true;
  sessionWish = '';
  canRenew = true;
  userHasActed = false;
  keepOpen = false;
  history = 600;
  lead = 0.6;
  transport = 'auto';
  text: string | null = null;
  audioUrl: string | null = null;
  resumesOnGesture = true;
  spokenAs: SpokenAs = { markup: 'markdown', lexicon: null };

  /** Types of all events so far, except `timeupdate`, `progress` and `statechange`. */
  readonly journal: string[] = [];
  /** All events. */
  readonly events: PlaybackEvent[] = [];
  /** Called with each event when it is dispatched. */
  onEvent: (event: PlaybackEvent) => void = () => {};

  /** Reasons of the session requests so far. */
  readonly reasons: SessionReason[] = [];
  signals: { readonly aborted: boolean }[] = [];
  /** Returns the session for a request. */
  provide: () => PlayableSession | Promise<PlayableSession> = () => sessionOf();

  /** Commands that the worker received. */
  readonly commands: SpeakerCommand[] = [];
  playbackRate = 1;
  channels = 0;
  openChannels = 0;
  openOutputs = 0;
  /** Resolves when the worker runs. A rejection: it does not start. */
  workerStarts: Promise<void> = Promise.resolve();
  outputOpening: Promise<void> = Promise.resolve();
  #report: (report: SpeakerReport) => void = () => {};

  constructor() {
    this.playback = new Playback(this);
  }

  dispatch(event: PlaybackEvent): void {
    this.events.push(event);
    if (!['timeupdate', 'progress', 'statechange', 'word', 'viseme'].includes(event.type))
      this.journal.push(event.type);
    this.onEvent(event);
  }

  silenced(): void {}

  load(): LoadedPart {
    return {
      heardCharacters,
      createBroker: this.createBroker.bind(this),
      openChannel: this.openChannel.bind(this),
    };
  }

  async makeVtt(texts: readonly TimedText[], start: number, by: 'sentence' | 'word') {
    return JSON.stringify({ texts: texts.map(({ text, words }) => [text, words.length]), start, by });
  }

  async makeWords(facts: () => WordFacts) {
    return makeSpokenWords(facts);
  }

  createBroker(facts: BrokerFacts): SessionBroker {
    const canRenew = (): boolean => this.canRenew;
    const userHasActed = (): boolean => this.userHasActed;
    const host = {
      clock: this.clock,
      random: () => 0.5,
      get canRenew() {
        return canRenew();
      },
      get userHasActed() {
        return userHasActed();
      },
      requestSession: this.requestSession.bind(this),
    };
    return new SessionBroker(host, facts);
  }

  async requestSession(reason: SessionReason, signal: { readonly aborted: boolean }): Promise<PlayableSession> {
    this.reasons.push(reason);
    this.signals.push(signal);
    return this.provide();
  }

  /** Reports an event of the page to the playback. */
  onPage: (event: 'visibility' | 'left') => void = () => {};

  openChannel(
    onReport: (report: SpeakerReport) => void,
    onPage: (event: 'visibility' | 'left') => void,
  ): OpenedChannel {
    this.channels++;
    this.onPage = onPage;
    this.openChannels++;
    this.#report = onReport;
    let open = true;
    const ready = this.workerStarts;
    ready.catch(() => {});
    return {
      ready,
      post: (command) => {
        // A real worker receives a copy of the texts as they are at this moment.
        const texts = 'texts' in command ? { texts: command.texts && [...command.texts] } : {};
        if (open) this.commands.push({ ...command, ...texts });
      },
      close: () => {
        if (open) this.openChannels--;
        open = false;
      },
    };
  }

  /** Reports to the playback that the output was lost. */
  loseOutput: () => void = () => {};

  /** Reports to the playback that the output stands still, or goes on. */
  setStill: (isStill: boolean) => void = () => {};

  openOutput(onLost: () => void, onStill: (isStill: boolean) => void): FakeOutput {
    this.openOutputs++;
    this.loseOutput = onLost;
    this.setStill = onStill;
    this.output.ready = this.outputOpening;
    return this.output;
  }

  /** Prepares the audio of the page for the worker. */
  prepare: (audio: PageAudio) => PreparedAudio = ({ source, sampleRate }) => {
    const decoder = new MessageChannel().port2;
    const input = { type: 'request', sampleRate, decoder, url: String(source), init: {}, body: null } as const;
    return { input, transfer: [], describeFailure: describeStreamFailure };
  };

  async prepareAudio(audio: PageAudio): Promise<PreparedAudio> {
    return this.prepare(audio);
  }

  /** Reads a stream of text. In these tests, streams yield whole sentences. */
  /** Speaks each piece of a stream as it is, and a string without its marks of emphasis. */
  async readText(
    text: string | object,
    _spokenAs: SpokenAs,
    onPart: (part: readonly Run[]) => void,
    signal: { readonly aborted: boolean },
  ): Promise<void> {
    if (typeof text === 'string') {
      const runs = text.split(/([*_]+)/).map((original, index) => ({ original, spoken: index % 2 ? '' : original }));
      return onPart(runs);
    }
    try {
      for await (const sentence of text as AsyncIterable<string>) {
        if (signal.aborted) return;
        onPart([{ original: sentence, spoken: sentence }]);
      }
    } catch (cause) {
      throw new SpeakerError('aborted', String(cause), { cause });
    }
  }

  /** The audio node that was opened last. */
  get node(): FakeNode {
    return this.output.nodes.at(-1)!;
  }

  /** Returns the commands of one type, in order. */
  sent<T extends SpeakerCommand['type']>(type: T): Extract<SpeakerCommand, { type: T }>[] {
    return this.commands.filter((command): command is Extract<SpeakerCommand, { type: T }> => command.type === type);
  }

  /** Serials of the utterances that the worker received. */
  get serials(): number[] {
    return this.sent('enqueue').map(({ serial }) => serial);
  }

  /** Sends a report of the worker to the playback. */
  async report(report: SpeakerReport): Promise<void> {
    this.#report(report);
    await settled();
  }

  /** Reports the counters of a worker that has received something, with the range that it keeps. */
  async keep(
    oldest: TapePlace | null = null,
    newest: TapePlace | null = null,
    quiet: readonly QuietRange[] = [],
  ): Promise<void> {
    const counters = {
      bytesReceived: 1,
      framesReceived: 1,
      framesMalformed: 0,
      sequenceGaps: 0,
      messagesIgnored: 0,
      timingsMalformed: 0,
      samplesReceived: 1,
      spilledSamples: 0,
      oldest,
      newest,
      quiet,
      byteOrder: 'big',
      protocolVersion: 1,
      socketOpenMs: 1,
    } as const;
    await this.report({ type: 'counters', counters });
  }

  /**
   * Reports that the worker needs a connection for an utterance or, for `retry`, that it lost one before any audio. If
   * the worker then gets a session, reports that its socket is open.
   */
  async connect(serial: number, reason: 'speak' | 'retry' = 'speak'): Promise<void> {
    const before = this.sent('connect').length;
    if (reason === 'retry') {
      await this.report(failure('connection-lost', [serial], 'socket-closed', 'Gone.'));
      this.clock.advance(5000);
      await settled();
    } else {
      await this.report({ type: 'connection-needed', serial });
    }
    if (this.sent('connect').length > before) await this.report({ type: 'socket-open' });
  }

  /** Reports that all of an utterance was received. */
  async send(serial: number, seconds: number): Promise<void> {
    if (seconds > 0) await this.report({ type: 'first-audio', serial, atMs: this.clock.now() });
    await this.report({ type: 'received', serial, samples: seconds * RATE });
  }

  /** Emits events of the audio thread at the current time, then advances the clock until they are heard. */
  async hear(...events: ('playing' | 'stalled' | 'drained' | `start ${number}` | `end ${number}`)[]): Promise<void> {
    const at = this.output.currentTime;
    for (const event of events) {
      const [kind, serial] = event.split(' ') as ['start' | 'end' | 'playing' | 'stalled' | 'drained', string?];
      const { playedSamples } = this.node.stats();
      if (kind === 'start' || kind === 'end')
        this.node.tell({ event: kind, serial: Number(serial), playedSamples, at });
      else this.node.tell({ event: kind, at });
    }
    this.clock.advance(this.output.latency * 1000);
    await settled();
  }

  /** Sets how many seconds the audio thread has emitted in total, and advances the context time by the difference. */
  played(seconds: number): void {
    const { counted } = this.node;
    const passed = seconds - counted.emittedSamples / this.node.sampleRate;
    this.output.currentTime += passed;
    counted.emittedSamples = seconds * this.node.sampleRate;
    counted.emittedAt = this.output.currentTime;
  }

  /** Receives an utterance and plays it to its end. */
  async utter(serial: number, seconds = 1): Promise<void> {
    await this.send(serial, seconds);
    await this.hear('playing', `start ${serial}`);
    this.played(this.node.counted.emittedSamples / this.node.sampleRate + seconds);
    await this.hear(`end ${serial}`, 'drained');
  }
}

/** Returns a stage whose first utterance, `One.`, has begun to play. */
export async function playingStage(): Promise<Stage> {
  const stage = new Stage();
  stage.playback.speak('One.');
  await settled();
  await stage.connect(1);
  await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
  await stage.hear('playing', 'start 1');
  return stage;
}

/** Returns the report of a failure. */
export function failure<Type extends 'failed' | 'connection-lost'>(
  type: Type,
  serials: readonly number[],
  reason: SpeakerErrorReason,
  message: string,
  details: SpeakerErrorDetails = {},
): FailureReport<Type> {
  return { type, serials, error: new SpeakerError(reason, message, { retryable: 'unknown', ...details }) };
}

/** Returns a promise that rejects with a `SpeakerError`, and that needs no handler. */
export function refused(reason: SpeakerErrorReason, message: string): Promise<never> {
  const refusal = Promise.reject(new SpeakerError(reason, message));
  refusal.catch(() => {});
  return refusal;
}

/** Returns a session at `RATE` of which only the URL is known, changed by `differences`. */
export function sessionOf(differences: Partial<PlayableSession> = {}): PlayableSession {
  return { url: 'wss://example.test/', sampleRate: RATE, messages: [], isBareUrl: true, ...differences };
}

/** Returns messages that speak these contexts. */
export function contexts(...ids: string[]): PlayableSession['messages'] {
  return ids.flatMap((id) => [
    { type: 'synthesize', context_id: id, text: id },
    { type: 'end', context_id: id },
  ]);
}

/** Resolves when all pending promise callbacks have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Returns `resolved` or `pending`, or the name of the error if the promise was rejected. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  const pending = settled().then(() => 'pending');
  return Promise.race([
    promise.then(
      () => 'resolved',
      (error: Error) => error.name,
    ),
    pending,
  ]);
}
