declare global {
  interface Window {
    /** Set by the test runner before any test loads. */
    readonly __gateway: { readonly url: string; readonly rounds: number };
  }
}

/** How many times the usual a test of a race is to try: `SVC_TEST_ROUNDS`. For tests in a browser. */
export const rounds: number = window.__gateway.rounds;

/** Where the scripted gateway (`test/gateway`) listens: `ws://127.0.0.1:PORT/`. For tests in a browser. */
export const gatewayUrl: string = window.__gateway.url;
