// The programs that tests run as processes of their own.
import { fileURLToPath } from 'node:url';

const inCheckout = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** `code` is never called. `vitest --changed` follows its import to find the tests that a change of a program touches. */
export const PROGRAMS = {
  api: { path: inCheckout('api/main.ts'), code: () => import('../../../api/main.ts') },
  worker: { path: inCheckout('worker/main.ts'), code: () => import('../../../worker/main.ts') },
  cli: { path: inCheckout('cli/main.ts'), code: () => import('../../../cli/main.ts') },
} as const;
