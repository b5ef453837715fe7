// What activities need from the process that runs them.
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Database } from '../db/driver/knex.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { OutboundGuard } from '../outbound/guard.ts';
import type { OriginTurns } from './outbound/origin-turns.ts';

export interface ActivityDeps {
  db: Database;
  blobs: BlobStore;
  /** Decides where outbound requests of accounts may go: to the origins of their records, and to their webhooks. */
  guard: OutboundGuard;
  /** The same for records of anonymous sessions. */
  anonymousGuard: OutboundGuard;
  /** Spares origins that many records are read from; without it nobody waits. */
  turns?: OriginTurns;
  config: Config;
  log: Logger;
  /** For reconciling, which starts workflows. */
  temporal: Client;
  /** Folder for bodies on their way into the blob store. */
  spoolDir: string;
  /** Bodies of so many bytes and more get a row index; see index-body.ts for what goes without saying. */
  indexFromBytes?: number;
}
