// The fleet whose checks are real: records in the database, checked by the worker of `npm start`.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { makeId } from '../../core/ids.ts';
import { insertRecord } from '../../db/records/records.ts';
import type { System } from '../system.ts';
import { awaitRest, CHECK_EVERY_MS, type Fleet, FLEET_SIZE, wakeAll } from './fleet.ts';

/** Makes the records, all feeds of one origin; they rest. @param workerPid of the worker that checks them */
export async function openRealFleet(
  system: System,
  temporal: Client,
  originUrl: string,
  workerPid = system.dev.pids['worker'] ?? 0,
): Promise<Fleet> {
  const { db } = system;
  const ids = Array.from({ length: FLEET_SIZE }, () => makeId('record', Date.now(), randomUUID()));
  for (const [index, id] of ids.entries()) await insertFleetRecord(system, id, `${originUrl}/${index}`);
  const setStatus = async (status: 'active' | 'paused') => {
    await db('records').whereIn('id', ids).update({ status });
    await wakeAll(temporal, ids);
  };
  const checksDone = async () =>
    Number((await db('record_heads').whereIn('recordId', ids).sum('check_number as done').first())?.['done']);
  const name = 'real fleet';
  return {
    name,
    workerPid,
    start: () => setStatus('active'),
    rest: async () => {
      await setStatus('paused');
      await awaitRest({ name, checksDone });
    },
    checksDone,
  };
}

async function insertFleetRecord({ db, dev }: System, id: string, url: string): Promise<void> {
  await insertRecord(db, {
    id,
    accountId: dev.accountId,
    slug: id.replace('_', '-'),
    name: 'Fleet',
    url,
    tier: 'max',
    format: null,
    delimiter: null,
    rowsPath: null,
    keyFields: ['id'],
    ignoreFields: [],
    checkIntervalSeconds: CHECK_EVERY_MS / 1_000,
  });
}
