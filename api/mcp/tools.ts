// Every tool of the MCP server, in the order in which clients see them.
import type { Tool } from './tool.ts';
import { checkSource } from './tools/check-source.ts';
import { compareSnapshots } from './tools/compare-snapshots.ts';
import { createSource } from './tools/create-source.ts';
import { describeSnapshot } from './tools/describe-snapshot.ts';
import { getDeltaRows } from './tools/get-delta-rows.ts';
import { getDownloadLink } from './tools/get-download-link.ts';
import { getLatestDelta } from './tools/get-latest-delta.ts';
import { getRowHistory } from './tools/get-row-history.ts';
import { getSnapshotRows } from './tools/get-snapshot-rows.ts';
import { getSource } from './tools/get-source.ts';
import { listDeltas } from './tools/list-deltas.ts';
import { listSnapshots } from './tools/list-snapshots.ts';
import { listSources } from './tools/list-sources.ts';
import { querySnapshot } from './tools/query-snapshot.ts';
import { summarizeChanges } from './tools/summarize-changes.ts';
import { updateSource } from './tools/update-source.ts';

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
