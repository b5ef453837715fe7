// Compiles core/delta/raw/kernel/, which is TypeScript in AssemblyScript's dialect, to WebAssembly.
import { existsSync, readFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const ENTRY = 'kernel.ts';
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --outFile kernel.wasm'.split(' ');
const FOLDER = new URL('../../core/delta/raw/kernel/', import.meta.url);
export const MODULE = new URL('../../core/delta/raw/kernel-wasm.ts', import.meta.url);

/** @returns the text of kernel-wasm.ts @throws Error with the compiler's messages */
export async function compileKernel(): Promise<string> {
  let binary: Uint8Array | undefined;
  const messages: string[] = [];
  const { error } = await asc.main([ENTRY, ...OPTIONS], {
    readFile: readSource,
    writeFile: (_name, contents) => {
      // Only text files would be strings.
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
    stderr: { write: (message) => void messages.push(String(message)) },
  });
  if (error !== null || binary === undefined)
    throw new Error(`The kernel does not compile\n${messages.join('')}`);
  return moduleText(Buffer.from(binary).toString('base64'));
}

/** The compiler asks for paths that end in .ts. */
function readSource(name: string): string | null {
  const source = new URL(name.replace(/\.ts$/, '.as'), FOLDER);
  return existsSync(source) ? readFileSync(source, 'utf8') : null;
}

function moduleText(base64: string): string {
  const lines = base64.match(/.{1,108}/g) ?? [];
  return [
    '// kernel/, compiled by `npm run kernel`; not to be edited. The base64 of a WebAssembly module.',
    '',
    'export const KERNEL = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}
