import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import websocket from '@fastify/websocket';
import Fastify from 'fastify';
import { WebSocket } from 'ws';
import { addHttpMetrics, addMetricsRoute } from '../../src/telemetry/http-metrics.js';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.js';

function metricsOf(engine = { available: true }): Metrics {
  return createMetrics({ engine });
}

/** Value of a sample, by its name with labels; `undefined` if there is none. */
async function read(metrics: Metrics, sample: string): Promise<number | undefined> {
  const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

async function samples(metrics: Metrics, prefix: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith(prefix));
}

describe('metrics: sockets and speech', () => {
  it('count the sockets that are open, were opened, and were closed, by code', async () => {
    const metrics = metricsOf();
    metrics.opened();
    metrics.opened();
    metrics.closed(1000, 1_500);
    assert.equal(await read(metrics, 'svc_sockets_open'), 1);
    assert.equal(await read(metrics, 'svc_sockets_opened_total'), 2);
    assert.equal(await read(metrics, 'svc_sockets_closed_total{code="1000"}'), 1);
    assert.equal(await read(metrics, 'svc_socket_open_seconds_total'), 1.5);
  });

  it('count the sockets that were refused, by code', async () => {
    const metrics = metricsOf();
    metrics.refused(4429);
    metrics.refused(4401);
    metrics.refused(4401);
    assert.equal(await read(metrics, 'svc_sockets_refused_total{code="4429"}'), 1);
    assert.equal(await read(metrics, 'svc_sockets_refused_total{code="4401"}'), 2);
    assert.equal(await read(metrics, 'svc_sockets_open'), 0);
  });

  it('do not grow with the codes that clients invent', async () => {
    const metrics = metricsOf();
    for (let code = 3000; code < 4000; code++) metrics.closed(code, 0);
    assert.deepEqual(await samples(metrics, 'svc_sockets_closed_total{'), [
      'svc_sockets_closed_total{code="other"} 1000',
    ]);
  });

  it('count contexts by how they ended, from 0', async () => {
    const metrics = metricsOf();
    assert.equal(await read(metrics, 'svc_contexts_total{outcome="error"}'), 0);
    metrics.contextEnded('done', 5);
    metrics.contextEnded('error', 5);
    metrics.contextEnded('aborted', 5);
    for (const outcome of ['done', 'error', 'aborted']) {
      assert.equal(await read(metrics, `svc_contexts_total{outcome="${outcome}"}`), 1);
    }
  });

  it('count frames, and the audio in them', async () => {
    const metrics = metricsOf();
    metrics.frameSent(0.06);
    metrics.frameSent(0.04);
    assert.equal(await read(metrics, 'svc_frames_sent_total'), 2);
    assert.equal(await read(metrics, 'svc_audio_seconds_total'), 0.1);
  });

  it('measure the time to the first frame, between 5 ms and 1 s', async () => {
    const metrics = metricsOf();
    metrics.firstFrame(22);
    metrics.firstFrame(700);
    assert.equal(await read(metrics, 'svc_first_frame_seconds_bucket{le="0.01"}'), 0);
    assert.equal(await read(metrics, 'svc_first_frame_seconds_bucket{le="0.025"}'), 1);
    assert.equal(await read(metrics, 'svc_first_frame_seconds_bucket{le="1"}'), 2);
    assert.equal(await read(metrics, 'svc_first_frame_seconds_sum'), 0.722);
  });

  it('count credits, heartbeats and what fails', async () => {
    const metrics = metricsOf();
    metrics.metered(2_500);
    metrics.heartbeat(12);
    metrics.heartbeatFailed();
    metrics.databaseFailed();
    assert.equal(await read(metrics, 'svc_credits_metered_total'), 2.5);
    assert.equal(await read(metrics, 'svc_heartbeat_duration_seconds_count'), 1);
    assert.equal(await read(metrics, 'svc_heartbeat_failures_total'), 1);
    assert.equal(await read(metrics, 'svc_database_errors_total'), 1);
  });

  it('report whether the engine is available', async () => {
    const engine = { available: true };
    const metrics = metricsOf(engine);
    assert.equal(await read(metrics, 'svc_speech_engine_available'), 1);
    engine.available = false;
    assert.equal(await read(metrics, 'svc_speech_engine_available'), 0);
  });
});

describe('metrics: a process with several services', () => {
  it('keeps the services apart, and has metrics of the process once in each', async () => {
    const [one, other] = [metricsOf(), metricsOf()];
    one.opened();
    assert.equal(await read(one, 'svc_sockets_open'), 1);
    assert.equal(await read(other, 'svc_sockets_open'), 0);
    for (const metrics of [one, other]) {
      assert.equal((await samples(metrics, 'process_cpu_seconds_total')).length, 1);
      assert.equal((await samples(metrics, '# TYPE nodejs_eventloop_lag_seconds ')).length, 1);
    }
  });

  it('ends by itself when there is nothing else to do', async () => {
    const module = new URL('../../src/telemetry/metrics.js', import.meta.url).href;
    const program = `const { createMetrics } = await import(${JSON.stringify(module)});
      const text = await createMetrics({ engine: { available: true } }).text();
      console.log(text.includes('nodejs_gc_duration_seconds'));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program],
      { timeout: 300_000 }, // one that does not end is killed, which fails the test
    );
    assert.equal(stdout, 'true\n');
  });

  it('follows the conventions of Prometheus in its names, and explains each', async () => {
    const text = await metricsOf().text();
    const types = [...text.matchAll(/^# TYPE (svc_\S+) (\S+)$/gm)].map(([, name, type]) => ({ name: name!, type }));
    assert.ok(types.length >= 15, `${types.length} metrics`);
    for (const { name, type } of types) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      if (type === 'histogram') assert.match(name, /_seconds$/);
      assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'));
    }
  });
});

describe('metrics: HTTP', () => {
  it('measure answers by method, pattern of the route and status', async () => {
    const metrics = metricsOf();
    const app = Fastify();
    addHttpMetrics(app, metrics);
    app.get('/things/:id', async (_request, reply) => reply.code(418).send({}));
    await app.inject('/things/1?token=secret');
    await app.inject('/things/2');
    const name = 'svc_http_request_duration_seconds_count{method="GET",route="/things/:id",status="418"}';
    assert.equal(await read(metrics, name), 2);
    assert.ok(!(await metrics.text()).includes('secret'));
  });

  it('measure refusals of hooks in a scope, too', async () => {
    const metrics = metricsOf();
    const app = Fastify();
    addHttpMetrics(app, metrics);
    await app.register(async (api) => {
      api.addHook('onRequest', async (_request, reply) => reply.code(401).send({}));
      api.get('/thing', async () => ({}));
    });
    await app.inject('/thing');
    assert.equal(
      await read(metrics, 'svc_http_request_duration_seconds_count{method="GET",route="/thing",status="401"}'),
      1,
    );
  });

  it('do not grow with paths and methods that do not exist', async () => {
    const metrics = metricsOf();
    const app = Fastify();
    addHttpMetrics(app, metrics);
    await app.register(
      async (api) => {
        api.setNotFoundHandler((_request, reply) => reply.code(404).send({}));
        api.get('/thing', async () => ({}));
      },
      { prefix: '/api' },
    );
    for (let i = 0; i < 50; i++) {
      await app.inject(`/${i}`);
      await app.inject(`/api/${i}`);
    }
    await app.inject({ url: '/thing', method: 'PROPFIND' as 'GET' });
    await app.inject({ url: '/thing', method: 'MKCOL' as 'GET' });
    assert.deepEqual((await samples(metrics, 'svc_http_request_duration_seconds_count')).sort(), [
      'svc_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 100',
      'svc_http_request_duration_seconds_count{method="other",route="unknown",status="404"} 2',
    ]);
  });

  it('leave out sockets, whose duration depends on the client', async () => {
    const metrics = metricsOf();
    const app = Fastify();
    await app.register(websocket);
    addHttpMetrics(app, metrics);
    app.route({
      method: 'GET',
      url: '/socket',
      handler: async (_request, reply) => reply.code(426).send({}),
      wsHandler: (socket) => socket.close(1000),
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = new WebSocket(`${address.replace('http', 'ws')}/socket`);
    await new Promise((resolve) => socket.on('close', resolve));
    await app.inject('/socket');
    await app.close();
    assert.deepEqual(await samples(metrics, 'svc_http_request_duration_seconds_count'), [
      'svc_http_request_duration_seconds_count{method="GET",route="/socket",status="426"} 1',
    ]);
  });
});

describe('GET /metrics', () => {
  it('answers in the format of Prometheus', async () => {
    const app = Fastify();
    addMetricsRoute(app, metricsOf());
    const answer = await app.inject('/metrics');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(answer.body, /^svc_sockets_open 0$/m);
    assert.ok(answer.body.endsWith('\n'), 'the last line of the format ends, too');
  });

  it('answers other machines with 403, if it has no token', async () => {
    const app = Fastify();
    addMetricsRoute(app, metricsOf());
    const answer = await app.inject({ url: '/metrics', remoteAddress: '192.0.2.1' });
    assert.equal(answer.statusCode, 403);
    assert.match((answer.json() as { detail: string }).detail, /SVC_METRICS_TOKEN/);
  });

  it('asks for its token, if it has one', async () => {
    const app = Fastify();
    addMetricsRoute(app, metricsOf(), { token: 'scraper' });
    for (const authorization of ['', 'Bearer ', 'Bearer scrape', 'Bearer scraper2', 'scraper']) {
      const answer = await app.inject({ url: '/metrics', headers: { authorization } });
      assert.equal(answer.statusCode, 401, authorization);
      assert.match((answer.json() as { detail: string }).detail, /SVC_METRICS_TOKEN/);
    }
    const answer = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer scraper' } });
    assert.equal(answer.statusCode, 200);
  });

  it('is not served without a token through a proxy on this machine, which has a loopback address too', async () => {
    const app = Fastify();
    addMetricsRoute(app, metricsOf());
    const status = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/metrics', headers: { host: 'localhost:8787', ...headers } })).statusCode;
    assert.equal(await status({}), 200);
    assert.equal(await status({ host: '[::1]:8787' }), 200);
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-real-ip': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1' },
      { via: '1.1 proxy' },
      { host: 'speech.example.com' },
    ] as Record<string, string>[]) {
      assert.equal(await status(headers), 403, JSON.stringify(headers));
    }
    const published = Fastify();
    addMetricsRoute(published, metricsOf(), { publicUrl: new URL('https://speech.example.com') });
    assert.equal((await published.inject({ url: '/metrics', headers: { host: 'localhost' } })).statusCode, 403);
  });
});
