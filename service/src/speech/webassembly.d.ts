/** Parts of WebAssembly that the service uses. TypeScript declares it only with browser APIs, which Node lacks. */
declare namespace WebAssembly {
  interface Module {
    readonly __brand: 'WebAssembly.Module';
  }
  const Module: new (bytes: Uint8Array) => Module;
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** @param pages - Number of pages, 64 KiB each. */
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Instance: new (module: Module, imports: Record<string, Record<string, unknown>>) => Instance;
  function compile(bytes: Uint8Array): Promise<Module>;
}
