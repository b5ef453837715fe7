// The servers of a cluster that Recordwatch does not bring itself, built once from pinned Go modules.
import { fileURLToPath } from 'node:url';
import type { GoProgram } from '../programs/build.ts';
import { obtainProgram, type ProgramOptions } from '../programs/obtain.ts';

const moduleFolder = (name: string): string => fileURLToPath(new URL(`../../tools/${name}`, import.meta.url));

/** tools/temporal-server/go.mod requires the same. */
export const TEMPORAL_SERVER_VERSION = '1.32.2';

const PROGRAMS = {
  'temporal-server': {
    name: 'temporal-server',
    version: TEMPORAL_SERVER_VERSION,
    moduleFolder: moduleFolder('temporal-server'),
    package: 'go.temporal.io/server/cmd/server',
  },
  'temporal-sql-tool': {
    name: 'temporal-sql-tool',
    version: TEMPORAL_SERVER_VERSION,
    moduleFolder: moduleFolder('temporal-server'),
    package: 'go.temporal.io/server/cmd/tools/sql',
  },
  caddy: {
    name: 'caddy',
    version: '2.11.9',
    moduleFolder: moduleFolder('caddy'),
    package: 'github.com/caddyserver/caddy/v2/cmd/caddy',
  },
  versitygw: {
    name: 'versitygw',
    version: '1.8.0',
    moduleFolder: moduleFolder('versitygw'),
    package: 'github.com/versity/versitygw/cmd/versitygw',
  },
} as const satisfies Record<string, GoProgram>;

/** @returns its path. @throws Error that says to install Go when there is none */
export async function clusterProgram(name: keyof typeof PROGRAMS, options: ProgramOptions): Promise<string> {
  try {
    return await obtainProgram(PROGRAMS[name], options);
  } catch (error) {
    options.signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${name} could not be built (${why}). Install Go 1.24 or newer (https://go.dev/dl), which builds it in some minutes.`,
      { cause: error },
    );
  }
}
