import {
  type PageAudio,
  Playback,
  type PlaybackEvent,
  type PlaybackHost,
  type PreparedAudio,
  type SpeakerChannel,
  SpeakerError,
  type SpeakerErrorDetails,
  type SpeakerErrorReason,
} from '../../../src/playback/index.js';
import { heardRules } from '../../../src/playback/heard-part.js';
import { historyRules } from '../../../src/playback/history.js';
import type { SpeakerCommand } from '../../../src/connection/command.js';
import type { FailureReport, SpeakerReport } from '../../../src/connection/speaker-report.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { type BrokerFacts, SessionBroker } from '../../../src/sessions/session-broker.js';
import type { SessionReason } from '../../../src/sessions/session-reason.js';
import { FakeClock } from '../fake-clock.js';
import { FakeLine, FakeOutput } from './fake-output.js';

export const RATE = 24000;

/** A playback, and everything around it played by the test: page, worker, audio thread and listener's ear. */
export class Stage implements PlaybackHost {
  readonly clock = new FakeClock();
  readonly output = new FakeOutput();
  readonly playback: Playback;
  hasSource = true;
  canRenew = true;
  userHasActed = false;
  keepOpen = false;
  history = 600;
  transport = 'auto';
  text: string | null = null;
  audioUrl: string | null = null;
  resumesOnGesture = true;

  /** Types of all events so far, except `timeupdate`, `progress` and `statechange`. */
  readonly journal: string[] = [];
  /** All events. */
  readonly events: PlaybackEvent[] = [];
  /** Is called with each event when it is told. */
  onEvent: (event: PlaybackEvent) => void = () => {};

  /** Why sessions were asked for. */
  readonly reasons: SessionReason[] = [];
  signals: { readonly aborted: boolean }[] = [];
  /** Gives a session when one is asked for. */
  provide: () => PlayableSession | Promise<PlayableSession> = () => sessionOf();

  /** Commands that the worker got. */
  readonly commands: SpeakerCommand[] = [];
  channels = 0;
  openChannels = 0;
  openOutputs = 0;
  /** Opening the channel waits for it; a rejection is the channel's. */
  channelOpening: Promise<void> = Promise.resolve();
  outputOpening: Promise<void> = Promise.resolve();
  #report: (report: SpeakerReport) => void = () => {};

  constructor() {
    this.playback = new Playback(this);
  }

  dispatch(event: PlaybackEvent): void {
    this.events.push(event);
    if (!['timeupdate', 'progress', 'statechange'].includes(event.type)) this.journal.push(event.type);
    this.onEvent(event);
  }

  silenced(): void {}

  async loadRules() {
    return { historyRules, heardRules };
  }

  async createBroker(facts: BrokerFacts): Promise<SessionBroker> {
    const canRenew = (): boolean => this.canRenew;
    const host = {
      clock: this.clock,
      random: () => 0.5,
      get canRenew() {
        return canRenew();
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

  /** What the page does. */
  onPage: (event: 'visibility' | 'left') => void = () => {};

  async openChannel(
    onReport: (report: SpeakerReport) => void,
    onPage: (event: 'visibility' | 'left') => void,
  ): Promise<SpeakerChannel> {
    this.channels++;
    this.onPage = onPage;
    await this.channelOpening;
    this.openChannels++;
    this.#report = onReport;
    let open = true;
    return {
      post: (command) => {
        // As they are at this moment: a real worker gets a copy.
        const texts = 'texts' in command ? { texts: command.texts && [...command.texts] } : {};
        if (open) this.commands.push({ ...command, ...texts });
      },
      close: () => {
        if (open) this.openChannels--;
        open = false;
      },
    };
  }

  /** The output plays nothing any more. */
  loseOutput: () => void = () => {};

  openOutput(onLost: () => void): FakeOutput {
    this.openOutputs++;
    this.loseOutput = onLost;
    this.output.ready = this.outputOpening;
    return this.output;
  }

  /** Gets the audio that the page gives to the worker. */
  prepare: (audio: PageAudio) => PreparedAudio = ({ source, sampleRate }) => {
    const decoder = new MessageChannel().port2;
    const input = { type: 'request', sampleRate, decoder, url: String(source), init: {}, body: null } as const;
    return { input, transfer: [] };
  };

  async prepareAudio(audio: PageAudio): Promise<PreparedAudio> {
    return this.prepare(audio);
  }

  /** Streams are lists of sentences here, and what they fail with. */
  async readSentences(
    stream: object,
    onSentence: (sentence: string) => void,
    signal: { readonly aborted: boolean },
  ): Promise<void> {
    for await (const sentence of stream as AsyncIterable<string>) {
      if (signal.aborted) return;
      onSentence(sentence);
    }
  }

  /** The latest line. */
  get line(): FakeLine {
    return this.output.lines.at(-1)!;
  }

  /** The commands of one type, in order. */
  sent<T extends SpeakerCommand['type']>(type: T): Extract<SpeakerCommand, { type: T }>[] {
    return this.commands.filter((command): command is Extract<SpeakerCommand, { type: T }> => command.type === type);
  }

  /** Serials of the utterances that the worker was given. */
  get serials(): number[] {
    return this.sent('enqueue').map(({ serial }) => serial);
  }

  /** The worker says something. */
  async report(report: SpeakerReport): Promise<void> {
    this.#report(report);
    await settled();
  }

  /**
   * The worker needs a connection for an utterance, or has lost one before it had any audio (`retry`); it opens the socket
   * if it gets a session.
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

  /** The service sends all of an utterance. */
  async send(serial: number, seconds: number): Promise<void> {
    if (seconds > 0) await this.report({ type: 'first-audio', serial, atMs: this.clock.now() });
    await this.report({ type: 'received', serial, samples: seconds * RATE });
  }

  /** The audio thread tells these events, now; then they are heard. */
  async hear(...events: ('playing' | 'stalled' | 'drained' | `start ${number}` | `end ${number}`)[]): Promise<void> {
    const at = this.output.currentTime;
    for (const event of events) {
      const [kind, serial] = event.split(' ') as ['start' | 'end' | 'playing' | 'stalled' | 'drained', string?];
      if (kind === 'start' || kind === 'end') this.line.tell({ event: kind, serial: Number(serial), at });
      else this.line.tell({ event: kind, at });
    }
    this.clock.advance(this.output.latency * 1000);
    await settled();
  }

  /** The audio thread has played so many seconds in all, and time has gone on by as much. */
  played(seconds: number): void {
    const { counted } = this.line;
    const passed = seconds - counted.emittedSamples / this.line.sampleRate;
    this.output.currentTime += passed;
    counted.emittedSamples = seconds * this.line.sampleRate;
    counted.emittedAt = this.output.currentTime;
  }

  /** From the first word of an utterance to the last. */
  async utter(serial: number, seconds = 1): Promise<void> {
    await this.send(serial, seconds);
    await this.hear('playing', `start ${serial}`);
    this.played(this.line.counted.emittedSamples / this.line.sampleRate + seconds);
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

/** The report of a failure. */
export function failure<Type extends 'failed' | 'connection-lost'>(
  type: Type,
  serials: readonly number[],
  reason: SpeakerErrorReason,
  message: string,
  details: SpeakerErrorDetails = {},
): FailureReport<Type> {
  return { type, serials, error: new SpeakerError(reason, message, { retryable: 'unknown', ...details }) };
}

/** A promise that is rejected with such an error, and may be left alone. */
export function refused(reason: SpeakerErrorReason, message: string): Promise<never> {
  const refusal = Promise.reject(new SpeakerError(reason, message));
  refusal.catch(() => {});
  return refusal;
}

/** A session at `RATE` of which only the URL is known, unless told otherwise. */
export function sessionOf(differences: Partial<PlayableSession> = {}): PlayableSession {
  return { url: 'wss://example.test/', sampleRate: RATE, messages: [], isBareUrl: true, ...differences };
}

/** `messages` that speak these contexts. */
export function contexts(...ids: string[]): PlayableSession['messages'] {
  return ids.flatMap((id) => [
    { type: 'synthesize', context_id: id, text: id },
    { type: 'end', context_id: id },
  ]);
}

/** When everything that waits for nothing but its turn has had it. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** How a promise stands now. */
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
