import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Environment, ownEnvironment, prints, startProgram } from './program.js';
import { Recorder } from './recorder.js';

/** Rate of the sound card in Hz, as most have it. */
export const CARD_RATE = 48_000;

/** A sound card that nobody hears: a null sink of a PulseAudio of its own. */
export interface SoundCard {
  /** Environment of a browser that is to play there. */
  readonly env: Environment;
  /** Records what the card gets from now on. */
  record(): Recorder;
  /** Some browser plays to it, be it silence. */
  isPlayed(): Promise<boolean>;
  /** Ends it, and what still records. */
  close(): Promise<void>;
}

/** How often `parec` gets what the card has played, in milliseconds. PulseAudio's null sink plays in such steps too. */
const STEP_MS = 5;

/**
 * Starts PulseAudio.
 *
 * @throws {Error} If it ends before it is ready.
 */
export async function openSoundCard(): Promise<SoundCard> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sound-'));
  const settings = join(folder, 'daemon.conf');
  // Chromium opens its device at the server's own rate, whatever that of the sink is.
  await writeFile(settings, `default-sample-rate = ${CARD_RATE}\nalternate-sample-rate = ${CARD_RATE}\n`);
  const env = { ...ownEnvironment(), XDG_RUNTIME_DIR: folder, PULSE_CONFIG: settings };
  const sink = `module-null-sink sink_name=card rate=${CARD_RATE} channels=2 format=float32le norewinds=1`;
  const load = ['-n', '-L', sink, '-L', 'module-native-protocol-unix'];
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
  const form = ['--raw', '--format=s16le', `--rate=${CARD_RATE}`, '--channels=1', `--latency-msec=${STEP_MS}`];
  const record = (): Recorder => new Recorder(startProgram('parec', ['-d', 'card.monitor', ...form], env), CARD_RATE);
  const isPlayed = async (): Promise<boolean> => {
    const { stdout } = await promisify(execFile)('pactl', ['list', 'sink-inputs'], { env: { ...env, LC_ALL: 'C' } });
    return stdout.includes('Corked: no');
  };
  return { env, record, isPlayed, close };
}
