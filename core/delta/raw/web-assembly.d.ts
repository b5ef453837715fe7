// The WebAssembly types that load-kernel.ts uses. TypeScript has them only in its browser library.
declare namespace WebAssembly {
  interface Module {
    readonly __brand: 'module';
  }
  const Module: new (bytes: Uint8Array) => Module;
  interface Instance {
    readonly exports: object;
  }
  const Instance: new (module: Module) => Instance;
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** @param delta in pages of 64 KiB */
    grow: (delta: number) => number;
  }
}
