import { createSpeechBackend, decryptAvatarBundle, SvcApiError, SvcClient } from '../../../src/backend/index.js';

/** Bindings of the worker. */
interface Environment {
  readonly BASE_URL: string;
  readonly KEY: string;
}

/** A host page's server for Cloudflare Workers. `workers.test.ts` runs it on their runtime. */
export default {
  async fetch(request: Request, { BASE_URL: baseUrl, KEY: apiKey }: Environment): Promise<Response> {
    const service = { baseUrl, apiKey, onError: () => undefined };
    const [, task] = new URL(request.url).pathname.split('/');
    switch (task) {
      case 'speech':
        return createSpeechBackend({ ...service, authorize: () => true }).fetch(request);
      case 'open-to-all':
        return createSpeechBackend(service).fetch(request);
      case 'impatient':
        return createSpeechBackend({ ...service, authorize: () => true, timeoutMs: 30 }).fetch(request);
      case 'opened-bundle': {
        const { payload } = await new SvcClient(service).getAvatarBundle('ava');
        return Response.json(await decryptAvatarBundle(payload, apiKey));
      }
      case 'refused-bundle':
        return decryptAvatarBundle(await request.text(), apiKey).then(
          () => new Response('opened'),
          (error: unknown) => new Response(String(error)),
        );
      case 'aborted': {
        const abort = new AbortController();
        const call = new SvcClient(service).createSession({}, { signal: abort.signal });
        await fetch(`${baseUrl}/until-called`);
        abort.abort(new Error('enough'));
        return call.then(
          () => new Response('answered'),
          (error: unknown) => new Response(error instanceof SvcApiError ? error.code : String(error)),
        );
      }
      default:
        return new Response('unknown task', { status: 404 });
    }
  },
};
