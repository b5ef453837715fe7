// Every tool of the MCP server, in the order in which clients see them.
import type { Tool } from './tool.ts';
import { checkSource } from './check-source.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { createSource } from './create-source.ts';
import { describeSnapshot } from './describe-snapshot.ts';
import { getDeltaRows } from './get-delta-rows.ts';
import { getDownloadLink } from './get-download-link.ts';
import { getLatestDelta } from './get-latest-delta.ts';
import { getRowHistory } from './get-row-history.ts';
import { getSnapshotRows } from './get-snapshot-rows.ts';
import { getSource } from './get-source.ts';
import { listDeltas } from './list-deltas.ts';
import { listSnapshots } from './list-snapshots.ts';
import { listSources } from './list-sources.ts';
import { querySnapshot } from './query-snapshot.ts';
import { summarizeChanges } from './summarize-changes.ts';
import { updateSource } from './update-source.ts';

export const TOOLS: readonly Tool[] = [
  listSources,
  getSource,
  summarizeChanges,
  listDeltas,
  getLatestDelta,
  getDeltaRows,
  compareSnapshots,
  getRowHistory,
  listSnapshots,
  describeSnapshot,
  querySnapshot,
  getSnapshotRows,
  getDownloadLink,
  checkSource,
  createSource,
  updateSource,
];
