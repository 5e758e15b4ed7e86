/**
 * JavaScript that decides in a page and its threads which mutant is active. It declares `threadSwitch`, the text that the
 * page puts before the programs of its threads.
 */

/** @param {number} active - Number of the mutant. Runs in pages and in threads. */
export function pageSwitch(active) {
  const program = `globalThis.mutantSwitch = (number) => number === ${active};`;
  return `${program} globalThis.threadSwitch = ${JSON.stringify(program)};`;
}

/** Makes no mutant active, and reports those that the page and its threads reach. Runs in pages. */
export const pageRecorder = `{
  const session = new URLSearchParams(location.search).get('wtr-session-id');
  const address = location.origin + '/mutants-reached?session=' + session;
  const record = ${record.toString()};
  record(globalThis.fetch, address);
  globalThis.threadSwitch = '(' + record + ')(globalThis.fetch, ' + JSON.stringify(address) + ');';
  (${recordWorklets.toString()})();
}`;

/**
 * Runs in the page, in a worker, and in a worklet, which has no `fetch` and so posts to its page.
 *
 * @param {typeof fetch | undefined} send
 * @param {string} address
 */
function record(send, address) {
  const seen = new Set();
  let port;
  globalThis.mutantSwitch = (number) => {
    if (seen.has(number)) return false;
    seen.add(number);
    if (send) void send.call(globalThis, `${address}&number=${number}`, { keepalive: true });
    else port?.postMessage(number);
    return false;
  };
  if (send) return;
  const Recorder = class extends AudioWorkletProcessor {
    constructor() {
      super();
      port = this.port;
      for (const number of seen) port.postMessage(number);
    }
    process() {
      return false;
    }
  };
  registerProcessor('mutants-reached', Recorder);
}

/** Adds a node to each context that loads a worklet, which receives the numbers of the mutants that it reaches. */
function recordWorklets() {
  const { get } = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'audioWorklet');
  const { addModule } = AudioWorklet.prototype;
  const contexts = new WeakMap();
  Object.defineProperty(BaseAudioContext.prototype, 'audioWorklet', {
    configurable: true,
    get() {
      const worklet = get.call(this);
      contexts.set(worklet, this);
      return worklet;
    },
  });
  AudioWorklet.prototype.addModule = async function (...args) {
    await addModule.apply(this, args);
    try {
      const node = new AudioWorkletNode(contexts.get(this), 'mutants-reached');
      node.port.onmessage = ({ data }) => globalThis.mutantSwitch(data);
    } catch {
      // The page's own worklet has no switch.
    }
  };
}
