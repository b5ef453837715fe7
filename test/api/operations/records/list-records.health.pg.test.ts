// Each active record that was checked has one health, whatever its latest checks were.
import { expect, it } from 'vitest';
import { commitProblemCheck } from '../../../../db/commit/checks.ts';
import { checkFacts } from '../../../db/factories.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { makeHeldCheck } from '../../../support/rows/new-held-check.ts';

const api = useApi();

/** A record, its held check if `isHeld`, and a check that fails after that if there is a trigger. */
async function makeRecord(trigger: 'schedule' | 'settings' | null, isHeld: boolean): Promise<string> {
  const id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, { a: '{"id":"a"}', b: '{"id":"b"}' });
  if (isHeld) await makeHeldCheck(api.db, id);
  const problem = { code: 'missing_key_field', detail: 'It has no such field.' } as const;
  if (trigger !== null) await commitProblemCheck(api.db, 'failed', checkFacts(id, { trigger }), problem);
  return id;
}

const idsOf = async (query: string): Promise<string[]> => {
  const { body } = await api.call('GET', `/v1/sources?${query}`);
  return body.sources.map(({ id }: { id: string }) => id);
};

it('regression: a record whose stored body cannot be read under other settings has a health too', async () => {
  const failing = await makeRecord('schedule', false);
  const failingHeld = await makeRecord('schedule', true);
  const rejectedRule = await makeRecord('settings', false);
  const held = await makeRecord(null, true);
  const heldAndRejectedRule = await makeRecord('settings', true);
  const healthy = await makeRecord(null, false);
  const { body } = await api.call('GET', '/v1/sources?counts=true');
  expect(body.counts).toEqual({ all: 6, failing: 3, held: 2, healthy: 1, paused: 0 });
  expect(await idsOf('health=failing&order=asc')).toEqual([failing, failingHeld, rejectedRule]);
  expect(await idsOf('health=held&order=asc')).toEqual([held, heldAndRejectedRule]);
  expect(await idsOf('health=healthy')).toEqual([healthy]);
  const byHealth = [rejectedRule, failingHeld, failing, heldAndRejectedRule, held, healthy];
  expect(await idsOf('sort=health')).toEqual(byHealth);
});
