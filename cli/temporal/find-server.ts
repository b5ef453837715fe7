// Finds the Temporal server for one machine: on PATH, in the cache, from the vendor, or built from source, in this order.
import { fileURLToPath } from 'node:url';
import type { GoProgram, ObtainOptions } from '../programs/build.ts';
import { obtainProgram } from '../programs/obtain.ts';
import { programsOnPath } from '../programs/on-path.ts';
import { downloadServer } from './download.ts';
import { askVersion, isAccepted, OLDEST_ACCEPTED_VERSION, TEMPORAL_VERSION } from './release.ts';

export interface FoundServer {
  path: string;
  version: string;
}

export interface FindOptions {
  /** Called with each new state. */
  report?: (text: string) => void;
  signal?: AbortSignal | undefined;
  /** Default: the user's. */
  cache?: string;
  /** Folder of go.mod and go.sum. */
  moduleFolder?: string;
  /** Where the vendor's releases are. */
  downloadOrigin?: string;
}

const PROGRAM: GoProgram = {
  name: 'temporal',
  version: TEMPORAL_VERSION,
  moduleFolder: fileURLToPath(new URL('../../tools/temporal', import.meta.url)),
  package: 'github.com/temporalio/cli/cmd/temporal',
  linkFlags: `-X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_VERSION}`,
};

/**
 * Finds a server, and makes one when there is none yet. Processes that need it at once wait for the first.
 * Not called when TEMPORAL_ADDRESS is set.
 * @throws Error that says what to install when every way fails
 */
export async function findTemporalServer(options: FindOptions = {}): Promise<FoundServer> {
  const { report = () => undefined, signal, cache, downloadOrigin } = options;
  const onPath = await findOnPath(report);
  if (onPath !== undefined) return onPath;
  const program = { ...PROGRAM, moduleFolder: options.moduleFolder ?? PROGRAM.moduleFolder };
  const download = (obtain: ObtainOptions) => downloadServer(obtain, downloadOrigin);
  const sources = [['download', download]] as const;
  try {
    const path = await obtainProgram(program, { report, signal, cache, sources });
    return { path, version: TEMPORAL_VERSION };
  } catch (error) {
    throw error instanceof AggregateError ? new Error(nothingWorked(error.errors), { cause: error }) : error;
  }
}

async function findOnPath(report: (text: string) => void): Promise<FoundServer | undefined> {
  for (const path of programsOnPath('temporal')) {
    const version = await askVersion(path);
    if (version !== undefined && isAccepted(version)) return { path, version };
    report(
      `${path} is passed over: version ${version ?? 'unknown'}, wanted ${OLDEST_ACCEPTED_VERSION} or newer`,
    );
  }
  return undefined;
}

function nothingWorked(failures: readonly Error[]): string {
  return [
    'There is no Temporal server and none could be made:',
    ...failures.map(({ message }) => `  ${message.replaceAll('\n', '\n    ')}`),
    'Do one of these and start again:',
    `  - install the Temporal CLI ${OLDEST_ACCEPTED_VERSION} or newer: brew install temporal, or https://docs.temporal.io/cli/setup-cli`,
    '  - install Go 1.24 or newer (https://go.dev/dl), which builds it from source in some minutes',
    '  - set TEMPORAL_ADDRESS to the host:port of a Temporal server that runs already',
  ].join('\n');
}
