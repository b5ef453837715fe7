// What activities need from the process that runs them.
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Database } from '../db/driver/knex.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { OutboundGuard } from '../outbound/guard.ts';
import type { OriginTurns } from './fetch/origin-turns.ts';

export interface ActivityDeps {
  db: Database;
  blobs: BlobStore;
  /** Where requests for accounts may go, to the origins of their records and to their webhooks. */
  guard: OutboundGuard;
  /** Where requests for records of anonymous sessions may go. */
  anonymousGuard: OutboundGuard;
  /** Limits requests to an origin that many records share. Without it there is no limit. */
  turns?: OriginTurns;
  config: Config;
  log: Logger;
  /** For reconciling, which starts workflows. */
  temporal: Client;
  /** Folder for temporary files of bodies before they are stored. */
  spoolDir: string;
  /** First attempts that outlast their activity. A process that stops waits for them. */
  underWay?: AttemptsUnderWay;
  /**
   * Milliseconds that an activity waits for the first attempts of the check that it committed; the default is in
   * deliveries/attempt-deliveries.ts. With 0 the next activity makes them all.
   */
  firstAttemptsWithinMs?: number;
  /** Bodies of at least this size in bytes get a row index; compare-body.ts has the default. */
  indexFromBytes?: number;
}

/** The implementation is deliveries/attempts-under-way.ts. */
export interface AttemptsUnderWay {
  /**
   * Postpones deliveries for as long as their attempts are in flight.
   * @param attempts by delivery id; each resolves once its attempt is recorded
   */
  keep: (attempts: ReadonlyMap<string, Promise<unknown>>) => Promise<void>;
  /** The attempt of a delivery that this process keeps. */
  find: (deliveryId: string) => Promise<unknown> | undefined;
  /** Waits for all attempts in flight, so that a process that stops repeats none. */
  ended: () => Promise<void>;
}
