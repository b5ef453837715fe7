// Every tool of the MCP server, in the order in which clients see them.
import type { Tool } from './tool.ts';
import { checkSource, createSource, getSource, listSources, updateSource } from './sources.ts';
import {
  compareSnapshotsTool,
  describeSnapshot,
  getDownloadLink,
  listSnapshotsTool,
  querySnapshotTool,
} from './snapshots.ts';
import { getDeltaRows, getLatestDelta, listDeltas } from './deltas.ts';
import { getRowHistoryTool, getSnapshotRows } from './rows.ts';
import { summarizeChanges } from './summarize-changes.ts';

export const TOOLS: readonly Tool[] = [
  listSources,
  getSource,
  summarizeChanges,
  listDeltas,
  getLatestDelta,
  getDeltaRows,
  compareSnapshotsTool,
  getRowHistoryTool,
  listSnapshotsTool,
  describeSnapshot,
  querySnapshotTool,
  getSnapshotRows,
  getDownloadLink,
  checkSource,
  createSource,
  updateSource,
];
