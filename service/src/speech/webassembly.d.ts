/** The part of WebAssembly that is used here: it is declared for browsers only, whose other names are kept out of Node's rooms. */
declare namespace WebAssembly {
  interface Module {
    readonly __brand: 'WebAssembly.Module';
  }
  const Module: new (bytes: Uint8Array) => Module;
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** @param pages - Of 64 KiB. */
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Instance: new (module: Module, imports: Record<string, Record<string, unknown>>) => Instance;
  function compile(bytes: Uint8Array): Promise<Module>;
}
