import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../src/testing/random.js';
import { Conversation } from '../../service/test/support/conversation.js';
import type { Programs } from '../service/programs.js';
import { type Books, checkBooks } from './books.js';
import { ChaosPage } from './chaos-page.js';
import { faultsOf } from './judge-scene.js';
import { Lane } from './lane.js';
import { chooseScene, TEXTS } from './scene.js';
import { SpeechService, type Store } from './speech-service.js';

/** Options of a run. */
export interface ChaosOptions {
  readonly programs: Programs;
  readonly store: Store;
  readonly utterances: number;
  /** Scenes at a time. */
  readonly lanes: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** Result of a run. */
export interface ChaosResult {
  readonly seconds: number;
  /** Number of utterances with each outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number of connections with each fault. */
  readonly connections: Readonly<Record<string, number>>;
  readonly kills: Readonly<Record<string, number>>;
  readonly sockets: number;
  readonly books: Books;
  readonly faults: readonly string[];
}

/** Time after which a scene does not end, in milliseconds. The sum of the time limits of the player is less. */
const SCENE_LIMIT_MS = 900_000;

/** Time after which a socket is left open, in milliseconds. The service detects a lost client within 20 s. */
const SOCKET_LIMIT_MS = 60_000;

/** Interval between two looks, in milliseconds. */
const POLL_MS = 20;

/** Speaks until all utterances have settled, while connections break, and the service and the database are killed. */
export async function causeChaos(options: ChaosOptions): Promise<ChaosResult> {
  const service = await SpeechService.start(options.programs, options.store);
  const page = await ChaosPage.open();
  const lanes = await Promise.all(
    Array.from({ length: options.lanes }, (_, index) => Lane.open(service, page.origin, 1000 * options.seed + index)),
  );
  try {
    return await new Chaos(options, service, page, lanes).run();
  } finally {
    await page.close();
    for (const lane of lanes) lane.close();
    await service.remove();
  }
}

class Chaos {
  readonly #options: ChaosOptions;
  readonly #service: SpeechService;
  readonly #page: ChaosPage;
  readonly #lanes: readonly Lane[];
  readonly #random: Random;
  readonly #faults: string[] = [];
  readonly #outcomes: Record<string, number> = {};
  #left: number;
  /** The speech of each text, as the service sends it without disturbances. */
  #speech = new Map<string, Int16Array>();

  constructor(options: ChaosOptions, service: SpeechService, page: ChaosPage, lanes: readonly Lane[]) {
    this.#options = options;
    this.#service = service;
    this.#page = page;
    this.#lanes = lanes;
    this.#random = new Random(options.seed);
    this.#left = options.utterances;
  }

  async run(): Promise<ChaosResult> {
    const startedAt = performance.now();
    for (const text of TEXTS) this.#speech.set(text, await this.#speak(text));
    for (const lane of this.#lanes) lane.setCalm(false);
    const isOver = new AbortController();
    const killing = this.#kill(isOver.signal);
    await Promise.all(this.#lanes.map((lane, index) => this.#play(lane, index)));
    isOver.abort();
    await killing;
    for (const lane of this.#lanes) lane.setCalm(true);
    const seconds = (performance.now() - startedAt) / 1000;

    const sockets = this.#lanes.flatMap(({ links }) => links.service.sockets);
    const open = async (): Promise<number> =>
      sockets.filter(({ endedAt }) => endedAt === null).length + (await this.#service.openSockets());
    if (!(await eventually(async () => (await open()) === 0))) {
      this.#faults.push(`${await open()} sockets are open at the end`);
    }
    await this.#service.stop();
    return {
      seconds,
      outcomes: this.#outcomes,
      connections: sumOf(this.#lanes.flatMap(({ links }) => [links.backend.faults, links.service.faults])),
      kills: sumOf(this.#service.outages.map(({ what }) => ({ [what]: 1 }))),
      sockets: sockets.length,
      books: await checkBooks(this.#options.programs, this.#service, sockets),
      faults: this.#faults,
    };
  }

  /** Returns the speech of a text. */
  async #speak(text: string): Promise<Int16Array> {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(this.#lanes[0]!.endpoint, { method: 'POST', headers, body: '{}' });
    const conversation = new Conversation(((await answer.json()) as { url: string }).url);
    await conversation.opened();
    conversation.say(text);
    await conversation.message('context_done');
    await conversation.close();
    return conversation.samples();
  }

  /** Kills the service or the database now and then. */
  async #kill(isOver: AbortSignal): Promise<void> {
    const random = this.#random;
    while (!isOver.aborted) {
      await pause(random.uniform(10_000, 40_000), null, { signal: isOver }).catch(() => {});
      if (isOver.aborted) return;
      const isDatabase = this.#service.hasDatabaseServer && random.below(2) === 0;
      this.#options.log(`${isDatabase ? 'database' : 'service'} is killed`);
      if (isDatabase) await this.#service.killDatabase(random.uniform(0, 6000));
      else await this.#service.killService(random.uniform(0, 3000));
    }
  }

  /** Plays scenes on a lane until no utterance is left. */
  async #play(lane: Lane, index: number): Promise<void> {
    for (;;) {
      // Otherwise most utterances would be spoken while there is no service.
      await this.#service.back();
      if (this.#left === 0) return;
      const scene = chooseScene(lane.random, this.#left);
      this.#left -= scene.texts.length;
      const { sockets } = lane.links.service;
      const [before, startedAt] = [sockets.length, performance.now()];
      const played = this.#page.play(scene, lane.endpoint);
      const reports = await Promise.race([played, pause(SCENE_LIMIT_MS, null, { ref: false })]);
      if (!reports) {
        this.#faults.push(`a scene does not end: ${JSON.stringify(scene)}, ${lane.takeBroken().join(', ')}`);
        return;
      }
      if (!(await eventually(async () => lane.links.service.openSockets === 0))) {
        this.#faults.push(`${lane.links.service.openSockets} sockets outlive their speaker: ${JSON.stringify(scene)}`);
      }
      const outages = this.#service.outages.filter(({ to }) => to >= startedAt);
      const broken = [...lane.takeBroken(), ...outages.map(({ what }) => `the ${what} was killed`)];
      const attempts = sockets.length - before;
      for (const { outcome } of reports) this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
      const found = faultsOf({ scene, reports, broken, attempts }, this.#speech);
      this.#faults.push(...found.map((fault) => `${fault} (${JSON.stringify(scene)}; ${broken.join(', ')})`));
      const outcomes = reports.map(({ outcome, closeCode }) => `${outcome} ${closeCode ?? ''}`).join(', ');
      this.#options.log(`lane ${index}, ${scene.act ?? 'no act'}: ${outcomes}; ${broken.join(', ')}`);
      for (const fault of found) this.#options.log(`FAULT: ${fault}`);
    }
  }
}

/** Resolves with true once `look` does, and with false if it never does. */
async function eventually(look: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + SOCKET_LIMIT_MS;
  while (!(await look())) {
    if (performance.now() > until) return false;
    await pause(POLL_MS);
  }
  return true;
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const count of counts) {
    for (const [name, number] of Object.entries(count)) sums[name] = (sums[name] ?? 0) + number;
  }
  return sums;
}
