declare global {
  interface Window {
    /** Set by the test runner before any test loads. */
    readonly __gateway: { readonly url: string };
  }
}

/** Where the scripted gateway (`test/gateway`) listens: `ws://127.0.0.1:PORT/`. For tests in a browser. */
export const gatewayUrl: string = window.__gateway.url;
