// The resources that a worker gives its activities.
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
  /** Aborted when this worker has to end now. For a poll that is already cancelled, this is the only signal. */
  ending?: AbortSignal;
  /** Bodies of at most this size in bytes are compared by the poll that fetched them; checks/poll-source.ts has the default. */
  comparedAtOnceBytes?: number;
  /** Bodies of at least this size in bytes get a row index; checks/compare-by-bytes.ts has the default. */
  indexFromBytes?: number;
  /** How many rows of the previous body are compared with at a time, twice; core/delta/raw/rows-before.ts has the default. */
  segmentRows?: number;
}

/** First attempts in flight in this process. The implementation is deliveries/attempts-under-way.ts. */
export interface AttemptsUnderWay {
  /** Adds an attempt whose delivery is claimed. @param attempt resolves once it is recorded */
  add: (deliveryId: string, attempt: Promise<unknown>) => void;
  /** The attempt of a delivery that is in flight here. */
  find: (deliveryId: string) => Promise<unknown> | undefined;
  /** Adds work that nobody waits for, except a process that stops. */
  addWork: (work: Promise<unknown>) => void;
  /** The process is about to stop: checks leave their first attempts to other processes. */
  close: () => void;
  isClosed: () => boolean;
  /** Waits for all that was added. */
  ended: () => Promise<void>;
}
