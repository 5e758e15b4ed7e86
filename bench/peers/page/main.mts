import type { PagePlan } from '../plan.mjs';
import { packRecording, type Recording } from '../recording.mjs';
import type { FedPlayer, PagePlayer } from './player.mjs';
import { recorded, silence, untapped } from './tap.mjs';

/** Silence after which the sound counts as ended; longer than any stall of a trace. */
const END_SILENCE_MS = 400;
/** Time for a slow fade to end after a cancel. */
const AFTER_CANCEL_MS = 1500;

const query = location.search;
const socketUrl = `ws://${location.host}/feed${query}`;

/** Runs a player once and sends the result to the server. Called once, by the page's script. */
export async function run(player: PagePlayer): Promise<void> {
  addEventListener('error', ({ message }) => void fail(message));
  try {
    const plan = (await (await fetch(`/plan${query}`)).json()) as PagePlan;
    await player.open();
    const begin = 'start' in player ? () => player.start(socketUrl) : await openFeed(player);
    await fetch(`/ready${query}`, { method: 'POST' });
    const times = await play(player, plan, begin);
    await fetch(`/recording${query}`, { method: 'POST', body: packRecording(await finish(player, plan, times)) });
  } catch (error) {
    await fail(error instanceof Error ? error.message : String(error));
  }
}

async function fail(reason: string): Promise<void> {
  await fetch(`/failed${query}`, { method: 'POST', body: reason });
}

type Times = Pick<Recording, 'cancelledAtMs' | 'blockedMs'>;

/** Opens the page's socket. Resolves with a function that requests the speech. */
async function openFeed(player: FedPlayer): Promise<() => void> {
  const socket = new WebSocket(socketUrl);
  socket.binaryType = 'arraybuffer';
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string' && data.startsWith('{"type":"done"')) player.end?.();
    else player.feed(data);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('The socket did not open.'));
  });
  const { cancel } = player;
  player.cancel = () => {
    socket.onmessage = null;
    socket.close();
    cancel.call(player);
  };
  return () => socket.send('{"type":"start"}');
}

/** Carries out the plan. Resolves when no more sound is expected. */
async function play(player: PagePlayer, plan: PagePlan, begin: () => void): Promise<Times> {
  const times: { -readonly [K in keyof Times]: Times[K] } = { cancelledAtMs: null, blockedMs: null };
  begin();
  const { blockAtMs, blockMs, cancelAtMs } = plan;
  if (blockAtMs !== null) {
    setTimeout(() => {
      const from = Date.now();
      while (Date.now() < from + blockMs);
      times.blockedMs = [from, Date.now()];
    }, blockAtMs);
  }
  if (cancelAtMs !== null) {
    await sleep(cancelAtMs);
    times.cancelledAtMs = Date.now();
    player.cancel();
    await sleep(AFTER_CANCEL_MS);
  } else if (plan.recorded) {
    await sleep(plan.sentMs);
    await silence(END_SILENCE_MS);
  } else {
    await sleep(Math.max(plan.sentMs, plan.speechMs) + 500);
  }
  return times;
}

async function finish(player: PagePlayer, plan: PagePlan, times: Times): Promise<Recording> {
  const device = untapped();
  const deviceRate = device.sampleRate;
  void device.close();
  const tape = plan.recorded
    ? recorded()
    : { samples: new Float32Array(0), renderedAtMs: new Float64Array(0), sampleRate: deviceRate };
  const direct = tape.sampleRate === deviceRate || tape.samples.length === 0;
  return {
    ...tape,
    ...times,
    deviceRate,
    deviceSamples: direct ? null : await throughBrowser(tape.samples, tape.sampleRate, deviceRate),
    stats: (await player.stats?.()) ?? null,
  };
}

/**
 * Converts samples to the device's rate with the browser: `decodeAudioData` uses the same 32-point windowed sinc as the
 * conversion from a context's rate to the device's.
 */
async function throughBrowser(samples: Float32Array, fromRate: number, toRate: number): Promise<Float32Array> {
  const decoded = await new OfflineAudioContext(1, 1, toRate).decodeAudioData(wav(samples, fromRate));
  return decoded.getChannelData(0);
}

/** Encodes a WAV file of 32-bit floats. */
function wav(samples: Float32Array, rate: number): ArrayBuffer {
  const file = new ArrayBuffer(44 + samples.byteLength);
  const view = new DataView(file);
  const ascii = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  };
  ascii(0, 'RIFF');
  view.setUint32(4, file.byteLength - 8, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 3, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 4 * rate, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 32, true);
  ascii(36, 'data');
  view.setUint32(40, samples.byteLength, true);
  new Float32Array(file, 44).set(samples);
  return file;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
