// The contract between workflows, the API, the worker and operators: task queues, workflow types and ids, signals, updates,
// inputs and results. Every name is declared here and nowhere else.
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckTrigger } from '../core/checks.ts';
import type { PendingDeliveries } from '../core/deliveries.ts';

/** Checks and deliveries have separate queues, so that a burst of one cannot starve the other. */
export const TASK_QUEUES = { records: 'records', deliveries: 'deliveries' } as const;

/** Workflow types as they appear in histories. A released name never changes. */
export const WORKFLOW_TYPES = {
  watchRecord: 'watchRecord',
  retryDelivery: 'retryDelivery',
  sendBacklog: 'sendBacklog',
  reconcile: 'reconcile',
  pruneHistory: 'pruneHistory',
  previewRule: 'previewRule',
  previewRecord: 'previewRecord',
} as const;

export const watchRecordId = (recordId: string): string => `record/${recordId}`;
export const retryDeliveryId = (deliveryId: string): string => `delivery/${deliveryId}`;
/** At most one runs for each webhook. */
export const sendBacklogId = (webhookId: string): string => `backlog/${webhookId}`;
export const previewRuleId = (previewId: string): string => `preview/${previewId}`;
export const previewRecordId = (previewId: string): string => `record-preview/${previewId}`;
export const SCHEDULE_IDS = { reconcile: 'reconcile', pruneHistory: 'prune-history' } as const;

/** The record’s settings changed in PostgreSQL. The workflow plans the next check again. */
export const settingsChanged = defineSignal('settingsChanged');
export const paused = defineSignal('paused');
export const resumed = defineSignal('resumed');
/** The record was deleted. The workflow finishes what runs, erases the data and ends. */
export const deleted = defineSignal('deleted');
/** Requests a check. Returns at once with the id of a check whose fetch begins after this call. */
export const checkNow = defineUpdate<{ checkId: string }>('checkNow');

/** A delivery, or the deliveries of a webhook, became due or were reopened. The workflow attempts them without waiting. */
export const attemptNow = defineSignal('attemptNow');
/** Another delivery joined the backlog. The workflow must not end without it. */
export const backlogGrew = defineSignal('backlogGrew');

export interface WatchRecordInput {
  recordId: string;
  /** Ids of checks that an earlier run promised to callers but could not make. */
  promisedCheckIds?: string[];
  /** Set by continue-as-new only. */
  resume?: WatchRecordState;
  /** The workflow continues as new once its history is longer than this. */
  maxHistoryEvents?: number;
}

/** The state that a run hands to the next one. */
interface WatchRecordState {
  plan: CheckPlan;
  /** When the plan was made, in milliseconds since the epoch. */
  plannedAtMs: number;
  /** When the record's session ends, in milliseconds since the epoch; null or missing without a session. */
  endsAtMs?: number | null;
  requestedCheckId: string | null;
  attributes: RecordAttributes | null;
  lastWords: string;
  noteLeft?: unknown;
}

/** When the record is to be checked again. */
export type CheckPlan = { kind: 'check'; inMs: number } | { kind: 'paused' } | { kind: 'deleted' };

/** Search attributes, for operators. */
export interface RecordAttributes {
  status: 'active' | 'paused' | 'failing';
  accountId: string;
  slug: string;
  originHost: string;
  consecutiveFailures: number;
  /** Of the last check, if it failed or is held; missing in histories of earlier versions. */
  errorCode?: string | null;
  /**
   * The fairness key of the record's activities, as a hash: its account's, or that of all anonymous records. Missing in earlier
   * histories.
   */
  share?: string;
}

export interface CheckInput {
  recordId: string;
  checkId: string;
  trigger: CheckTrigger;
}

/** A body in the blob store, to be read and compared. */
export interface FetchedBody {
  /** Hash of the URL that was fetched (core/crypto/url-hash.ts). */
  urlHash: string;
  sha256: string;
  sizeBytes: number;
  httpStatus: number;
  contentType: string | null;
  /** Set when it does not end in a line end. Missing in earlier histories too. */
  isOpenEnded?: true;
  /** Set together with isOpenEnded when only the end of the connection ended it. */
  isCloseDelimited?: true;
  etag: string | null;
  lastModified: string | null;
  /** How long the body is fresh, in milliseconds; missing if the origin does not say. */
  freshForMs?: number;
  /** Whether the user had asked to start over before the body was requested. Missing in earlier histories. */
  startsOver?: boolean;
  /** When the origin had been asked last before that, in milliseconds since the epoch. Missing in earlier histories. */
  askedBeforeMs?: number | null;
}

export interface RecordDeltaInput extends CheckInput {
  /** When the check began, in milliseconds since the epoch. */
  startedAtMs: number;
  body: FetchedBody;
}

/** A committed check, and what follows. Or what follows without a check: it was overtaken, or the record is paused or deleted. */
export interface CommittedCheck {
  kind: 'committed';
  plan: CheckPlan;
  attributes: RecordAttributes | null;
  /** One line for operators: outcome, counts, error. */
  words: string;
  /** Deliveries of the check that wait for their first attempt. */
  deliver: PendingDeliveries | null;
  /** The workflow must ask for the plan again before it acts on this one. */
  isPlanStale?: boolean;
  /** There is a new snapshot, which the workflow's history is to show. */
  isChange?: boolean;
}

export interface FetchInput extends CheckInput {
  /** Has waited as long as the last result, `later`, said. */
  hasWaited?: boolean;
}

/** A check whose body has to be compared. */
export interface FetchedCheck {
  kind: 'fetched';
  startedAtMs: number;
  body: FetchedBody;
}

export type FetchResult =
  | CommittedCheck
  | FetchedCheck
  /** The origin is busy with other records. Try again after this time. */
  | { kind: 'later'; waitMs: number };

export interface PollInput {
  recordId: string;
  /** What the workflow has published. The activity returns when the record's differ. */
  attributes: RecordAttributes | null;
  /** The note of the previous poll's last attempt, if that attempt died while the poll was being stopped. */
  noteLeft?: unknown;
  /** The last check whose deliveries the workflow knows. */
  told?: string;
  /** Milliseconds from the poll's beginning until its first check, and the last news. Missing in earlier histories. */
  first?: { inMs: number; lastWords: string };
}

/** What a poll found that its workflow has to act on, or show. */
export type PollResult =
  | CommittedCheck
  | (FetchedCheck & { checkId: string })
  /** Nothing is to be checked, or something comes first: ask for the plan. */
  | { kind: 'stale' };

/** The type of the failure that ends an attempt of a poll with nothing to act on. */
export const NOTHING_NEW = 'NothingNew';

export interface FailedCheckInput extends CheckInput {
  startedAtMs: number;
  /** For the log. The record's owner only learns that the fault is ours. */
  reason: string;
}

export interface PlanResult {
  plan: CheckPlan;
  attributes: RecordAttributes | null;
  /** Milliseconds until the record's session ends; null or missing without a session. */
  endsInMs?: number | null;
  /** A stored body must be committed first: under new settings, or because a person accepted it. */
  settle?: 'settings' | 'accepted';
}

/** A delivery that has not succeeded yet. */
export interface RetryDeliveryInput {
  deliveryId: string;
  /** Milliseconds until the next attempt. */
  waitMs: number;
  /** Why it waits, for operators. */
  words: string;
  /** The workflow continues as new once its history is longer than this. */
  maxHistoryEvents?: number;
}

/** Deliveries of a webhook that were reopened together, or whose endpoint was at its limit. */
export interface SendBacklogInput {
  webhookId: string;
  /** Set by continue-as-new only: batches in a row without a success. */
  failedBatches?: number;
  /** The workflow continues as new once its history is longer than this. */
  maxHistoryEvents?: number;
}

export type BacklogResult =
  | { kind: 'empty'; words: string }
  /** There is more to send. `waitMs` is 0 when the next batch may follow at once. */
  | { kind: 'more'; waitMs: number; failedBatches: number; words: string };

export type AttemptResult =
  | { kind: 'final'; words: string }
  /** The attempt failed, or the endpoint is at its limit. */
  | { kind: 'wait'; waitMs: number; words: string };

export interface FirstAttemptsResult {
  delivered: number;
  /** Only in old histories. The activity now starts these workflows itself. */
  retries?: RetryDeliveryInput[];
}

export interface SweepResult {
  records: number;
  deliveries: number;
  backlogs?: number;
  /** Deleted accounts that were erased. */
  accounts?: number;
  /** Stuck workflows that were restarted. */
  restarted?: number;
  /** Workflow runs of erased records that Temporal was asked to delete. */
  forgottenRuns: number;
}

/** The question and the answer are in PostgreSQL, because they contain names of columns. */
export interface PreviewRuleInput {
  previewId: string;
}

/** The same for a record that does not exist yet: settings, credentials and rows are in PostgreSQL. */
export interface PreviewRecordInput {
  previewId: string;
}
