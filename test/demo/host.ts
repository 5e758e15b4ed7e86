import { type Gateway, startGateway, test } from '../../src/testing/index.js';
import { type ElementServer, startElementServer } from './element-server.js';

/** Servers for the tests of one file: a scripted gateway, and a server of pages with the element. */
export interface Host {
  readonly gateway: Gateway;
  readonly server: ElementServer;
}

/** Starts the servers before the tests of a file, and closes them afterwards. Call it at the top of the file. */
export function setHost(): Host {
  const host: { gateway: Gateway; server: ElementServer } = {} as never;
  test.beforeAll(async () => {
    host.gateway = await startGateway();
    host.server = await startElementServer();
  });
  test.afterAll(async () => {
    host.server.close();
    await host.gateway.close();
  });
  return host;
}
