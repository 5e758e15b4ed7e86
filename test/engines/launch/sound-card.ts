import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Environment, ownEnvironment, prints, startProgram } from './program.js';
import { Recorder } from './recorder.js';

/** Sample rate of the sound card in Hz, the most common one. */
export const CARD_RATE = 48_000;

/** A virtual sound card: a null sink of a PulseAudio server of its own. */
export interface SoundCard {
  /** Environment for a browser that plays to this card. */
  readonly env: Environment;
  /** Records what the card, or the named one, plays from now on. */
  record(name?: string): Recorder;
  /** Plugs in the named card, or the first card again. */
  plug(name?: string): Promise<void>;
  /**
   * Unplugs the card, or the named one, even while it is in use. PulseAudio moves its streams to a card that is left.
   */
  unplug(name?: string): Promise<void>;
  /** Resolves with true if a browser plays to it, even silence. */
  isPlayed(): Promise<boolean>;
  /** Stops the server, which ends the recordings that are still running. */
  close(): Promise<void>;
}

/** Name of the card that exists from the start. */
const CARD = 'card';

/**
 * Interval, in milliseconds, at which `parec` receives samples. PulseAudio's null sink plays in steps of this length
 * too.
 */
const STEP_MS = 5;

/**
 * Starts PulseAudio.
 *
 * @throws {Error} If it ends before it is ready.
 */
export async function openSoundCard(): Promise<SoundCard> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sound-'));
  const settings = join(folder, 'daemon.conf');
  // Chromium opens its device at the server's sample rate, whatever the sink's rate is.
  await writeFile(settings, `default-sample-rate = ${CARD_RATE}\nalternate-sample-rate = ${CARD_RATE}\n`);
  const env = { ...ownEnvironment(), XDG_RUNTIME_DIR: folder, PULSE_CONFIG: settings };
  const load = ['-n', '-L', `module-null-sink ${sinkOf(CARD)}`, '-L', 'module-native-protocol-unix'];
  const log = ['--log-target=stderr', '--log-level=info'];
  const server = startProgram('pulseaudio', ['--daemonize=no', '--exit-idle-time=-1', ...log, ...load], env);
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  const close = async (): Promise<void> => {
    await server.stop();
    process.off('exit', clean);
    clean();
  };
  try {
    await prints(server, server.stderr, /Daemon startup complete/);
  } catch (error) {
    await close();
    throw error;
  }
  const form = ['--raw', '--format=s16le', `--rate=${CARD_RATE}`, '--channels=2', `--latency-msec=${STEP_MS}`];
  const pactl = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('pactl', args, { env: { ...env, LC_ALL: 'C' } })).stdout;
  return {
    env,
    record: (name = CARD) => new Recorder(startProgram('parec', ['-d', `${name}.monitor`, ...form], env), CARD_RATE),
    async plug(name = CARD) {
      await pactl('load-module', 'module-null-sink', ...sinkOf(name).split(' '));
    },
    async unplug(name = CARD) {
      const modules = (await pactl('list', 'short', 'modules')).split('\n');
      const [module] = modules.find((line) => line.includes(`sink_name=${name} `))!.split('\t');
      await pactl('unload-module', module!);
    },
    isPlayed: async () => (await pactl('list', 'sink-inputs')).includes('Corked: no'),
    close,
  };
}

function sinkOf(name: string): string {
  return `sink_name=${name} sink_properties=device.description=${name} rate=${CARD_RATE} channels=2 format=float32le norewinds=1`;
}
