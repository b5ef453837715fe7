// Records workflow histories for test/replay: `npm run histories` sets RECORD_HISTORIES and runs the workflow tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestTemporal } from '../servers/temporal.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const HISTORIES = fileURLToPath(new URL('../../fixtures/histories', import.meta.url));

/** Writes the history of a finished run, by default the latest, under a name. Does nothing in ordinary test runs. */
export async function keepHistory(
  temporal: TestTemporal,
  workflowId: string,
  name: string,
  runId?: string,
): Promise<void> {
  if (process.env['RECORD_HISTORIES'] === undefined) return;
  const history = await temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
  mkdirSync(HISTORIES, { recursive: true });
  writeFileSync(
    `${HISTORIES}/${name}.json`,
    `${JSON.stringify({ workflowId, history: JSON.parse(historyToJSON(history).replaceAll(ROOT, '/app/')) as unknown })}\n`,
  );
}
