// Connects the worker to Temporal with retries, because the SDK gives up after the first failure.
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';

const GIVE_UP_AFTER_MS = 120_000;

/** @throws Error when the server does not answer within two minutes */
export async function connectWorker(address: string, log: Logger): Promise<NativeConnection> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 5_000)) {
    try {
      return await NativeConnection.connect({ address });
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`Temporal does not answer at ${address}`, { cause: error });
      log.info({ address, waitMs }, 'waiting for Temporal');
      await sleep(waitMs);
    }
  }
}
