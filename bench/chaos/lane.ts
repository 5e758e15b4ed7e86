import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSpeechBackend, nodeHandler } from '../../src/backend/index.js';
import { Random } from '../../src/testing/random.js';
import { Link } from './link.js';
import type { SpeechService } from './speech-service.js';

/**
 * A backend of its own with two links: from the page to the backend, and from both to the service. A lane plays one
 * scene at a time, so what its links break belongs to that scene.
 */
export class Lane {
  /** Address of the sessions, for the page. */
  readonly endpoint: string;
  readonly links: { readonly backend: Link; readonly service: Link };
  readonly random: Random;
  readonly #backend: Server;

  /** @param origin - Origin of the page. */
  static async open(service: SpeechService, origin: string, seed: number): Promise<Lane> {
    const random = new Random(seed);
    const toService = await Link.open({
      target: () => Number(new URL(service.url).port),
      random,
      seenByServer: () => service.handled(),
    });
    const kit = createSpeechBackend({
      baseUrl: `http://127.0.0.1:${toService.port}`,
      apiKey: service.apiKey,
      corsOrigins: [origin],
      production: false,
      onError: () => {}, // the page reports each failure
    });
    const handler = nodeHandler(kit);
    const backend = createServer((request, response) => void handler(request, response)).listen(0, '127.0.0.1');
    await once(backend, 'listening');
    const { port } = backend.address() as AddressInfo;
    const toBackend = await Link.open({ target: () => port, random, seenByServer: async () => {} });
    return new Lane(random, backend, { backend: toBackend, service: toService });
  }

  private constructor(random: Random, backend: Server, links: Lane['links']) {
    this.random = random;
    this.#backend = backend;
    this.links = links;
    this.endpoint = `http://127.0.0.1:${links.backend.port}/session`;
  }

  setCalm(isCalm: boolean): void {
    for (const link of Object.values(this.links)) link.isCalm = isCalm;
  }

  /** Returns what the links have broken since the last call. */
  takeBroken(): string[] {
    const { backend, service } = this.links;
    return [
      ...backend.takeBroken().map((what) => `page to backend: ${what}`),
      ...service.takeBroken().map((what) => `to the service: ${what}`),
    ];
  }

  close(): void {
    for (const link of Object.values(this.links)) link.close();
    this.#backend.closeAllConnections();
    this.#backend.close();
  }
}
