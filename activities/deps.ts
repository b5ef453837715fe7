// What activities need from the process that runs them.
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Database } from '../db/knex.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { OutboundGuard } from './outbound/guard.ts';

export interface ActivityDeps {
  db: Database;
  blobs: BlobStore;
  /** Decides where outbound requests may go. */
  guard: OutboundGuard;
  config: Config;
  log: Logger;
  /** For reconciling, which starts workflows. */
  temporal: Client;
  /** Folder for bodies on their way into the blob store. */
  spoolDir: string;
  /** Bodies of so many bytes and more get a row index; see index-body.ts for what goes without saying. */
  indexFromBytes?: number;
}
