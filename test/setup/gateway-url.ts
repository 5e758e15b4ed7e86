declare global {
  interface Window {
    /** Set by the test runner before any test loads. */
    readonly __gateway: { readonly url: string; readonly audioUrl: string; readonly rounds: number };
  }
}

/** Factor for the number of attempts in tests of races: 1, or more in `npm run test:long`. Browser only. */
export const rounds: number = window.__gateway.rounds;

/** URL of the scripted gateway (`src/testing/gateway.ts`): `ws://127.0.0.1:PORT/`. Browser only. */
export const gatewayUrl: string = window.__gateway.url;

/** Origin of a server of audio streams, different from the page's: see `audio-server.mjs`. */
export const audioOrigin: string = window.__gateway.audioUrl;
