import { tsImport } from 'tsx/esm/api';

/**
 * Runs the scripted gateway for as long as the test runner's server runs, and tells pages its address:
 * `window.__gateway`, see `gateway-url.ts`.
 */
export function gatewayPlugin() {
  /** @type {{ url: string, close(): Promise<void> }} */
  let gateway;
  return {
    name: 'gateway',
    async serverStart() {
      const { startGateway } = await tsImport('../../src/testing/gateway.ts', import.meta.url);
      gateway = await startGateway();
    },
    serve(context) {
      if (context.path !== '/test/setup/gateway.js') return undefined;
      const rounds = process.env.SVC_LONG ? 6 : 1;
      return { type: 'js', body: `window.__gateway = ${JSON.stringify({ url: gateway.url, rounds })};` };
    },
    async serverStop() {
      await gateway?.close();
    },
  };
}
