// A held body that somebody has accepted, while a check is under way that ends as held too.
import { describe, expect, it } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, decide, get, lastCheck, latest, makeRecord, origin, plan, settle } = useWatchedRecords();

const many = (count: number): string =>
  `id,name\n${Array.from({ length: count }, (_, at) => `${at},row ${at}\n`).join('')}`;
const twice = (row: number): string => `${many(40)}${row},again\n`;

describe('an accepted body', () => {
  it.each([
    {
      reason: 'sharp_drop',
      accepted: many(10),
      next: many(15),
      committed: { deletedCount: 30, totalCount: 10 },
    },
    {
      reason: 'key_repeated',
      accepted: twice(7),
      next: twice(8),
      committed: { rekeyed: true, totalCount: 41 },
    },
  ])('regression: is committed although another one is held meanwhile: $reason', async (held) => {
    const { id, serve } = await makeRecord(many(40));
    serve(held.accepted);
    await bench().check(id);
    const { heldCheckId, heldSha256 } = await get(id);
    expect(await lastCheck(id)).toMatchObject({ id: heldCheckId, outcome: 'held', code: held.reason });
    expect(await decide(id, 'accepted')).toBe(true);

    serve(held.next);
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({ outcome: 'held', code: held.reason });
    expect(await get(id)).toMatchObject({ heldCheckId, heldSha256, isHeldAccepted: true });
    expect(await plan(id)).toMatchObject({ settle: 'accepted' });
    await settle(id);
    expect(await latest(id)).toMatchObject(held.committed);
    const after = await get(id);
    expect(after).toMatchObject({ bodySha256: heldSha256, heldCheckId: null, isHeldAccepted: false });
    expect(bench().bodies(id)).toEqual([heldSha256]);
  });

  it('regression: shortens no wait that the origin has asked for since', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    const { pathname } = new URL((await get(id)).url);
    origin().set(pathname, { status: 503, headers: { 'retry-after': '86400' } });
    await bench().check(id);
    const { nextCheckAt } = await get(id);
    await decide(id, 'accepted');
    const { plan: next } = await settle(id);
    expect(await latest(id)).toMatchObject({ deletedCount: 30 });
    expect(next).toMatchObject({ kind: 'check', inMs: expect.closeTo(86_400_000, -6) });
    expect(Number((await get(id)).nextCheckAt)).toBeCloseTo(Number(nextCheckAt), -6);
    expect(await plan(id)).toMatchObject({ plan: { inMs: expect.closeTo(86_400_000, -6) } });
  });

  it('lets the next check come after the usual time when its origin does not fail', async () => {
    const { id, serve } = await makeRecord(many(40));
    serve(many(10));
    await bench().check(id);
    // As with the usual setting: the recheck is not due yet.
    const { db } = bench().database;
    await db('recordHeads')
      .where({ recordId: id })
      .update({ nextCheckAt: new Date(Date.now() + 600_000) });
    await decide(id, 'accepted');
    await settle(id);
    expect(await plan(id)).toMatchObject({ plan: { inMs: expect.closeTo(3_600_000, -6) } });
  });
});
