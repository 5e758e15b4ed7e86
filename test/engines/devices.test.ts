import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import '../../src/define.js';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../../src/index.js';
import { itUnless, sinks } from '../page/support/engine.js';
import type { Recorded } from './launch/recorder.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import { gatewayUrl } from '../setup/gateway-url.js';
import { samplesOf, sounds, type Stretch } from './tone.js';

/** Name of the default sound card. */
const CARD = 'card';
/** Length of the speech, in seconds. */
const SECONDS = 2.5;
/** Current time, in seconds, at which the device changes. */
const CHANGE_SECONDS = 0.8;

let speaker: SvcSpeakerElement;
/**
 * Name of the second card, which differs in each attempt. When a card is unplugged, PulseAudio moves the browser's stream
 * to the first card. For a new card of the same name, the browser would use that stream again.
 */
let other: string;
let attempts = 0;

function next(type: keyof SvcSpeakerEventMap): Promise<unknown> {
  return new Promise((resolve) => speaker.addEventListener(type, resolve, { once: true }));
}

/**
 * Plays a tone and calls `act` in the middle of it. Returns the stretches of sound that a card received, in seconds.
 */
async function change(card: string, act: () => Promise<unknown>): Promise<Stretch[]> {
  const { finished } = speaker.speak('Tone.');
  while (speaker.currentTime < CHANGE_SECONDS) await next('timeupdate');
  await act();
  await finished;
  return stopRecording(card);
}

async function stopRecording(card: string): Promise<Stretch[]> {
  const recorded = await executeServerCommand<Recorded, string>('stop-recording', card);
  const { rate } = recorded;
  return sounds(samplesOf(recorded), rate).map(({ from, to }) => ({ from: from / rate, to: to / rate }));
}

const length = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { from, to }) => sum + to - from, 0);

describe('<svc-speaker> on a page with a second sound card', function () {
  // The cards are real-time devices: on a busy machine, the browser makes gaps of its own.
  this.retries(2);

  beforeEach(async () => {
    other = `other-${++attempts}`;
    await executeServerCommand('plug', other);
    speaker = document.createElement('svc-speaker');
    // Playback starts once the whole utterance has arrived, and nothing is stretched.
    speaker.jitterBuffer = 'fixed';
    speaker.jitterBufferTarget = 4000;
    const url = scriptUrl(gatewayUrl, speaking({ tone: 440, seconds: SECONDS }));
    speaker.sessionProvider = () => Promise.resolve(url);
    document.body.append(speaker);
    await executeServerCommand('start-recording', other);
  });
  afterEach(async () => {
    speaker.remove();
    await executeServerCommand('unplug', other);
  });

  itUnless(sinks)('continues there after setSinkId(), and loses nothing', async () => {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const { deviceId } = devices.find(({ kind, label }) => kind === 'audiooutput' && label === other)!;
    await executeServerCommand('start-recording', CARD);
    const there = await change(other, () => speaker.setSinkId(deviceId));
    const here = await stopRecording(CARD);
    expect(speaker.sinkId).to.equal(deviceId);
    expect(length(here)).to.be.within(CHANGE_SECONDS, SECONDS - 0.5);
    expect(length(here) + length(there)).to.be.closeTo(SECONDS, 0.005);
  });

  it('continues there when the first card is unplugged', async () => {
    let [before, after] = [0, 0];
    const there = await change(other, async () => {
      before = speaker.currentTime;
      await executeServerCommand('unplug', CARD);
      after = speaker.currentTime;
    }).finally(() => executeServerCommand('plug', CARD));
    expect(speaker.error).to.equal(null);
    // Samples that were on their way to the first card are heard twice or not at all.
    expect(length(there)).to.be.within(SECONDS - after - 0.15, SECONDS - before + 0.15);
  });
});
