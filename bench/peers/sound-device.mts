import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Somewhere for the browser to play to. */
export interface SoundDevice {
  /** Environment of the browser. */
  readonly env: Record<string, string>;
  /** For the reader of the figures. */
  readonly description: string;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 5000;

/**
 * A sound card of 48 kHz, as most are, that nobody hears: a null sink of a PulseAudio of its own. Where PulseAudio is not
 * installed, whatever the browser finds.
 */
export async function openSoundDevice(): Promise<SoundDevice> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-sound-'));
  const settings = join(folder, 'daemon.conf');
  // Chromium opens its device at the server's own rate, whatever that of the sink is.
  await writeFile(settings, 'default-sample-rate = 48000\nalternate-sample-rate = 48000\n');
  const env = { ...(process.env as Record<string, string>), XDG_RUNTIME_DIR: folder, PULSE_CONFIG: settings };
  const sink = 'module-null-sink sink_name=bench rate=48000 channels=2 format=float32le';
  const load = ['-n', '-L', sink, '-L', 'module-native-protocol-unix'];
  const child = spawn('pulseaudio', ['--daemonize=no', '--exit-idle-time=-1', ...load], { env, stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  // Also when we end by an error: it would go on for ever.
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  const close = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const socket = join(folder, 'pulse', 'native');
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(socket) && child.exitCode === null && child.pid !== undefined && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (existsSync(socket)) return { env, description: 'a null sink of PulseAudio at 48 kHz', close };
  await close();
  return {
    env: process.env as Record<string, string>,
    description: 'what the browser found, or its stand-in for none',
    close: async () => {},
  };
}
