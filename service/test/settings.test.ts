import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings, SettingsError } from '../src/settings.js';

describe('readSettings', () => {
  it('has nothing to say about an empty environment', () => {
    assert.deepEqual(readSettings([], {}), {});
    assert.deepEqual(readSettings(['start'], { SVC_PORT: '', SVC_API_KEY: '' }), {});
  });

  it('reads the environment', () => {
    const environment = {
      SVC_API_KEY: 'key',
      SVC_PORT: '0',
      SVC_HOST: '::1',
      SVC_PUBLIC_URL: 'https://speech.example',
      SVC_TOKEN_SECONDS: '60',
      SVC_MAX_CONCURRENT_SESSIONS: '3',
    };
    assert.deepEqual(readSettings([], environment), {
      apiKey: 'key',
      port: 0,
      host: '::1',
      publicUrl: 'https://speech.example',
      tokenSeconds: 60,
      maxConcurrentSessions: 3,
    });
  });

  it('prefers the command line', () => {
    assert.deepEqual(readSettings(['start', '--port', '1234'], { SVC_PORT: '1' }), { port: 1234 });
    assert.deepEqual(readSettings(['--port=1234'], {}), { port: 1234 });
  });

  it('tells of a wish for help', () => {
    assert.equal(readSettings(['--help'], {}), null);
  });

  for (const [args, environment] of [
    [['--port'], {}],
    [['--port', 'x'], {}],
    [['--port', '65536'], {}],
    [['--prot', '1'], {}],
    [['stop'], {}],
    [[], { SVC_PORT: '1.5' }],
    [[], { SVC_PUBLIC_URL: 'speech.example' }],
    [[], { SVC_PUBLIC_URL: 'wss://speech.example' }],
    [[], { SVC_TOKEN_SECONDS: '0' }],
    [[], { SVC_MAX_CONCURRENT_SESSIONS: '-1' }],
  ] as [string[], Record<string, string>][]) {
    it(`does not understand ${JSON.stringify([args, environment])}, and says what`, () => {
      const culprit = Object.keys(environment)[0] ?? args[0]!;
      assert.throws(
        () => readSettings(args, environment),
        (error: Error) => error instanceof SettingsError && error.message.startsWith(culprit),
      );
    });
  }
});
