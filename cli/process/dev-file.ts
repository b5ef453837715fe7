// Writes .recordwatch/dev.json, in which scripts find the running system.
import { rmSync } from 'node:fs';
import { writeWhole } from './write-whole.ts';

export interface DevFile {
  baseUrl: string;
  dashboardUrl: string | null;
  /** A `full` key of the demonstration account. */
  apiKey: string;
  accountId: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  /** Null when no UI of ours runs: the Temporal server is somebody else’s, or a cluster’s, which has none. */
  temporalUiUrl: string | null;
  /** Null when Temporal keeps its data elsewhere than in a PostgreSQL of ours. */
  temporalDatabaseUrl: string | null;
  /** BLOB_STORE of its processes, with the key of a cluster's S3 server. */
  blobStore: string;
  demo: { originUrl: string; sourceId: string };
  /** Process ids by name; `runner` is the one to signal. */
  pids: Record<string, number>;
}

/** Writes the file, readable by the owner alone, until it is disposed. */
export function writeDevFile(path: string, content: DevFile): Disposable {
  writeWhole(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}
