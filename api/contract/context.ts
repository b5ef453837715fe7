// What an operation works with: made once per process (Services) and application (AppServices), and completed per call.
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../core/config.ts';
import type { CursorCodec } from '../../core/crypto/cursor.ts';
import type { Reach } from '../../core/network/reach.ts';
import type { Principal } from '../../core/principal.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { CountCall } from '../../db/usage/count-calls.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { Capacity } from '../capacity/capacity.ts';
import type { WorkflowClient } from '../temporal/workflows.ts';

export interface Services {
  db: Database;
  /** A small pool of its own for reads that may be slow: whatever they do, the others find a connection. */
  heavyDb: Database;
  temporal: WorkflowClient;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: FastifyBaseLogger;
  config: Config;
  cursors: CursorCodec;
  reach: Reach;
}

/** Services with what one application keeps in memory. */
export interface AppServices extends Services {
  capacity: Capacity;
  countCall: CountCall;
}

interface Call extends AppServices {
  /** Where the caller is: an IPv4 address, or the /64 of an IPv6 one. */
  address: string;
  /** How long the caller is willing to wait for work that the call starts; 0: not at all. */
  waitMs: number;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** Of an operation that needs no credential. */
export type PublicContext = Call;

export interface Context extends Call {
  principal: Principal;
  /** The record that the call is about; null when it names none, or none that the principal may see. */
  record: TrackedRecord | null;
  /** What names it; undefined when nothing does. */
  reference: string | undefined;
}
