// Measures a small check with a change, and the deliveries beyond it: records of 200 rows, of which each check
// finds one changed, with no, one and ten webhooks, in turns.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { makeId } from '../core/ids.ts';
import { insertRecord } from '../db/records/records.ts';
import { type Receiver, startReceiver } from './deliveries/receiver.ts';
import { awaitRest, wakeAll } from './fleet/fleet.ts';
import type { BenchOrigin } from './origin.ts';
import { cpuSecondsOf } from './processes.ts';
import { median, percentile } from './statistics.ts';
import type { System } from './system.ts';

const WEBHOOKS = [0, 1, 10] as const;
const PARTS = ['worker', 'temporal', 'postgresql'] as const;

type PerPart = Record<(typeof PARTS)[number], number>;

/** The medians of the turns. */
interface ChangedCost {
  /** Milliseconds of processor time for each check, beyond what the process takes at rest. */
  cpuMs: PerPart;
  checks: number;
  /** From commit to arrival. */
  arrival: { medianMs: number; p99Ms: number } | null;
}

export type ChangesResult = Record<(typeof WEBHOOKS)[number], ChangedCost>;

const RECORDS = 10;
const SECONDS_BETWEEN_CHECKS = 2;
/** A system that has just started still compiles and loads. That must not count as rest, which is subtracted. */
const WARM_SECONDS = 45;
const REST_SECONDS = 30;
const SETTLE_SECONDS = 5;
const TURN_SECONDS = 20;

/** @returns of each system; they take turns */
export async function measureChanges(
  systems: readonly System[],
  origin: BenchOrigin,
  rounds: number,
  report: (text: string) => void,
): Promise<ChangesResult[]> {
  origin.serve('changing');
  report(`changes: ${WARM_SECONDS} s to get ready, ${REST_SECONDS} s at rest`);
  await pause(WARM_SECONDS * 1_000);
  const sides = await Promise.all(systems.map((system) => openSide(system, origin)));
  for (let round = 0; round <= rounds; round += 1) {
    for (const webhooks of WEBHOOKS) {
      // The order changes from round to round.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const cost = await measureTurn({ ...side, ids: side.ids[webhooks] }, side.rest);
        report(`changes, system ${sides.indexOf(side) + 1}, ${webhooks} webhooks: ${words(cost)}`);
        // The first round fills caches.
        if (round > 0) side.turns[webhooks].push(cost);
      }
    }
  }
  return Promise.all(sides.map((side) => closeSide(side)));
}

interface Side extends Omit<Turn, 'ids'> {
  connection: Connection;
  rest: Awaited<ReturnType<typeof costOf>>;
  /** Of records by their number of webhooks. */
  ids: PerWebhooks<string[]>;
  turns: PerWebhooks<ChangedCost[]>;
}

type PerWebhooks<T> = Record<(typeof WEBHOOKS)[number], T>;

async function openSide(system: System, origin: BenchOrigin): Promise<Side> {
  const connection = await Connection.connect({ address: system.dev.temporalAddress });
  const temporal = new Client({ connection, namespace: system.dev.temporalNamespace });
  const receiver = await startReceiver();
  const rest = await costOf(system, () => pause(REST_SECONDS * 1_000));
  const make = (webhooks: number) => makeRecords(system, origin.url, receiver.url, webhooks);
  const ids = { 0: await make(0), 1: await make(1), 10: await make(10) };
  return { system, connection, temporal, receiver, rest, ids, turns: { 0: [], 1: [], 10: [] } };
}

async function closeSide({ receiver, connection, turns }: Side): Promise<ChangesResult> {
  receiver.close();
  await connection.close();
  return { 0: middleOf(turns[0]), 1: middleOf(turns[1]), 10: middleOf(turns[10]) };
}

const words = ({ cpuMs, checks, arrival }: ChangedCost): string =>
  `${PARTS.map((part) => `${part} ${cpuMs[part].toFixed(1)}`).join(', ')} ms a check, ${checks} checks` +
  (arrival === null ? '' : `, arrival ${arrival.medianMs.toFixed(1)} ms, p99 ${arrival.p99Ms.toFixed(0)} ms`);

interface Turn {
  system: System;
  temporal: Client;
  receiver: Receiver;
  ids: readonly string[];
}

async function measureTurn(
  { system, temporal, receiver, ids }: Turn,
  rest: { cpuSeconds: PerPart; seconds: number },
): Promise<ChangedCost> {
  const { db } = system;
  const checksDone = async (): Promise<number> =>
    Number((await db('record_heads').whereIn('recordId', ids).sum('check_number as done').first())?.['done']);
  const setStatus = async (status: 'active' | 'paused'): Promise<void> => {
    await db('records').whereIn('id', ids).update({ status });
    await wakeAll(temporal, ids);
  };
  await setStatus('active');
  await pause(SETTLE_SECONDS * 1_000);
  await receiver.read();
  const before = await checksDone();
  const { cpuSeconds, seconds } = await costOf(system, () => pause(TURN_SECONDS * 1_000));
  const checks = (await checksDone()) - before;
  const latencies = (await receiver.read()).map(({ latencyMs }) => latencyMs);
  await setStatus('paused');
  await awaitRest({ name: 'changing records', checksDone });
  const cpuMs = perPart((part) => {
    const atRest = (rest.cpuSeconds[part] / rest.seconds) * seconds;
    return ((cpuSeconds[part] - atRest) * 1_000) / checks;
  });
  const arrival =
    latencies.length === 0 ? null : { medianMs: percentile(latencies, 50), p99Ms: percentile(latencies, 99) };
  return { cpuMs, checks, arrival };
}

const perPart = (of: (part: (typeof PARTS)[number]) => number): PerPart => ({
  worker: of('worker'),
  temporal: of('temporal'),
  postgresql: of('postgresql'),
});

async function costOf(
  { dev: { pids } }: System,
  work: () => Promise<unknown>,
): Promise<{ cpuSeconds: PerPart; seconds: number }> {
  const look = (): PerPart => perPart((part) => cpuSecondsOf(pids[part] ?? 0));
  const before = look();
  const startedAt = performance.now();
  await work();
  const after = look();
  return {
    cpuSeconds: perPart((part) => after[part] - before[part]),
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

function middleOf(turns: readonly ChangedCost[]): ChangedCost {
  const arrivals = turns.flatMap(({ arrival }) => arrival ?? []);
  return {
    cpuMs: perPart((part) => median(turns.map(({ cpuMs }) => cpuMs[part]))),
    checks: turns.reduce((sum, { checks }) => sum + checks, 0),
    arrival:
      arrivals.length === 0
        ? null
        : {
            medianMs: median(arrivals.map(({ medianMs }) => medianMs)),
            p99Ms: median(arrivals.map(({ p99Ms }) => p99Ms)),
          },
  };
}

/** Paused records, each with so many webhooks. */
async function makeRecords(
  { db, dev, api }: System,
  originUrl: string,
  receiverUrl: string,
  webhooks: number,
): Promise<string[]> {
  const ids = Array.from({ length: RECORDS }, () => makeId('record', Date.now(), randomUUID()));
  for (const [index, id] of ids.entries()) {
    await insertRecord(db, {
      id,
      accountId: dev.accountId,
      slug: id.replace('_', '-'),
      name: 'Changing',
      url: `${originUrl}/changing/${webhooks}/${index}`,
      tier: 'max',
      format: null,
      delimiter: null,
      rowsPath: null,
      keyFields: ['id'],
      ignoreFields: [],
      checkIntervalSeconds: SECONDS_BETWEEN_CHECKS,
    });
    await db('records').where({ id }).update({ status: 'paused' });
    for (let endpoint = 0; endpoint < webhooks; endpoint += 1) {
      await api.call('POST', `/v1/sources/${id}/webhooks`, { url: `${receiverUrl}/${endpoint}` });
    }
  }
  return ids;
}

const sumOf = (result: ChangesResult, webhooks: keyof ChangesResult): number =>
  PARTS.reduce((total, part) => total + result[webhooks].cpuMs[part], 0);

/** @param beside of another checkout */
export function changesRows([result, beside]: readonly ChangesResult[]): string[][] {
  if (result === undefined) return [];
  const besides = beside === undefined ? [] : besideRows(result, beside);
  return [...rowsOf(result), ...besides];
}

function besideRows(result: ChangesResult, beside: ChangesResult): string[][] {
  return WEBHOOKS.map((webhooks) => [
    `Small changed check with ${webhooks} webhooks: CPU to that of the other checkout`,
    (sumOf(result, webhooks) / sumOf(beside, webhooks)).toFixed(2),
    '',
    `${sumOf(result, webhooks).toFixed(1)} to ${sumOf(beside, webhooks).toFixed(1)} ms; there ${words(beside[webhooks])}`,
  ]);
}

function rowsOf(result: ChangesResult): string[][] {
  const sum = (webhooks: keyof ChangesResult): number => sumOf(result, webhooks);
  const beyond = (webhooks: 1 | 10): string => ((sum(webhooks) - sum(0)) / webhooks).toFixed(1);
  const arrivalOf = (webhooks: 1 | 10): string =>
    `arrival ${result[webhooks].arrival?.medianMs.toFixed(1)} ms, p99 ${result[webhooks].arrival?.p99Ms.toFixed(0)} ms`;
  return [
    ['Small changed check: ms of CPU, all three parts', sum(0).toFixed(1), '<= 30', words(result[0])],
    ['Delivery to one webhook beyond its check: ms of CPU', beyond(1), '<= 4', arrivalOf(1)],
    ['Each of ten deliveries beyond their check: ms of CPU', beyond(10), '', arrivalOf(10)],
  ];
}
