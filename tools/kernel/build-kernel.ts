// `npm run kernel`: writes core/delta/raw/kernel-wasm.ts again.
import { writeFile } from 'node:fs/promises';
import { compileKernel, MODULE } from './compile-kernel.ts';

await writeFile(MODULE, await compileKernel());
