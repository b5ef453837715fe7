// An example of each event that a webhook may get, with ids of nothing that exists: for test deliveries and `recordwatch trigger`.
import type { BodyContent, WebhookEventType } from './deliveries.ts';
import { rowsUrl } from './delivery-payload.ts';
import type { IdKind } from './ids.ts';

export interface ExampleFacts {
  recordId: string;
  include: BodyContent;
  baseUrl: string;
  nowMs: number;
  newId: (kind: IdKind) => string;
}

/** Members of a body. All but `isTest` are those of core/delivery-payload.ts and db/webhooks/new-deliveries.ts. */
export function exampleEvent(
  eventType: WebhookEventType,
  facts: ExampleFacts,
): { isTest: true } & Record<string, unknown> {
  return { isTest: true, ...EXAMPLES[eventType](facts) };
}

const timeOf = ({ nowMs }: ExampleFacts): string => new Date(nowMs).toISOString();

const exampleRow = (id: string, before: string | null, after: string | null) => ({
  key: id,
  changeType: before === null ? 'new' : after === null ? 'deleted' : 'changed',
  before: before === null ? null : { id, price: before },
  after: after === null ? null : { id, price: after },
  changedFields: before === null || after === null ? [] : ['price'],
});

const EXAMPLE_ROWS = [
  exampleRow('example-1', null, '10'),
  exampleRow('example-2', '10', '11'),
  exampleRow('example-3', '20', '18'),
  exampleRow('example-4', '10', null),
];

const EXAMPLES: Readonly<Record<WebhookEventType, (example: ExampleFacts) => Record<string, unknown>>> = {
  delta: (example) => {
    const deltaEventId = example.newId('deltaEvent');
    const hasRows = example.include === 'rows';
    return {
      deltaEventId,
      snapshotId: example.newId('snapshot'),
      detectedAt: timeOf(example),
      summary: { newCount: 1, changedCount: 2, deletedCount: 1, unchangedCount: 97, totalCount: 100 },
      newKeys: ['example-1'],
      changedKeys: ['example-2', 'example-3'],
      deletedKeys: ['example-4'],
      ...(hasRows && { changedColumns: [{ field: 'price', rows: 2 }] }),
      truncated: {
        newKeys: false,
        changedKeys: false,
        deletedKeys: false,
        ...(hasRows && { rows: false, changedColumns: false }),
      },
      rowsUrl: rowsUrl(example.baseUrl, example.recordId, deltaEventId),
      ...(hasRows && { rows: EXAMPLE_ROWS }),
    };
  },
  'check.failed': (example) => ({
    checkId: example.newId('check'),
    failingSince: timeOf(example),
    error: { code: 'http_error', detail: 'The origin answered with an error status. It was 503.' },
  }),
  'check.recovered': (example) => ({ checkId: example.newId('check'), failingSince: timeOf(example) }),
  'check.held': (example) => ({
    checkId: example.newId('check'),
    error: {
      code: 'sharp_drop',
      detail: 'Far fewer rows than last time; waiting for a second check to confirm.',
    },
  }),
  'record.quiet': (example) => ({
    snapshotId: example.newId('snapshot'),
    unchangedSince: new Date(example.nowMs - 24 * 3_600_000).toISOString(),
    checkedAt: timeOf(example),
    quietHours: 24,
  }),
  'schema.changed': (example) => ({
    checkId: example.newId('check'),
    snapshotId: example.newId('snapshot'),
    schemaChange: { added: ['example_column'], removed: [], renamed: [], schemaOnlyCount: 97 },
  }),
  'webhook.disabled': (example) => ({
    disabledWebhookId: example.newId('webhook'),
    disabledAt: timeOf(example),
    disabledReason: 'The endpoint answered 410 Gone.',
  }),
};
