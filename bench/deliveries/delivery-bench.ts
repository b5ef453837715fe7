// Shared by the delivery measurements: the system with a receiver and a driver, and the cost of a stretch of work.
import type { Client } from '@temporalio/client';
import { cpuSecondsOf } from '../processes.ts';
import type { System } from '../system.ts';
import type { Driver } from './driver.ts';
import type { Receiver } from './receiver.ts';

export interface DeliveryBench {
  system: System;
  temporal: Client;
  receiver: Receiver;
  driver: Driver;
  report: (text: string) => void;
}

/** One rate beside the bare loop's in the same round. */
export interface RateBesideBare {
  perSecond: number;
  barePerSecond: number;
  /** Of worker, Temporal and PostgreSQL; of the loop and PostgreSQL. */
  cpuMs: number;
  bareCpuMs: number;
}

/** @throws Error when a delivery is left: a rate of what was not done says nothing */
export async function assertDelivered({ db }: System, recordId: string): Promise<void> {
  const left = await db('deliveries').where({ recordId }).whereNot({ status: 'delivered' }).count().first();
  if (Number(left?.['count']) > 0) throw new Error(`${left?.['count']} deliveries were not made`);
}

export async function timed(
  system: System,
  count: number,
  work: () => Promise<unknown>,
): Promise<{ perSecond: number; cpuMs: number }> {
  const cpuBefore = systemCpuSeconds(system);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: count / seconds, cpuMs: ((systemCpuSeconds(system) - cpuBefore) * 1_000) / count };
}

export function systemCpuSeconds({ dev: { pids } }: System): number {
  return ['worker', 'temporal', 'postgresql'].reduce((sum, name) => sum + cpuSecondsOf(pids[name] ?? 0), 0);
}
