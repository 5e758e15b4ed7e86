import { rmSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Environment,
  ownEnvironment,
  type Program,
  prints,
  startProgram,
} from '../../test/engines/launch/program.js';

/** Rate of the room in Hz. */
export const ROOM_RATE = 48_000;

/** Samples of the loudspeaker above this are sound: -80 dBFS. */
const SOUND_MIN = 1e-4;

/** Silence of the loudspeaker after which it has fallen silent, in seconds. */
const SILENT_SECONDS = 0.6;

/** Time after which a word that has not silenced the loudspeaker was not noticed, in seconds. */
const PATIENCE_SECONDS = 4;

/** PulseAudio's number for 0 dB. */
const FULL_VOLUME = 65_536;

/** Bytes of a frame of the air: three floats. */
const FRAME_BYTES = 12;

/**
 * PulseAudio's modules. A null sink is the air. Its channels, on one clock, are the loudspeaker, the microphone, and the
 * person alone. What the browser plays on the left is the loudspeaker, and what it plays on the right is the echo. A person
 * speaks on both of the other channels. `second` is another device that plays at the same place as the loudspeaker.
 */
const MODULES = [
  'module-null-sink sink_name=air rate=48000 format=float32le channels=3 channel_map=front-left,front-right,front-center norewinds=1',
  'module-remap-sink sink_name=loudspeaker master=air channels=2 channel_map=front-left,front-right master_channel_map=front-left,front-right remix=no',
  'module-remap-sink sink_name=second sink_properties=device.description=second master=air channels=2 channel_map=front-left,front-right master_channel_map=front-left,front-right remix=no',
  'module-remap-sink sink_name=person master=air channels=2 channel_map=front-left,front-right master_channel_map=front-right,front-center remix=no',
  'module-remap-source source_name=microphone master=air.monitor channels=1 channel_map=mono master_channel_map=front-right remix=no',
  'module-native-protocol-unix',
];

/** A word in the room, until the loudspeaker is silent. */
interface Watch {
  /** Frame of its first sample. */
  onset: number | null;
  readonly resolve: (seconds: number | null) => void;
}

/**
 * A room with a loudspeaker, a microphone that hears it, and a person who speaks into the microphone. All of it is in a sound
 * server of its own.
 */
export class Room {
  /** Environment of a browser in this room. */
  readonly env: Environment;
  readonly #programs: Program[] = [];
  readonly #folder: string;
  #frames = 0;
  #lastSound = -Infinity;
  #watch: Watch | null = null;
  #rest = Buffer.alloc(0);

  private constructor(folder: string) {
    this.#folder = folder;
    this.env = { ...ownEnvironment(), XDG_RUNTIME_DIR: folder, PULSE_CONFIG: join(folder, 'daemon.conf') };
  }

  /**
   * Starts the sound server.
   *
   * @param echoDb - Loudness of the loudspeaker at the microphone, in dB; -Infinity for headphones.
   */
  static async open(echoDb: number): Promise<Room> {
    const room = new Room(await mkdtemp(join(tmpdir(), 'svc-room-')));
    // Chromium opens its devices at the server's own rate.
    const rates = `default-sample-rate = ${ROOM_RATE}\nalternate-sample-rate = ${ROOM_RATE}\n`;
    await writeFile(room.env['PULSE_CONFIG']!, rates);
    const log = ['--log-target=stderr', '--log-level=info'];
    const load = MODULES.flatMap((module) => ['-L', module]);
    const server = room.#start('pulseaudio', ['--daemonize=no', '--exit-idle-time=-1', '-n', ...log, ...load]);
    await prints(server, server.stderr, /Daemon startup complete/);
    // PulseAudio's volumes are cubic.
    const echo = Math.round(FULL_VOLUME * 10 ** (echoDb / 60));
    const commands = [
      'set-default-sink loudspeaker',
      'set-default-source microphone',
      `set-sink-volume loudspeaker ${FULL_VOLUME} ${echo}`,
      `set-sink-volume second ${FULL_VOLUME} ${echo}`,
    ];
    for (const command of commands) execFileSync('pactl', command.split(' '), { env: { ...room.env } });
    const map = '--channel-map=front-left,front-right,front-center';
    const ear = room.#start('parec', ['-d', 'air.monitor', ...form(3), map, '--latency-msec=20']);
    ear.stdout.on('data', (chunk: Buffer) => room.#hear(chunk));
    return room;
  }

  /** True if the loudspeaker has played within the last 50 ms. */
  get isLoud(): boolean {
    return this.#frames - this.#lastSound < 0.05 * ROOM_RATE;
  }

  /** Seconds since the room was opened, on its own clock. */
  get now(): number {
    return this.#frames / ROOM_RATE;
  }

  /**
   * Speaks into the microphone.
   *
   * @param samples - At {@link ROOM_RATE}, in [-1, 1]; the first one is not 0.
   * @returns Seconds from the first sample at the microphone to the last sound of the loudspeaker; null if that goes on for
   *   four seconds.
   */
  say(samples: Float32Array): Promise<number | null> {
    const person = spawn('pacat', ['-d', 'person', ...form(2), '--latency-msec=50'], {
      env: { ...this.env },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const both = Float32Array.from({ length: 2 * samples.length }, (_, index) => samples[index >> 1]!);
    person.stdin.end(Buffer.from(both.buffer));
    return new Promise((resolve) => (this.#watch = { onset: null, resolve }));
  }

  /** Ends the sound server, and what still plays or records there. */
  async close(): Promise<void> {
    for (const program of this.#programs.toReversed()) await program.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #start(command: string, args: readonly string[]): Program {
    const program = startProgram(command, args, this.env);
    this.#programs.push(program);
    return program;
  }

  #hear(chunk: Buffer): void {
    const all = Buffer.concat([this.#rest, chunk]);
    const count = Math.floor(all.length / FRAME_BYTES);
    this.#rest = all.subarray(FRAME_BYTES * count);
    for (let i = 0; i < count; i++) {
      if (Math.abs(all.readFloatLE(FRAME_BYTES * i)) > SOUND_MIN) this.#lastSound = this.#frames + i;
      if (this.#watch && all.readFloatLE(FRAME_BYTES * i + 8) !== 0) this.#watch.onset ??= this.#frames + i;
    }
    this.#frames += count;
    this.#report();
  }

  #report(): void {
    const onset = this.#watch?.onset ?? null;
    if (!this.#watch || onset === null) return;
    const isSilent = this.#frames - Math.max(onset, this.#lastSound) > SILENT_SECONDS * ROOM_RATE;
    if (!isSilent && this.#frames - onset < PATIENCE_SECONDS * ROOM_RATE) return;
    this.#watch.resolve(isSilent ? (this.#lastSound - onset) / ROOM_RATE : null);
    this.#watch = null;
  }
}

function form(channels: number): string[] {
  return ['--raw', '--format=float32le', `--rate=${ROOM_RATE}`, `--channels=${channels}`];
}
