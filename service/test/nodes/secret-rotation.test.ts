import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { rowsOf, runMain } from '../support/run-main.js';
import { Nodes } from './nodes.js';

const kidOf = (url: URL): unknown => decodeProtectedHeader(url.searchParams.get('token')!).kid;

describe('a rotation while nodes run', { skip: NO_POSTGRES }, () => {
  it('refuses no session, on nodes that know the new secret and on nodes that do not yet', async () => {
    const nodes = await Nodes.start();
    const { databaseUrl } = nodes;
    const { key } = await nodes.accounts.createKey({ plan: 'pro' });
    const [first, second] = nodes.services;
    const before = await nodes.session(key, first!);
    const [rotated] = rowsOf(await runMain(`secrets rotate session-token --database-url ${databaseUrl}`));
    assert.equal(kidOf(await nodes.session(key, second!)), kidOf(before), 'running nodes sign with the old one');

    const later = await Nodes.start({ databaseUrl, nodeUrls: [databaseUrl] });
    const [third] = later.services;
    const after = await later.session(key, third!);
    assert.equal(kidOf(after), rotated!.kid);
    // Each answer arrives only if the socket was admitted.
    for (const [url, service] of [
      [before, third!],
      [after, first!],
    ] as const) {
      const conversation = await nodes.dial(url, service).opened();
      conversation.say('Hello');
      await conversation.message('context_done');
    }

    await nodes.advance(60_000);
    for (const service of nodes.services) assert.equal(kidOf(await nodes.session(key, service)), rotated!.kid);
    await later.close();
    await nodes.close();
  });
});
