import { tsImport } from 'tsx/esm/api';
import { startAudioServer } from './audio-server.mjs';

/**
 * Runs the scripted gateway and a server of audio streams while the test runner's server runs. Pages find their
 * addresses in `window.__gateway` (see `gateway-url.ts`). The audio streams are also on the page's own origin, under
 * `/audio/`.
 */
export function gatewayPlugin() {
  /** @type {{ url: string, close(): Promise<void> }} */
  let gateway;
  /** @type {{ url: string, close(): void }} */
  let audio;
  return {
    name: 'gateway',
    async serverStart() {
      audio = await startAudioServer();
      const { startGateway } = await tsImport('../../src/testing/gateway.ts', import.meta.url);
      gateway = await startGateway();
    },
    serve(context) {
      if (context.path !== '/test/setup/gateway.js') return undefined;
      const rounds = process.env.SVC_LONG ? 6 : 1;
      return {
        type: 'js',
        body: `window.__gateway = ${JSON.stringify({ url: gateway.url, audioUrl: audio.url, rounds })};`,
      };
    },
    async serverStop() {
      audio?.close();
      await gateway?.close();
    },
  };
}
