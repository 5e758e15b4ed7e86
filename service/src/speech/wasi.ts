/** Constants of WASI (preview 1). */
const SUCCESS = 0;
const BAD_FILE = 8;
const NO_ENTRY = 44;
const FOLDER = 3;
const FOLDER_TYPE = 3;
const FILE_TYPE = 4;
const IOVEC_BYTES = 8;

/** Exception with which a program ends itself. */
export class ProgramExit extends Error {
  override readonly name = 'ProgramExit';
  readonly code: number;

  constructor(code: number) {
    super(`The program ended with code ${code}`);
    this.code = code;
  }
}

/**
 * The part of WASI that flite needs to read its arguments and play sound: an empty folder and an audio device. Standard
 * input is empty, standard output and standard error are dropped, and the clock stands still, so that every run is the
 * same. Synchronous; any thread.
 */
export class MemoryWasi {
  /** Arguments of the next run, with the program's name first. */
  args: readonly Uint8Array[] = [];
  /** Receives samples that are played, in the program's memory and valid during the call only, and their rate in Hz. */
  onSamples: (samples: Int16Array, sampleRate: number) => void = () => {};
  readonly #memory: () => WebAssembly.Memory;

  /** @param memory - Returns the program's memory; called each time, because growing replaces its buffer. */
  constructor(memory: () => WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** Functions that the program imports. */
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
    /**
     * Also flite's audio device (see `loadFlite`). Its arguments are then the address of the device, the address of the
     * samples, and their size in bytes.
     */
    fd_prestat_dir_name: (file: number, address: number, bytes: number): number => {
      if (file === FOLDER) {
        this.#bytes[address] = 47; // "/"
        return SUCCESS;
      }
      const sampleRate = this.#view.getUint32(file, true); // the first member of a device
      this.onSamples(new Int16Array(this.#memory().buffer, address, bytes / 2), sampleRate);
      return bytes;
    },
    fd_fdstat_get: (file: number, result: number): number => {
      this.#bytes.fill(0, result, result + 24);
      this.#view.setUint8(result, file === FOLDER ? FOLDER_TYPE : FILE_TYPE);
      this.#bytes.fill(0xff, result + 8, result + 24); // every right
      return SUCCESS;
    },
    fd_fdstat_set_flags: (): number => SUCCESS,
    path_open: (): number => NO_ENTRY,
    fd_read: (_file: number, _vectors: number, _count: number, result: number): number => {
      this.#view.setUint32(result, 0, true);
      return SUCCESS;
    },
    fd_write: (_file: number, vectors: number, count: number, result: number): number => {
      let written = 0;
      for (let at = vectors; at < vectors + count * IOVEC_BYTES; at += IOVEC_BYTES) {
        written += this.#view.getUint32(at + 4, true);
      }
      this.#view.setUint32(result, written, true);
      return SUCCESS;
    },
    fd_seek: (): number => BAD_FILE,
    fd_close: (): number => SUCCESS,
    proc_exit: (code: number): never => {
      throw new ProgramExit(code);
    },
  };

  get #view(): DataView {
    return new DataView(this.#memory().buffer);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#memory().buffer);
  }
}
