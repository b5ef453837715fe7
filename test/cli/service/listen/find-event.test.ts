// The event that `listen --replay` sends again: of the records that were named, and of no other.
import { expect, it } from 'vitest';
import { findEvent } from '../../../../cli/service/listen/find-event.ts';
import { openClient } from '../../../../cli/service/calls/open-client.ts';
import { makeId } from '../../../../core/ids.ts';
import { startHostileService } from '../hostile-service.ts';

const id = makeId('deltaEvent', 0, '0'.repeat(20));
const event = { cursor: 'two', type: 'delta', sourceId: 'src_2', deltaEventId: id };

async function find(sourceIds: readonly string[]): Promise<unknown> {
  const page = { events: [event], hasMore: false, nextCursor: 'two' };
  const { RECORDWATCH_URL: url = '' } = await startHostileService({ '/events': [page] });
  return findEvent(openClient({ url }), id, sourceIds);
}

it.each([[[]], [['src_2']], [['src_1', 'src_2']]])('is found among the records %j', async (sourceIds) => {
  expect(await find(sourceIds)).toEqual(event);
});

it('regression: is not found when it is of another record than those that were named', async () => {
  await expect(find(['src_1', 'src_3'])).rejects.toThrow(`There is no event ${id}.`);
});
