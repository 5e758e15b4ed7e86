import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { SpeechEngine } from '../../src/index.js';
import { createCommandEngine, type CommandOptions } from '../../src/speech/command-engine.js';
import { CommandLine } from '../../src/speech/command-line.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { ask, failsWith, keepsTheContract, speakAll } from './support/engine-contract.js';
import { medianPitch } from './support/median-pitch.js';

const NODE = JSON.stringify(process.execPath);

let folder: string;
let engine: SpeechEngine | null = null;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-command-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  await engine?.close();
  engine = null;
});

/**
 * Returns a command that runs a script with arguments. In the script, `text` is the text to speak, and `speak` writes
 * 10 ms of audio per character.
 */
function script(name: string, source: string, args = ''): string {
  const file = join(folder, `${name}.cjs`);
  const prelude = `const text = require('node:fs').readFileSync(0, 'utf8').trimEnd();
    const { appendFileSync } = require('node:fs');
    const args = process.argv.slice(2);
    const pcm = (words) => Buffer.from(Int16Array.from({ length: 240 * words.length }, (_, at) =>
      1000 + 50 * (words.charCodeAt(Math.floor(at / 240)) % 100)).buffer);
    const speak = () => process.stdout.write(pcm(text));\n`;
  writeFileSync(file, prelude + source);
  return `${NODE} ${JSON.stringify(file)} ${args}`;
}

async function start(command: string, options: Partial<CommandOptions> = {}): Promise<SpeechEngine> {
  engine = await createCommandEngine({ command, ...options });
  return engine;
}

/** Message of the error with which the engine fails to start; 'none' if it starts. */
async function startError(command: string, options: Partial<CommandOptions> = {}): Promise<string> {
  return start(command, options).then(
    () => 'none',
    (error: Error) => error.message,
  );
}

describe('createCommandEngine', () => {
  it('is down while its program is gone, though nobody speaks', async () => {
    const program = join(folder, 'program');
    const make = (): void => {
      writeFileSync(program, `#!${process.execPath}\nprocess.stdout.write(Buffer.alloc(480));`, { mode: 0o755 });
    };
    make();
    const clock = new ManualClock();
    const changes: unknown[] = [];
    await start(program, { clock, onAvailable: (...change) => void changes.push(change) });
    const pass = async (): Promise<void> => {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    assert.equal(engine!.available, true);
    rmSync(program);
    while (engine!.available) await pass();
    make();
    while (!engine!.available) await pass();
    assert.deepEqual(changes, [
      [false, 'The program program is gone.'],
      [true, null],
    ]);
  });

  describe('as any engine', () => {
    keepsTheContract(() => createCommandEngine({ command: script('contract', 'speak();') }));
  });

  it('gives the text on standard input, in one line, and never as an argument', async () => {
    const log = join(folder, 'seen');
    const command = script(
      'seen',
      `appendFileSync(args[0], JSON.stringify([text, args.slice(1)]) + '\\n'); speak();`,
      `${log} {voice}`,
    );
    await start(command, { voices: ['-x; rm {rate}'] });
    await speakAll(engine!, 'Hi $(ls) `id` "a"\n\0[[b]]');
    const seen = readFileSync(log, 'utf8').trim().split('\n').at(-1)!;
    assert.deepEqual(JSON.parse(seen), ['Hi $(ls) `id` "a" [ [b]]', ['-x; rm {rate}']]);
  });

  it('does not give the program the variables of the service, which hold keys', async () => {
    process.env.SVC_TEST_SECRET = 'secret';
    const log = join(folder, 'environment');
    try {
      await start(script('environment', `appendFileSync(args[0], JSON.stringify(process.env)); speak();`, log));
    } finally {
      delete process.env.SVC_TEST_SECRET;
    }
    assert.doesNotMatch(readFileSync(log, 'utf8'), /SVC_|secret/);
  });

  it('fills in pace and pitch, and has them in sampling only if the command does', async () => {
    const log = join(folder, 'filled');
    const all = '{rate} {rate_factor} {length_factor} {pitch} {pitch_factor}';
    await start(
      script('filled', `appendFileSync(args[0], args.slice(1).join(' ') + '\\n'); speak();`, `${log} ${all}`),
    );
    assert.deepEqual(Object.keys(engine!.sampling), ['rate', 'pitch']);
    await speakAll(engine!, 'Hi.', { sampling: { rate: 2, pitch: 0.7 } });
    await speakAll(engine!, 'Hi.', { sampling: { rate: 0.5, pitch: 1.6 } });
    assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n'), [
      '175 1 1 50 1',
      '350 2 0.5 7 0.7',
      '88 0.5 2 97 1.6',
    ]);
    await engine!.close();
    assert.deepEqual((await start(script('plain', 'speak();'))).sampling, {});
    assert.deepEqual(engine!.voices, [{ id: 'default', sampleRate: 24_000 }]);
  });

  for (const [what, command, expected] of [
    ['is not there', '/nowhere/speak --loud', /\/nowhere\/speak is not there .*SVC_SPEECH_COMMAND/],
    ['is none', '  ', /names no program .*SVC_SPEECH_COMMAND/],
    ['has an open quote', 'speak "a', /SVC_SPEECH_COMMAND/],
    ['has an unknown placeholder', 'speak {sound}', /\{sound\}.*\{voice\}.*SVC_SPEECH_COMMAND/],
    ['has voices that are not named', 'speak {voice}', /SVC_SPEECH_VOICES/],
  ] as const) {
    it(`says so when the command ${what}`, async () => {
      assert.match(await startError(command), expected);
    });
  }

  it('says so when the program fails, is silent, or writes something else, and repeats its complaint', async () => {
    assert.match(
      await startError(script('fails', `console.error('no such voice'); process.exit(3);`)),
      /code 3: no such voice .*COMMAND/,
    );
    assert.match(await startError(script('silent', '')), /no audio .*COMMAND/);
    assert.match(await startError(script('other', `process.stdout.write('<!DOCTYPE html>');`)), /PCM or WAV.*COMMAND/);
  });

  it('says so when the program does not answer', async () => {
    const clock = new ManualClock();
    const message = startError(script('hangs', 'setInterval(() => {}, 1000);'), { clock, stallMs: 500 });
    clock.advance(500);
    assert.match(await message, /more than 500 ms .*COMMAND/);
  });

  it('fails at text at which the program does, without a word of it, and speaks again', async () => {
    await start(script('picky', `if (text.includes('bad')) { console.error(text); process.exit(1); } speak();`));
    await assert.rejects(speakAll(engine!, 'This is bad.'), (error: Error) => {
      assert.ok(failsWith('engine-failed')(error));
      assert.doesNotMatch(error.message, /bad/);
      return true;
    });
    assert.ok((await speakAll(engine!, 'This is good.')).length > 0);
  });

  it('delivers what the program writes before it has ended, and ends it, and what it started, when that is not wanted', async () => {
    const log = join(folder, 'pids');
    // A program with a child that keeps its output open: both must end.
    const source = `if (text === 'Hello.') speak(); else {
      const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });
      appendFileSync(args[0], process.pid + ' ' + child.pid); speak(); setInterval(() => {}, 1000); }`;
    await start(script('endless', source, log));
    const stop = new AbortController();
    const speech = engine!.speak(ask(engine!, 'On and on.'), stop.signal)[Symbol.asyncIterator]();
    assert.ok((await speech.next()).value!.length > 0);
    stop.abort(new Error('enough'));
    await assert.rejects(speech.next(), /enough/);
    await engine!.close(); // resolves when the program has ended
    const pids = readFileSync(log, 'utf8').split(' ').map(Number);
    assert.equal(pids.length, 2);
    // The child is an orphan. It may remain a zombie until its new parent reaps it, but it no longer runs.
    for (const pid of pids) await eventually(`process ${pid} is gone`, () => !isRunning(pid));
  });

  it('fails if the program takes too long', async () => {
    let limitSet = (): void => {};
    const clock = new (class extends ManualClock {
      override after(delayMs: number, run: () => void): () => void {
        if (delayMs === 800) setImmediate(limitSet);
        return super.after(delayMs, run);
      }
    })();
    const command = script('slow', `if (text === 'Hello.') speak(); else setInterval(() => {}, 1000);`);
    await start(command, { clock, timeLimitMs: 800 });
    const isSet = new Promise<void>((resolve) => {
      limitSet = resolve;
    });
    const failed = assert.rejects(speakAll(engine!, 'Something else.'), failsWith('took-too-long'));
    await isSet;
    clock.advance(800);
    await failed;
  });

  it('runs at most `concurrency` programs at a time', async () => {
    const log = join(folder, 'running');
    const source = `appendFileSync(args[0], '+'); speak(); process.on('exit', () => appendFileSync(args[0], '-'));`;
    await start(script('running', source, log), { concurrency: 2 });
    await Promise.all(Array.from({ length: 6 }, () => speakAll(engine!, 'Hi.')));
    let running = 0;
    for (const sign of readFileSync(log, 'utf8')) {
      running += sign === '+' ? 1 : -1;
      assert.ok(running <= 2);
    }
  });
});

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

describe('CommandLine', () => {
  it('splits words as a shell does, and fills placeholders within them', () => {
    const line = new CommandLine(`say  "a b" 'c "d"' e\\ f --voice={voice} ''`);
    assert.equal(line.program, 'say');
    assert.deepEqual(line.args({ voice: 'x y', rate: 1, pitch: 1 }), ['a b', 'c "d"', 'e f', '--voice=x y', '']);
    assert.deepEqual([line.depends('voice'), line.depends('rate')], [true, false]);
  });
});

const found = spawnSync('espeak-ng', ['--version']).status === 0;
if (!found) console.error('SKIPPED: the tests of espeak-ng, which is not installed (apt-get install espeak-ng).');

describe('espeak-ng as a command', { skip: !found && 'espeak-ng is not installed' }, () => {
  const COMMAND = 'espeak-ng --stdout -v {voice} -s {rate} -p {pitch}';
  const TEXT = 'My mother will allow me a lemon now.';

  describe('as any engine', () => {
    keepsTheContract(() => createCommandEngine({ command: COMMAND }));
  });

  it('is found to speak at 22050 Hz, in voices of several languages', async () => {
    await start(COMMAND);
    assert.deepEqual(engine!.voices.slice(0, 2), [
      { id: 'en-us', sampleRate: 22_050 },
      { id: 'en-gb', sampleRate: 22_050 },
    ]);
    const german = engine!.voices.find(({ id }) => id === 'de')!;
    assert.notDeepEqual(await speakAll(engine!, 'Zug 5.', { voice: german }), await speakAll(engine!, 'Zug 5.'));
    // German text is not normalised: its numbers are not written out in English.
    assert.deepEqual(
      await speakAll(engine!, 'Zug 5.', { voice: german }),
      await speakAll(engine!, 'Zug 5.', { voice: german, normalizeText: false }),
    );
  });

  it('speaks faster and higher by sampling', async () => {
    await start(COMMAND);
    const rate = engine!.voices[0]!.sampleRate;
    const usual = await speakAll(engine!, TEXT);
    for (const factor of [0.7, 1.5]) {
      const paced = await speakAll(engine!, TEXT, { sampling: { rate: factor } });
      const ratio = usual.length / paced.length;
      assert.ok(Math.abs(ratio / factor - 1) < 0.15, `pace ${ratio} for ${factor}`);
      const pitched = await speakAll(engine!, TEXT, { sampling: { pitch: factor } });
      const pitch = medianPitch(pitched, rate) / medianPitch(usual, rate);
      assert.ok(Math.abs(pitch / factor - 1) < 0.12, `pitch ${pitch} for ${factor}`);
    }
  });

  it('refuses to start with an unknown voice, instead of speaking silence', async () => {
    await start('espeak-ng --stdout -v {voice}', { voices: ['nobody-has-this-voice'] }).then(
      () => assert.fail('it started'),
      (error: Error) => assert.match(error.message, /SVC_SPEECH_COMMAND/),
    );
  });
});
