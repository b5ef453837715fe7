// What the tools of delta events say of a history whose older part is deleted.
import { expect, it } from 'vitest';
import { commitUnchangedCheck } from '../../../../db/commit/checks.ts';
import { pruneRecords } from '../../../../db/upkeep/retention.ts';
import { checkFacts } from '../../../db/factories.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { callTool } from '../caller.ts';

const api = useApi();

it('regression: does not say that nothing has ever changed after the change is deleted', async () => {
  const source = await createTestRecord(api.db, api.accountId);
  for (const price of ['1', '2']) await commitRows(api.db, source, { a: `{"id":"a","price":"${price}"}` });
  const validators = { urlHash: 'hash', etag: null, lastModified: null };
  await commitUnchangedCheck(api.db, checkFacts(source), validators);
  await api
    .db('delta_events')
    .where({ recordId: source })
    .update({ detectedAt: new Date(Date.now() - 40 * 86_400_000) });
  await pruneRecords(api.db, [source], 30, 100);
  expect((await callTool(api, 'list_deltas', { source })).value.events).toEqual([]);
  const { isError, text } = await callTool(api, 'get_delta_rows', { source });
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining('No event with changes is stored. Older events may be deleted'),
  ]);
});
