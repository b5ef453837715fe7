// The facts of a commit: what a check brings, what the head says once it is locked, and what the commit came to.
import type { CheckTrigger, CheckWarning } from '../../core/checks.ts';
import type { IncomingRow } from './incoming-rows.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';

/** What is known of a check when it is committed, whatever its outcome. */
export interface CheckFacts {
  id: string;
  recordId: string;
  trigger: CheckTrigger;
  startedAt: Date;
  httpStatus: number | null;
  bytes: number | null;
  rows: number | null;
  /** Until the next check; without meaning while the record is paused. */
  nextCheckInMs: number;
}

/** The conditional-request headers that the origin gave with the body now on record. */
export interface Validators {
  /** Names the URL that gave them (core/crypto/url-hash.ts): the record may have another one by now. */
  urlHash: string;
  etag: string | null;
  lastModified: string | null;
}

/** A body that was read to its end. */
export interface ReadBody {
  sha256: string;
  bytes: number;
  /** Rows as they stood in the body, duplicates included. */
  rows: number;
  columns: string[];
  key: { fields: string[]; source: 'given' | 'detected'; evidence: unknown };
  dialect: unknown;
  warnings: CheckWarning[];
}

/** Under which rule rows were read: they are written down under no other. */
export interface KeptRule {
  generation: number;
  ignoreFields: readonly string[];
  headerRow: number | null;
  /** Of the settings that the dialect was found out under. */
  dialectVersion: number;
}

export interface Leftover {
  /** The body that rows were paired off with: that of the latest snapshot, of which every row has a key of its own. */
  before: { sha256: string; generation: number; rowCount: number };
  /** Whether rows are known by their content. */
  isKeyless: boolean;
  /** Keys of the rows of that body that were left over. Read after the rows of the body now. */
  keysLeftBefore: AsyncIterable<readonly string[]>;
  /** How many rows were paired off; called after all has been read. */
  matchedCount: () => number;
}

export interface DeltaCommit {
  check: Omit<CheckFacts, 'bytes' | 'rows'>;
  validators: Validators;
  batches: AsyncIterable<readonly IncomingRow[]>;
  /** Given when `batches` has only some of the body's rows; all others stand in the latest snapshot as they are. */
  leftover?: Leftover;
  /** Called after `batches` has ended. */
  body: () => ReadBody;
  /** Decides, under the lock, whether so few rows are believed. */
  isSharpDrop: (rows: DropRows) => boolean;
  /** The one in force, unless given. */
  rule?: KeptRule;
}

export interface DropRows {
  before: number;
  now: number;
  /** Rows of the body that is held, if this one can confirm it, and of the one that a person did not believe. */
  held: number | null;
  rejected: number | null;
  /** Since when that body, and those before it with about as many rows, have been held: by this process's clock. */
  heldSinceMs: number | null;
}

export interface LockedHead {
  recordNo: number;
  generation: number;
  sequence: number;
  snapshotId: string | null;
  totalRows: number;
  columns: string[];
  heldRows: number | null;
  heldSinceMs: number | null;
  /** Where the held body came from, and which settings it was read under. */
  heldUrlHash: string | null;
  heldDialectVersion: number | null;
  rejectedRows: number | null;
  isHeldAccepted: boolean;
  heldCheckId: string | null;
  /** As the record's settings have it. */
  startsOverGeneration: number | null;
  bodySha256: string | null;
}

export interface HeldChanges {
  newCount: number;
  changedCount: number;
  deletedCount: number;
  totalCount: number;
  /** The first keys of each kind, ascending in byte order. */
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
}

/** A comparison that is about to be written down. */
export interface Recording {
  commit: DeltaCommit;
  body: ReadBody;
  head: LockedHead;
  counts: DeltaCounts;
  next: number;
  totalCount: number;
  /** The rows are kept under another rule than those before. */
  opensGeneration?: boolean;
}

export interface CommittedEvent {
  deltaEventId: string;
  counts: DeltaCounts;
  totalCount: number;
  pendingDeliveries: number;
}
