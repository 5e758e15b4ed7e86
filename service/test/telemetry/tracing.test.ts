import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { SpeechError } from '../support/built.js';
import { Conversation } from '../support/conversation.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { host, KEY } from '../support/host.js';
import { Program } from '../support/program.js';
import { StubEngine } from '../support/stub-engine.js';
import { TraceCollector, type CollectedSpan } from '../support/trace-collector.js';
import { COMPILED_ONCE } from '../support/webassembly.js';

const TEXT = 'My diary, read aloud.';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE_ID}-b7ad6b7169203331-01`;

/** Engine that is ready at once and outputs noise. */
const NOISE = { SVC_SPEECH: 'command', SVC_SPEECH_COMMAND: 'head -c 19200 /dev/urandom' };

/** Prints how many files of OpenTelemetry's SDK a process has loaded by its end. */
const COUNT_LOADED = `
  import { createRequire } from 'node:module';
  const { cache } = createRequire(process.execPath);
  const isSdk = (file) => /@opentelemetry.(?:core|exporter|otlp|resources|sdk)/.test(file);
  process.on('exit', () => console.error('loaded: ' + Object.keys(cache).filter(isSdk).length));`;

let collector: TraceCollector;
let collectorUrl: string;
let cwd: string;
describe('traces', () => {
  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'svc-tracing-'));
  });
  beforeEach(async () => {
    collector = new TraceCollector();
    collectorUrl = await collector.listen();
  });
  afterEach(() => collector.close());
  after(() => rm(cwd, { recursive: true }));

  /** Starts `svc-service` in a process of its own; resolves with the program and its URL. */
  async function start(
    environment: Record<string, string>,
    speech: Record<string, string> = NOISE,
  ): Promise<{ program: Program; base: string }> {
    const program = new Program(['start', '--port', '0', '--data', 'memory'], {
      cwd,
      environment: { SVC_API_KEY: KEY, SVC_NODE_NAME: 'node-1', ...speech, ...environment },
      flags: [...COMPILED_ONCE, `--import=data:text/javascript,${encodeURIComponent(COUNT_LOADED)}`],
    });
    return { program, base: await program.ready() };
  }

  /** Speaks a text in a session of its own, closes the socket, and returns its URL. */
  async function speak(base: string, headers: Record<string, string> = {}): Promise<string> {
    const response = await fetch(`${base}api/v1/realtime/stream/session`, {
      method: 'POST',
      headers: { 'X-SVC-Api-Key': KEY, ...headers },
    });
    const { url } = (await response.json()) as { url: string };
    const conversation = await new Conversation(url).opened();
    conversation.say(TEXT);
    await conversation.message('context_done');
    assert.ok(conversation.samples().length > 5000);
    await conversation.close();
    return url;
  }

  async function stop(program: Program): Promise<void> {
    program.child.kill('SIGTERM');
    assert.equal(await program.exit(), 0, program.errors);
  }

  describe('svc-service with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
    it('traces a session from the call to the first frame, in the trace of the caller', async () => {
      const variables = {
        OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=speech',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_BSP_SCHEDULE_DELAY: '1',
      };
      const { program, base } = await start(variables, {});
      const url = await speak(base, { traceparent: CALLER });
      await eventually('every span was sent', () => collector.spans.length === 4);
      await stop(program);
      assert.equal(collector.requests[0]!.path, '/v1/traces');
      assert.equal(collector.requests[0]!['x-team'], 'speech');
      const [call, socket, admission, context] = ['session call', 'socket', 'admission', 'context'].map((name) =>
        collector.span(name),
      ) as [CollectedSpan, CollectedSpan, CollectedSpan, CollectedSpan];
      assert.equal(collector.spans.length, 4);
      for (const { traceId, resource } of collector.spans) {
        assert.equal(traceId, TRACE_ID);
        assert.equal(resource['service.name'], 'svc-service');
        assert.equal(resource['service.instance.id'], 'node-1');
        assert.equal(resource['deployment.environment.name'], 'test');
      }
      assert.deepEqual(
        [call, socket, admission, context].map(({ parentSpanId }) => parentSpanId),
        ['b7ad6b7169203331', call.spanId, socket.spanId, socket.spanId],
      );
      assert.deepEqual(call.attributes, {
        'http.request.method': 'POST',
        'http.route': '/api/v1/realtime/stream/session',
        'http.response.status_code': 200,
        'svc.outcome': 'done',
      });
      const { 'session.id': sessionId, ...rest } = socket.attributes;
      assert.match(String(sessionId), /^[\da-f-]{36}$/);
      assert.deepEqual(rest, { 'svc.voice': 'slt', 'svc.close_code': 1000, 'svc.outcome': 'closed' });
      assert.deepEqual(admission.attributes, { 'svc.outcome': 'admitted' });
      assert.deepEqual(context.attributes, { 'svc.voice': 'slt', 'svc.outcome': 'done' });
      assert.deepEqual(context.events, ['first frame']);
      assert.ok(socket.startedAt <= admission.endedAt && admission.endedAt <= context.startedAt);
      assert.ok(context.startedAt < context.endedAt && context.endedAt <= socket.endedAt);
      for (const secret of [TEXT, KEY, new URL(url).searchParams.get('token')!]) {
        assert.equal(collector.received.includes(secret), false);
      }
    });

    it('logs one warning while the collector refuses spans, and one line when it takes them again', async () => {
      collector.status = 400;
      const { program, base } = await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
        OTEL_BSP_SCHEDULE_DELAY: '1',
        SVC_LOG_LEVEL: 'info',
      });
      await speak(base);
      await eventually('a batch is refused', () => collector.requests.length > 0);
      const refused = collector.requests.length;
      await speak(base);
      await eventually('another batch is refused', () => collector.requests.length > refused);
      collector.status = 200;
      await speak(base);
      await program.complaint(/takes traces again/);
      await stop(program);
      assert.equal(program.errors.match(/Traces cannot be sent/g)?.length, 1);
    });

    it('speaks and ends while the collector does not answer', async () => {
      collector.status = null;
      const { program, base } = await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
        OTEL_EXPORTER_OTLP_TIMEOUT: '1000000',
        OTEL_BSP_EXPORT_TIMEOUT: '1000000',
        OTEL_BSP_SCHEDULE_DELAY: '1',
      });
      await speak(base);
      await eventually('spans were sent', () => collector.requests.length > 0);
      await stop(program);
      assert.match(program.errors, /loaded: [1-9]/);
    });
  });

  describe('svc-service without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
    it('loads no SDK and sends nothing', async () => {
      const { program, base } = await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl });
      await speak(base, { traceparent: CALLER });
      await stop(program);
      assert.match(program.errors, /loaded: 0/);
      assert.equal(collector.requests.length, 0);
    });
  });

  describe('traces', () => {
    it('disturb neither speech nor the end of the service while nobody listens at their address', async () => {
      const service = await host({ tracesUrl: `http://127.0.0.1:${await freePort()}/v1/traces` });
      const conversation = await service.open();
      conversation.say(TEXT);
      await conversation.message('context_done');
      await conversation.close();
      await service.close();
    });

    it('follow OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER', async (test) => {
      const variables = { OTEL_SERVICE_NAME: 'voices', OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
      Object.assign(process.env, variables);
      test.after(() => Object.keys(variables).forEach((name) => delete process.env[name]));
      const service = await host({ tracesUrl: `${collectorUrl}/v1/traces` });
      for (const trace of [{}, { traceparent: CALLER }] as Record<string, string>[]) {
        const response = await service.call({}, { 'X-SVC-Api-Key': KEY, ...trace });
        const conversation = await new Conversation(((await response.json()) as { url: string }).url).opened();
        conversation.say(TEXT);
        await conversation.message('context_done');
        await conversation.close();
      }
      await service.close();
      assert.deepEqual(
        collector.spans.map(({ traceId, resource }) => [traceId, resource['service.name']]),
        Array.from({ length: 4 }, () => [TRACE_ID, 'voices']),
      );
    });

    it('show why a call and a socket were refused', async () => {
      const service = await host({ tracesUrl: `${collectorUrl}/v1/traces` });
      assert.equal((await service.call({ voice_id: 7 })).status, 422);
      const { url } = await service.session();
      service.engine.available = false;
      const refused = new Conversation(url);
      assert.equal((await refused.closed()).code, 4500);
      await service.close();
      const calls = collector.spans.filter(({ name }) => name === 'session call');
      assert.deepEqual(
        calls.map(({ attributes }) => [attributes['http.response.status_code'], attributes['svc.outcome']]),
        [
          [422, 'refused'],
          [200, 'done'],
        ],
      );
      const socket = collector.span('socket');
      assert.deepEqual([socket.attributes['svc.close_code'], socket.attributes['svc.outcome']], [4500, 'refused']);
      assert.equal(socket.isError, true);
      assert.equal(socket.parentSpanId, calls[1]!.spanId);
      assert.deepEqual(collector.span('admission').attributes, { 'svc.outcome': 'refused', 'svc.close_code': 4500 });
    });

    it('have no socket whose token was not accepted', async () => {
      const service = await host({ tracesUrl: `${collectorUrl}/v1/traces` });
      const { url } = await service.session();
      const stranger = new Conversation(url.replace('token=', 'token=x'));
      assert.equal((await stranger.closed()).code, 4401);
      await service.close();
      assert.deepEqual(
        collector.spans.map(({ name }) => name),
        ['session call'],
      );
    });

    it('have a context that failed, without a first frame', async () => {
      const engine = new StubEngine();
      engine.script = () => {
        throw new SpeechError('engine-failed', 'The voice broke.');
      };
      const service = await host({ engine, tracesUrl: `${collectorUrl}/v1/traces` });
      const conversation = await service.open();
      conversation.say(TEXT);
      await conversation.message('error');
      await conversation.close();
      await service.close();
      const context = collector.span('context');
      assert.deepEqual([context.attributes['svc.outcome'], context.isError, context.events], ['error', true, []]);
    });
  });
});
