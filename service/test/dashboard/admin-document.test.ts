import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openApiErrors } from '../api/openapi-structure.js';
import { host } from '../support/host.js';
import { ADMIN_TOKEN } from './admin-client.js';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly responses: Record<string, unknown>;
  readonly requestBody?: { readonly required?: boolean };
}

describe('the admin API in /openapi.json', () => {
  let document: { components: { securitySchemes: object }; paths: Record<string, Record<string, Operation>> };
  before(async () => {
    const { service } = await host({ adminToken: ADMIN_TOKEN });
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as typeof document;
  });

  it('is well-formed', () => assert.deepEqual(openApiErrors(document), []));

  it('has every action of the dashboard', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    assert.deepEqual(
      operations.filter((line) => line.includes(' /admin/')),
      [
        'post /admin/api/login adminLogin',
        'get /admin/api/session getAdminSession',
        'post /admin/api/logout adminLogout',
        'get /admin/api/users listUsers',
        'patch /admin/api/users/{user} changeUser',
        'post /admin/api/users/{user}/credits addCredits',
        'get /admin/api/plans listPlans',
        'get /admin/api/keys listKeys',
        'post /admin/api/keys createKey',
        'post /admin/api/keys/{id}/revoke revokeKey',
        'get /admin/api/avatars listAvatars',
        'post /admin/api/avatars addAvatar',
        'patch /admin/api/avatars/{id} changeAvatar',
        'get /admin/api/avatars/{id}/preview previewAvatar',
        'get /admin/api/usage getUsage',
        'get /admin/api/sockets listSockets',
        'get /admin/api/ledger listLedger',
        'get /admin/api/ledger.csv exportLedger',
        'get /admin/api/audit listAudit',
        'get /admin/api/voices listVoices',
      ],
    );
  });

  it('asks for the admin token, not for an API key, and for nothing at the login', () => {
    assert.deepEqual(document.components.securitySchemes, {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-Api-Key' },
      adminToken: { type: 'http', scheme: 'bearer' },
    });
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { security, responses } of Object.values(methods)) {
        if (!path.startsWith('/admin/')) assert.equal(security, undefined);
        else assert.deepEqual(security, path === '/admin/api/login' ? [] : [{ adminToken: [] }]);
        if (path.startsWith('/admin/')) assert.ok(responses[401] && responses[429] && responses[503], path);
      }
    }
    assert.equal(document.paths['/admin/api/keys']!.post!.requestBody!.required, false);
  });
});
