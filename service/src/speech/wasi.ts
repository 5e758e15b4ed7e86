/** Numbers of WASI (preview 1) that are needed here. */
const SUCCESS = 0;
const BAD_FILE = 8;
const TOO_LARGE = 22;
const FOLDER = 3;
const OUTPUT = 4;
const FOLDER_TYPE = 3;
const FILE_TYPE = 4;
const IOVEC_BYTES = 8;

/** Most bytes of the output file: several minutes of speech, far more than one piece of text makes. */
const OUTPUT_BYTES_MAX = 16 * 2 ** 20;

/** What a program threw to end itself. */
export class ProgramExit extends Error {
  override readonly name = 'ProgramExit';
  readonly code: number;

  constructor(code: number) {
    super(`The program ended with code ${code}`);
    this.code = code;
  }
}

/**
 * As much of a system as a program needs that reads its arguments and writes one file: a folder with one file in it, in
 * memory, whatever name it is opened by. Standard input is empty, standard output and errors are dropped, the clock
 * stands still, so that a program does the same each time. Synchronous; any thread.
 *
 * @param memory - The program's memory; called anew each time, since growing replaces its buffer.
 */
export class MemoryWasi {
  /** Arguments of the next run, with the program's name first. */
  args: readonly Uint8Array[] = [];
  readonly #memory: () => WebAssembly.Memory;
  #output = new Uint8Array(2 ** 18);
  #length = 0;
  #position = 0;

  constructor(memory: () => WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** What was written to the file since the last `reset`; valid until the next one. */
  get output(): Uint8Array {
    return this.#output.subarray(0, this.#length);
  }

  reset(): void {
    this.#length = this.#position = 0;
  }

  /** The functions that the program imports. */
  readonly imports = {
    args_sizes_get: (count: number, bytes: number): number => {
      this.#view.setUint32(count, this.args.length, true);
      this.#view.setUint32(
        bytes,
        this.args.reduce((sum, arg) => sum + arg.length + 1, 0),
        true,
      );
      return SUCCESS;
    },
    args_get: (pointers: number, bytes: number): number => {
      let at = bytes;
      this.args.forEach((arg, index) => {
        this.#view.setUint32(pointers + 4 * index, at, true);
        this.#bytes.set(arg, at);
        this.#bytes[at + arg.length] = 0;
        at += arg.length + 1;
      });
      return SUCCESS;
    },
    clock_time_get: (_id: number, _precision: bigint, result: number): number => {
      this.#view.setBigUint64(result, 0n, true);
      return SUCCESS;
    },
    fd_prestat_get: (file: number, result: number): number => {
      if (file !== FOLDER) return BAD_FILE;
      this.#view.setUint32(result, 0, true);
      this.#view.setUint32(result + 4, 1, true); // length of the folder's name
      return SUCCESS;
    },
    fd_prestat_dir_name: (_file: number, name: number): number => {
      this.#bytes[name] = 47; // "/"
      return SUCCESS;
    },
    fd_fdstat_get: (file: number, result: number): number => {
      this.#bytes.fill(0, result, result + 24);
      this.#view.setUint8(result, file === FOLDER ? FOLDER_TYPE : FILE_TYPE);
      this.#bytes.fill(0xff, result + 8, result + 24); // every right
      return SUCCESS;
    },
    fd_fdstat_set_flags: (): number => SUCCESS,
    path_open: (...args: unknown[]): number => {
      this.#position = 0;
      this.#view.setUint32(args[8] as number, OUTPUT, true);
      return SUCCESS;
    },
    fd_read: (_file: number, _vectors: number, _count: number, result: number): number => {
      this.#view.setUint32(result, 0, true);
      return SUCCESS;
    },
    fd_write: (file: number, vectors: number, count: number, result: number): number => {
      let written = 0;
      for (let at = vectors; at < vectors + count * IOVEC_BYTES; at += IOVEC_BYTES) {
        const from = this.#view.getUint32(at, true);
        const length = this.#view.getUint32(at + 4, true);
        if (file === OUTPUT && !this.#append(this.#bytes.subarray(from, from + length))) return TOO_LARGE;
        written += length;
      }
      this.#view.setUint32(result, written, true);
      return SUCCESS;
    },
    fd_seek: (_file: number, offset: bigint, whence: number, result: number): number => {
      this.#position = Number(offset) + [0, this.#position, this.#length][whence]!;
      this.#view.setBigUint64(result, BigInt(this.#position), true);
      return SUCCESS;
    },
    fd_close: (): number => SUCCESS,
    proc_exit: (code: number): never => {
      throw new ProgramExit(code);
    },
  };

  #append(bytes: Uint8Array): boolean {
    const end = this.#position + bytes.length;
    if (end > OUTPUT_BYTES_MAX) return false;
    if (end > this.#output.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(end)));
      larger.set(this.#output);
      this.#output = larger;
    }
    this.#output.set(bytes, this.#position);
    this.#position = end;
    this.#length = Math.max(this.#length, end);
    return true;
  }

  get #view(): DataView {
    return new DataView(this.#memory().buffer);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#memory().buffer);
  }
}
