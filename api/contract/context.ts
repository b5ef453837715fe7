// The context that operations get: Services exist once per process, AppServices once per application, and each call adds its own.
import type { FastifyBaseLogger } from 'fastify';
import type { AuditSource } from '../../core/audit.ts';
import type { Config } from '../../core/config.ts';
import type { CursorCodec } from '../../core/crypto/cursor.ts';
import type { Reach } from '../../core/network/reach.ts';
import type { Principal } from '../../core/principal.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { CountCall } from '../../db/usage/count-calls.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { Capacity } from '../capacity/capacity.ts';
import type { FeedListeners } from '../capacity/feed-listeners.ts';
import type { WorkflowClient } from '../temporal/workflows.ts';

export interface Services {
  db: Database;
  /** A small pool for reads that may be slow, so that they cannot take the connections of other statements. */
  heavyDb: Database;
  temporal: WorkflowClient;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: FastifyBaseLogger;
  config: Config;
  cursors: CursorCodec;
  reach: Reach;
}

/** Adds what one application keeps in memory. */
export interface AppServices extends Services {
  capacity: Capacity;
  countCall: CountCall;
  feeds: FeedListeners;
}

interface Call extends AppServices {
  /** The caller's IPv4 address, or the /64 of its IPv6 address. */
  address: string;
  origin: AuditSource;
  /** How long the caller waits for work that the call starts; 0: not at all. */
  waitMs: number;
  /** Aborts when nobody waits for the response any more. */
  signal: AbortSignal;
  /** Aborts when the caller cancels the call: slow reads end, too. Undefined: they continue to their end. */
  cancelled?: AbortSignal;
  /** Set when the caller wants a stream of events, and the operation has one. */
  stream?: { lastEventId: string | undefined };
}

/** For an operation without a credential. */
export type PublicContext = Call;

export interface Context extends Call {
  principal: Principal;
  /** The record that the call names; null if it names none, or none that the principal may see. */
  record: TrackedRecord | null;
  /** How the call names it; undefined if it names none. */
  reference: string | undefined;
  /** Whether the caller's credential still works. */
  stillWorks: () => Promise<boolean>;
}
