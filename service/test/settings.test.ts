import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readSettings, SettingsError } from '../src/settings.js';

/** Default place of the data. */
const HERE = { dataDir: resolve('svc-service-data') };

describe('readSettings', () => {
  it('returns only the default data folder for an empty environment', () => {
    assert.deepEqual(readSettings([], {}), HERE);
    assert.deepEqual(readSettings(['start'], { SVC_PORT: '', SVC_API_KEY: '', SVC_TRUST_PROXY: '' }), HERE);
  });

  it('uses the address for traces only if there is one for all signals', () => {
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/spans' };
    const both = { ...traces, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    assert.equal(readSettings([], traces)?.tracesUrl, undefined);
    assert.equal(readSettings([], both)?.tracesUrl, 'http://traces:4318/spans');
  });

  it('reads the environment', () => {
    const environment = {
      SVC_API_KEY: 'key, another,',
      SVC_ADMIN_TOKEN: 'a'.repeat(32),
      SVC_PORT: '0',
      SVC_HOST: '::1',
      SVC_PUBLIC_URL: 'https://speech.example',
      SVC_TRUST_PROXY: '10.0.0.5, 10.1.0.0/16,loopback',
      SVC_DATA_DIR: '/var/lib/svc',
      SVC_LIVEKIT_KEY: 'APIkey',
      SVC_LIVEKIT_SECRET: 's'.repeat(32),
      SVC_TOKEN_SECONDS: '60',
      SVC_MAX_CONCURRENT_SESSIONS: '3',
      SVC_MAX_SOCKETS: '1000',
      SVC_MAX_SOCKETS_PER_ACCOUNT: '12',
      SVC_IDLE_SECONDS: '120',
      SVC_REQUESTS_PER_MINUTE: '600',
      SVC_RATE_LIMIT_EXEMPT: '10.0.0.7, 10.2.0.0/16,loopback',
      SVC_DATABASE_CONNECTIONS: '4',
      SVC_SPEECH_THREADS: '3',
      SVC_LOG_LEVEL: 'info',
      SVC_METRICS_TOKEN: 'scraper',
      SVC_NODE_NAME: 'node-1.example',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    };
    assert.deepEqual(readSettings([], environment), {
      apiKey: ['key', 'another'],
      adminToken: 'a'.repeat(32),
      port: 0,
      host: '::1',
      publicUrl: 'https://speech.example',
      trustProxy: ['10.0.0.5', '10.1.0.0/16', '127.0.0.0/8', '::1/128'],
      dataDir: resolve('/var/lib/svc'),
      livekit: { key: 'APIkey', secret: 's'.repeat(32) },
      tokenSeconds: 60,
      databaseConnections: 4,
      maxConcurrentSessions: 3,
      maxSockets: 1000,
      maxSocketsPerAccount: 12,
      rateLimitExempt: ['10.0.0.7', '10.2.0.0/16', '127.0.0.0/8', '::1/128'],
      limits: { idleMs: 120_000, requestsPerMinute: 600 },
      speech: { threads: 3 },
      logLevel: 'info',
      metricsToken: 'scraper',
      nodeName: 'node-1.example',
      tracesUrl: 'http://collector:4318/v1/traces',
    });
  });

  it('reads the settings of the speech engine', () => {
    const environment = {
      SVC_SPEECH: 'openai',
      SVC_SPEECH_URL: 'http://127.0.0.1:8880/v1/audio/speech',
      SVC_SPEECH_KEY: 'secret',
      SVC_SPEECH_VOICES: 'alloy, nova:premium, ff_siwis:fr:premium, b:pt-BR,',
      SVC_SPEECH_MODEL: 'tts-1',
      SVC_SPEECH_SAMPLE_RATE: '22050',
    };
    assert.deepEqual(readSettings([], environment)?.speech, {
      engine: 'openai',
      url: 'http://127.0.0.1:8880/v1/audio/speech',
      key: 'secret',
      voices: [
        'alloy',
        { id: 'nova', premium: true },
        { id: 'ff_siwis', language: 'fr', premium: true },
        { id: 'b', language: 'pt-BR' },
      ],
      model: 'tts-1',
      sampleRate: 22_050,
    });
    const command = { SVC_SPEECH: 'command', SVC_SPEECH_COMMAND: 'espeak-ng --stdout' };
    assert.deepEqual(readSettings([], command)?.speech, { engine: 'command', command: 'espeak-ng --stdout' });
    assert.deepEqual(readSettings([], { SVC_SPEECH: 'flite' })?.speech, { engine: 'flite' });
    const several = { SVC_SPEECH: 'openai, flite', SVC_SPEECH_URL: 'http://127.0.0.1:8880/' };
    assert.deepEqual(readSettings([], several)?.speech?.engine, ['openai', 'flite']);
  });

  it('prefers the command line', () => {
    assert.deepEqual(readSettings(['start', '--port', '1234'], { SVC_PORT: '1' }), { ...HERE, port: 1234 });
    assert.deepEqual(readSettings(['--port=1234', '--host', '::'], { SVC_HOST: '::1' }), {
      ...HERE,
      port: 1234,
      host: '::',
    });
  });

  it('prefers PostgreSQL to a folder, and the command line to both', () => {
    const environment = { SVC_DATABASE_URL: 'postgres://a:b@one/x', SVC_DATA_DIR: '/there' };
    const { SVC_DATA_DIR } = environment;
    assert.deepEqual(readSettings([], environment), { databaseUrl: 'postgres://a:b@one/x' });
    assert.deepEqual(readSettings([], { SVC_DATA_DIR }), { dataDir: resolve('/there') });
    assert.deepEqual(readSettings(['--data', '/here'], environment), { dataDir: resolve('/here') });
    assert.deepEqual(readSettings(['--data', 'memory'], environment), {});
    assert.deepEqual(readSettings([], { SVC_DATA_DIR: 'memory' }), {});
    assert.deepEqual(readSettings(['--database-url', 'postgresql://two/y'], environment), {
      databaseUrl: 'postgresql://two/y',
    });
  });

  it('returns null if help is requested', () => {
    assert.equal(readSettings(['--help'], {}), null);
    assert.equal(readSettings(['start', '--port', '1', '-h'], {}), null);
  });

  for (const [args, environment] of [
    [['--port'], {}],
    [['--port', 'x'], {}],
    [['--port='], {}],
    [['--port', '65536'], {}],
    [['--port', '--host', 'x'], {}],
    [['--prot', '1'], {}],
    [['-p', '1'], {}],
    [['--constructor', '1'], {}],
    [['stop'], {}],
    [['--host', 'a:80'], {}],
    [['--data', ''], {}],
    [['--data', 'x', '--database-url', 'postgres://h/d'], {}],
    [['--database-url', 'mysql://h/d'], {}],
    [['--database-url', 'postgres://a:5432,b:5433/d'], {}],
    [[], { SVC_PORT: '1.5' }],
    [[], { SVC_HOST: 'http://a' }],
    [[], { SVC_API_KEY: 'with space' }],
    [[], { SVC_RATE_LIMIT_EXEMPT: '0.0.0.0/0' }],
    [[], { SVC_MAX_SOCKETS: '0' }],
    [[], { SVC_API_KEY: 'schlüssel' }],
    [[], { SVC_PUBLIC_URL: 'speech.example' }],
    [[], { SVC_PUBLIC_URL: 'wss://speech.example' }],
    [[], { SVC_DATABASE_URL: 'http://h/d' }],
    [[], { SVC_TRUST_PROXY: 'proxy.example' }],
    [[], { SVC_TRUST_PROXY: '10.0.0.0/33' }],
    [[], { SVC_TOKEN_SECONDS: '0' }],
    [[], { SVC_MAX_CONCURRENT_SESSIONS: '-1' }],
    [[], { SVC_LOG_LEVEL: 'loud' }],
    [[], { SVC_METRICS_TOKEN: 'a b' }],
    [[], { SVC_ADMIN_TOKEN: 'a'.repeat(31) }],
    [[], { SVC_ADMIN_TOKEN: `a ${'b'.repeat(40)}` }],
    [[], { SVC_NODE_NAME: 'a b' }],
    [[], { SVC_SPEECH: 'kokoro' }],
    [[], { SVC_SPEECH: 'openai' }],
    [[], { SVC_SPEECH: 'flite,openai' }],
    [[], { SVC_SPEECH: 'command' }],
    [[], { SVC_SPEECH_URL: 'x' }],
    [[], { SVC_SPEECH_SAMPLE_RATE: '24k' }],
  ] as [string[], Record<string, string>][]) {
    it(`refuses ${JSON.stringify([args, environment])} in one line that begins with the invalid setting`, () => {
      const culprit = Object.keys(environment)[0] ?? args[0]!.replace('=', '');
      assert.throws(
        () => readSettings(args, environment),
        (error: Error) =>
          error instanceof SettingsError && error.message.startsWith(culprit) && !error.message.includes('\n'),
      );
    });
  }

  for (const everyProxy of ['true', '*', '1', '10.0.0.5, *']) {
    it(`refuses to trust every proxy (${everyProxy}), and reports why`, () => {
      assert.throws(
        () => readSettings([], { SVC_TRUST_PROXY: everyProxy }),
        /^SettingsError: SVC_TRUST_PROXY must be addresses .*, not (true|\*|1)\. Every address would be too many/,
      );
    });
  }

  it('requires both LiveKit’s key and secret, and a secret that LiveKit accepts', () => {
    assert.throws(() => readSettings([], { SVC_LIVEKIT_KEY: 'k' }), /^SettingsError: SVC_LIVEKIT_SECRET is missing/);
    assert.throws(() => readSettings([], { SVC_LIVEKIT_SECRET: 's' }), /^SettingsError: SVC_LIVEKIT_KEY is missing/);
    assert.throws(
      () => readSettings([], { SVC_LIVEKIT_KEY: 'k', SVC_LIVEKIT_SECRET: 's'.repeat(31) }),
      /at least 32 characters/,
    );
  });

  it('shows no secret in an error message', () => {
    for (const environment of [
      { SVC_API_KEY: 'hush hush' },
      { SVC_ADMIN_TOKEN: 'hush' },
      { SVC_DATABASE_URL: 'mysql://me:hush@host/d' },
      { SVC_SPEECH_URL: 'ftp://me:hush@host' },
      { SVC_LIVEKIT_KEY: 'k', SVC_LIVEKIT_SECRET: 'hush' },
    ]) {
      assert.throws(
        () => readSettings([], environment),
        (error: Error) => !error.message.includes('hush'),
      );
    }
  });
});
