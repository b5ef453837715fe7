// What the body of a test delivery says beside what every body says: as an event of that type would, with ids that name
// nothing.
import { rowsUrl } from '../../core/delivery-payload.ts';
import type { IdKind } from '../../core/ids.ts';
import type { WebhookEventType } from '../../core/deliveries.ts';
import type { Context } from '../contract/context.ts';
import { newId } from '../contract/new-id.ts';

interface Example {
  recordId: string;
  baseUrl: string;
  nowMs: number;
}

/** Members of a body; all but `isTest` are those of core/delivery-payload.ts and db/webhooks/new-deliveries.ts. */
export function exampleEventData(
  eventType: WebhookEventType,
  recordId: string,
  { clock, config }: Pick<Context, 'clock' | 'config'>,
): { isTest: true } & Record<string, unknown> {
  const example = { recordId, baseUrl: config.baseUrl, nowMs: clock() };
  return { isTest: true, ...EXAMPLES[eventType](example) };
}

const idOf = (kind: IdKind, { nowMs }: Example): string => newId(kind, nowMs);
const timeOf = ({ nowMs }: Example): string => new Date(nowMs).toISOString();

const EXAMPLES: Readonly<Record<WebhookEventType, (example: Example) => Record<string, unknown>>> = {
  delta: (example) => {
    const deltaEventId = idOf('deltaEvent', example);
    return {
      deltaEventId,
      snapshotId: idOf('snapshot', example),
      detectedAt: timeOf(example),
      summary: { newCount: 1, changedCount: 2, deletedCount: 1, unchangedCount: 97, totalCount: 100 },
      newKeys: ['example-1'],
      changedKeys: ['example-2', 'example-3'],
      deletedKeys: ['example-4'],
      truncated: { newKeys: false, changedKeys: false, deletedKeys: false },
      rowsUrl: rowsUrl(example.baseUrl, example.recordId, deltaEventId),
    };
  },
  'check.failed': (example) => ({
    checkId: idOf('check', example),
    failingSince: timeOf(example),
    error: { code: 'http_error', detail: 'The origin answered with an error status. It was 503.' },
  }),
  'check.recovered': (example) => ({ checkId: idOf('check', example), failingSince: timeOf(example) }),
  'schema.changed': (example) => ({
    checkId: idOf('check', example),
    snapshotId: idOf('snapshot', example),
    schemaChange: { added: ['example_column'], removed: [], renamed: [], schemaOnlyCount: 97 },
  }),
  'webhook.disabled': (example) => ({
    disabledWebhookId: idOf('webhook', example),
    disabledAt: timeOf(example),
    disabledReason: 'The endpoint answered 410 Gone.',
  }),
};
