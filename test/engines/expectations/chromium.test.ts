import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectBrokenOff } from './closing.js';
import { expectPendingResume, passed } from './gesture.js';

/** Counts render quanta, and those in which `currentFrame` is what it was in the one before. */
const counter = `
registerProcessor('counter', class extends AudioWorkletProcessor {
  before = -1;
  repeated = 0;
  constructor() {
    super();
    this.port.onmessage = () => this.port.postMessage(this.repeated);
  }
  process() {
    if (currentFrame === this.before) this.repeated++;
    this.before = currentFrame;
    return true;
  }
});`;

/** If one of these is red, Chromium does no longer what the file named works around: take the workaround out. */
describe('Chromium', () => {
  expectPendingResume();
  expectBrokenOff();

  it('lets `currentFrame` stand still while the graph is changed (worklet/speaker-processor.ts: #nextFrame)', async () => {
    const context = new AudioContext();
    await context.resume();
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([counter], { type: 'text/javascript' })));
    const node = new AudioWorkletNode(context, 'counter', { numberOfInputs: 0 });
    node.connect(context.destination);
    let repeated = 0;
    // Each quantum that meets a change of the graph may be one. Ends in the test's time limit if there is none.
    while (repeated === 0) {
      for (let change = 0; change < 2000; change++) {
        const other = new GainNode(context);
        other.connect(context.destination);
        other.disconnect();
      }
      repeated = await new Promise<number>((resolve) => {
        node.port.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
        node.port.postMessage(null);
      });
    }
    await context.close();
  });

  it('takes a silent context off the device after 30 s (worklet/speaker-processor.ts: #stayAwake)', async function () {
    this.timeout(60_000);
    const context = new AudioContext();
    await context.resume();
    await passed(context, 1);
    expect(await executeServerCommand('plays')).to.equal(true);
    await passed(context, 32);
    expect(await executeServerCommand('plays')).to.equal(false);
    await context.close();
  });
});
