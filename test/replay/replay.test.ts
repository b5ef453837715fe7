// Recorded histories of every workflow still replay: a change that breaks one needs `patched`. It also guards
// the pin of protobufjs, without which reading a history fails (docs/architecture.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { installRuntime } from '../../worker/telemetry.ts';
import { sharedWorkflowBundle } from '../support/checks/workflow-bundle.ts';
import { WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { HISTORIES } from '../support/checks/keep-history.ts';

interface KeptHistory {
  workflowId: string;
  history: {
    events: {
      workflowExecutionStartedEventAttributes?: { workflowType: { name: string } };
      activityTaskCompletedEventAttributes?: { result?: { payloads: { data?: string }[] } };
    }[];
  };
}

const names = readdirSync(HISTORIES).toSorted();
const texts = new Map(names.map((name) => [name, readFileSync(join(HISTORIES, name), 'utf8')]));
let codePath: string;

installRuntime(pino({ level: 'silent' }));

beforeAll(async () => {
  codePath = await sharedWorkflowBundle();
}, 60_000);

function replay(text: string): Promise<void> {
  const { workflowId, history } = JSON.parse(text) as KeptHistory;
  return Worker.runReplayHistory({ workflowBundle: { codePath } }, historyFromJSON(history), workflowId);
}

describe('replay', () => {
  it.each(names)('%s', async (name) => {
    await replay(texts.get(name) ?? '');
  });

  it('regression: follows a history in which a worker of the version before did not upsert the error code', async () => {
    const { workflowId, history } = JSON.parse(
      texts.get('watchRecord-before-polls-checks-a-new-record-at-once-and-then-at-every-in.json') ?? '',
    ) as KeptHistory;
    let given = 0;
    for (const { activityTaskCompletedEventAttributes: completed } of history.events) {
      for (const payload of completed?.result?.payloads ?? []) {
        const text = Buffer.from(payload.data ?? '', 'base64').toString();
        if (!text.includes('"attributes":{')) continue;
        const result = JSON.parse(text) as { attributes: object };
        // The first attribute is upserted again, together with the new ones.
        given += 1;
        if (given === 1) continue;
        const attributes = { ...result.attributes, errorCode: 'http_error' };
        payload.data = Buffer.from(JSON.stringify({ ...result, attributes })).toString('base64');
      }
    }
    expect(given).toBeGreaterThan(2);
    await replay(JSON.stringify({ workflowId, history }));
  });

  it('covers every workflow type', () => {
    const types = [...texts.values()].map((text) => {
      const [first] = (JSON.parse(text) as KeptHistory).history.events;
      return first?.workflowExecutionStartedEventAttributes?.workflowType.name;
    });
    expect(new Set(types)).toEqual(new Set(Object.values(WORKFLOW_TYPES)));
  });

  it('fails for a history that the code does not follow', async () => {
    const text = [...texts.values()].find((candidate) => candidate.includes('"fetchSource"')) ?? '';
    await expect(replay(text.replaceAll('"fetchSource"', '"fetchOrigin"'))).rejects.toThrow(
      /nondeterminism|TMPRL1100/i,
    );
  });
});
