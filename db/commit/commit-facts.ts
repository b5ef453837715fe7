// The types of a commit: what a check brings, the state of the locked head, and the result.
import type { AcceptedRun, OpenEndedRun } from '../../core/sharp-drop.ts';
import type { KeyedRow, StoredRow } from '../../core/delta/keys/keyed-row.ts';
import type { CheckTrigger, CheckWarning } from '../../core/checks.ts';
import type { IncompleteEnd } from '../../core/delta/incomplete-end.ts';
import type { Quoting } from '../../core/delta/model.ts';
import type { Pairing } from '../../core/delta/pair-similar.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import type { ClaimedDeliveries } from '../webhooks/new-deliveries.ts';
import type { ChangedColumn } from '../../core/delivery-payload.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';

/** What is known about a check when it is committed, for every outcome. */
export interface CheckFacts {
  id: string;
  recordId: string;
  trigger: CheckTrigger;
  startedAt: Date;
  httpStatus: number | null;
  bytes: number | null;
  rows: number | null;
  /** From the commit to the next check, in milliseconds. Ignored while the record is paused. */
  nextCheckInMs: number;
}

/** A check before its body was read. */
export type CheckStart = Omit<CheckFacts, 'bytes' | 'rows'> & {
  originAskedBefore?: OriginAskedBefore;
  /** Whether the user's request to start over came after the body was requested, which must not fulfil it then. */
  precedesStartOver?: boolean;
};

/**
 * When the origin had been asked last before this check. The commit is refused when it has been asked since: the attempt was
 * given up, and another one has committed something newer.
 */
export type OriginAskedBefore = Date | null | undefined;

/** Headers of the accepted body, for the next conditional request. */
export interface Validators {
  /** Hash of the URL they came from (core/crypto/url-hash.ts). The record may have a new URL by now. */
  urlHash: string;
  etag: string | null;
  lastModified: string | null;
}

/** A body whose rows were all read. */
export interface ReadBody {
  sha256: string;
  bytes: number;
  /** Rows in the body, with duplicates. */
  rows: number;
  columns: string[];
  key: { fields: string[]; source: 'given' | 'detected'; evidence: unknown };
  dialect: unknown;
  warnings: CheckWarning[];
  incompleteEnd?: IncompleteEnd | undefined;
}

/** The rule that rows were read under. A commit is refused when the record's generation is no longer this one. */
export interface KeptRule {
  generation: number;
  ignoreFields: readonly string[];
  rules: ColumnRules;
  headerRow: number | null;
  quoting: Quoting;
  /** Set when header row and quoting are for a later body. Only a check of the accepted body stores it. */
  putAsideVersion?: number | null;
  /** Version of the settings that the dialect was detected under. */
  dialectVersion: number;
}

/** The rows of a small body. */
export type RowsByKey = ReadonlyMap<string, KeyedRow>;

/** Set when the comparison by bytes matched most rows, so only the others are loaded. */
export interface UnmatchedRows {
  /** The previous body, which the rows were matched with. Each of its rows has its own key. */
  before: {
    sha256: string;
    generation: number;
    rowCount: number;
    /** Of the snapshot whose values a match relies on; undefined: it relies on the body alone. */
    sequence: number | undefined;
  };
  /** Whether a row's content is its key. */
  isKeyless: boolean;
  /** Keys of rows in the previous body that no row matched. Read after the rows of the current body. */
  keysBefore: AsyncIterable<readonly string[]>;
  /** How many rows were matched. Called after everything was read. */
  matchedCount: () => number;
}

export interface DeltaCommit {
  check: CheckStart;
  validators: Validators;
  batches: AsyncIterable<readonly StoredRow[]>;
  /** For how long the commit claims the first attempts of its deliveries; missing: not at all. */
  claimMs?: number;
  /** Whether body and latest snapshot are so small that their rows may be in memory and in one statement. */
  fitsInMemory?: boolean;
  /** Set when `batches` has only some rows of the body. The others are in the latest snapshot, unchanged. */
  unmatched?: UnmatchedRows;
  /**
   * Called for each row that keeps values of the latest snapshot under the rules of its columns.
   * @param index of the row in `batches`, from 0
   * @param data of the row as it is stored, with these values
   */
  onKept?: (index: number, data: string) => void;
  /** Called once `batches` has ended. */
  body: () => ReadBody;
  /** Called under the lock. Whether the rows became so few that the body is held. */
  isSharpDrop: IsSharpDrop;
  /** Called after that, for a body that is not held. The bodies without the table's line end that are not certain to be whole. */
  openEndedRun?: () => OpenEndedRun | null;
  rule: KeptRule;
  /** How edited rows without a key are recognised; null or missing: not at all. */
  pairing?: Pairing | null;
}

/**
 * @param findEarlier reads the warnings about the rows of the latest snapshot; undefined when the check that had them is no
 *   longer kept
 */
type IsSharpDrop = (
  rows: DropRows,
  body: ReadBody,
  findEarlier: () => Promise<CheckWarning[] | undefined>,
) => boolean | Promise<boolean>;

export interface DropRows {
  before: number;
  now: number;
  /** Rows of the held body, if this one can confirm it, and of the body that a person rejected. */
  held: number | null;
  rejected: number | null;
  /** When a body with about that many rows was first held, in milliseconds since the epoch, by this process's clock. */
  heldSinceMs: number | null;
  /** Whether the held body has lost the line end of the table. */
  isHeldOpenEnded: boolean;
  /** Of the held bodies up to that one, otherwise of the accepted ones from the same URL, by the database's clock. */
  openEndedRun: OpenEndedRun | null;
  /** How far the database's clock is ahead of this process's. */
  clockAheadMs: number;
  /** Whether the body has the rows of the snapshot. */
  isUnchanged: boolean;
  /** Whether a row of the snapshot is not in the body. */
  hasDeletedRows: boolean;
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
  /** URL hash of the held body, and the version of the settings that it was read under. */
  heldUrlHash: string | null;
  heldDialectVersion: number | null;
  /** Of the held body, and of the accepted one. */
  heldRun: OpenEndedRun | null;
  acceptedRun: AcceptedRun | null;
  clockAheadMs: number;
  rejectedRows: number | null;
  isHeldAccepted: boolean;
  heldCheckId: string | null;
  /** From the record's settings: the generation that the user asked to end. */
  startsOverGeneration: number | null;
  bodySha256: string | null;
  originAskedAt: Date | null;
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

/** A row that is not in both the body and the latest snapshot with the same content. */
export interface Difference {
  key: string;
  changeType: keyof DeltaCounts;
  /** Of its present version; null for a new row. */
  ctid: string | null;
  /** The data of a changed row so far, as JSON object text; null for the others. */
  before: string | null;
  /** The key of the row so far, if it was paired by similarity. */
  previousKey?: string;
}

/** A check whose rows are compared, before it is written. */
export interface ComparedCheck {
  commit: DeltaCommit;
  body: ReadBody;
  head: LockedHead;
  counts: DeltaCounts;
  /** Sequence number of the snapshot after this check; the head's own when nothing changed. */
  next: number;
  totalCount: number;
  /** The first changed keys of each kind, if they are not in the table `differing`. */
  differences?: readonly Difference[];
  /** Missing or undefined when no row changed. */
  changedColumns?: readonly ChangedColumn[] | undefined;
  /** The rows are stored under a new rule. */
  opensGeneration?: boolean;
}

export interface CommittedEvent {
  /** Of the snapshot after the check. */
  sequence: number;
  counts: DeltaCounts;
  totalCount: number;
  pendingDeliveries: number;
  /** The deliveries that the commit claimed. */
  claimed?: ClaimedDeliveries;
}
