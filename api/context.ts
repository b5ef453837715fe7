// What an operation works with: explicit, made once per process (Services) and completed per call (Context).
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../core/config.ts';
import type { CursorCodec } from '../core/crypto/cursor.ts';
import type { AllowedNetworks } from '../core/network/address-policy.ts';
import type { Principal } from '../core/principal.ts';
import type { Database } from '../db/knex.ts';
import type { WorkflowDoor } from './workflows.ts';

export interface Services {
  db: Database;
  temporal: WorkflowDoor;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: FastifyBaseLogger;
  config: Config;
  cursors: CursorCodec;
  /** Networks that URLs may point into although they are not public. */
  allowedNetworks: AllowedNetworks;
}

export interface Context extends Services {
  principal: Principal;
  /** How long the caller is willing to wait for work that the call starts; 0: not at all. */
  waitMs: number;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}
