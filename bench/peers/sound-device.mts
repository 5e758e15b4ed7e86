import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sound output for the browser. */
export interface SoundDevice {
  /** Environment of the browser. */
  readonly env: Record<string, string>;
  /** Description for readers of the figures. */
  readonly description: string;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 5000;

/**
 * Starts an inaudible sound card at 48 kHz, the usual rate: a null sink of a separate PulseAudio server. If PulseAudio
 * is not installed, the browser uses the device that it finds.
 */
export async function openSoundDevice(): Promise<SoundDevice> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-sound-'));
  const settings = join(folder, 'daemon.conf');
  // Chromium opens its device at the server's default rate, whatever the rate of the sink is.
  await writeFile(settings, 'default-sample-rate = 48000\nalternate-sample-rate = 48000\n');
  const env = { ...(process.env as Record<string, string>), XDG_RUNTIME_DIR: folder, PULSE_CONFIG: settings };
  const sink = 'module-null-sink sink_name=bench rate=48000 channels=2 format=float32le';
  const load = ['-n', '-L', sink, '-L', 'module-native-protocol-unix'];
  const child = spawn('pulseaudio', ['--daemonize=no', '--exit-idle-time=-1', ...load], { env, stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  // Also after an error of this process: otherwise the server would run forever.
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
