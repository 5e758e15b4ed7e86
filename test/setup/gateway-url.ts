declare global {
  interface Window {
    /** Set by the test runner before any test loads. */
    readonly __gateway: { readonly url: string; readonly audioUrl: string; readonly rounds: number };
  }
}

/** Factor for the attempts of a test of a race: more than 1 in `npm run test:long`. For tests in a browser. */
export const rounds: number = window.__gateway.rounds;

/** Where the scripted gateway (`test/gateway`) listens: `ws://127.0.0.1:PORT/`. For tests in a browser. */
export const gatewayUrl: string = window.__gateway.url;

/** Origin of a server of audio streams, another one than the page's: see `audio-server.mjs`. */
export const audioOrigin: string = window.__gateway.audioUrl;
