// Every name by which the API, the worker and operators reach a workflow, and every message that passes:
// task queues, workflow ids, signals, updates, inputs, results. No literal of these stands anywhere else.
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckTrigger } from '../core/checks.ts';

/** Checks and their workflows run on one queue; deliveries on another, so a burst of one never starves the other. */
export const TASK_QUEUES = { records: 'records', deliveries: 'deliveries' } as const;

/** Workflow types, as they stand in histories: a name never changes once released. */
export const WORKFLOW_TYPES = {
  watchRecord: 'watchRecord',
  retryDelivery: 'retryDelivery',
  sendBacklog: 'sendBacklog',
  reconcile: 'reconcile',
  pruneHistory: 'pruneHistory',
  previewRule: 'previewRule',
} as const;

export const watchRecordId = (recordId: string): string => `record/${recordId}`;
export const retryDeliveryId = (deliveryId: string): string => `delivery/${deliveryId}`;
/** One at a time for each webhook. */
export const sendBacklogId = (webhookId: string): string => `backlog/${webhookId}`;
export const previewRuleId = (previewId: string): string => `preview/${previewId}`;
export const SCHEDULE_IDS = { reconcile: 'reconcile', pruneHistory: 'prune-history' } as const;

/** The record’s settings changed in Postgres: plan the next check anew. */
export const settingsChanged = defineSignal('settingsChanged');
export const paused = defineSignal('paused');
export const resumed = defineSignal('resumed');
/** The record was deleted: finish what runs, erase its data, end. */
export const deleted = defineSignal('deleted');
/** Check now. Answers at once with the id of a check whose fetch begins after this call. */
export const checkNow = defineUpdate<{ checkId: string }>('checkNow');

/** A delivery, or the deliveries of a webhook, are due in Postgres, perhaps opened anew: attempt them without waiting. */
export const attemptNow = defineSignal('attemptNow');
/** Another delivery joined the backlog: do not end without it. */
export const backlogGrew = defineSignal('backlogGrew');

export interface WatchRecordInput {
  recordId: string;
  /** Ids of checks that an earlier run promised to callers and could not make. */
  promisedCheckIds?: string[];
  /** Set by continue-as-new only. */
  resume?: WatchRecordState;
  /** Continue as new once the history has so many events (design 5: 200 to 500). */
  maxHistoryEvents?: number;
}

/** What a run hands to the next one. */
interface WatchRecordState {
  plan: CheckPlan;
  /** When the plan was made, in milliseconds since the epoch. */
  plannedAtMs: number;
  /** When the record's session is over, in milliseconds since the epoch; null or missing: it has none. */
  endsAtMs?: number | null;
  requestedCheckId: string | null;
  attributes: RecordAttributes | null;
  lastWords: string;
}

/** When the record is to be checked again. */
export type CheckPlan = { kind: 'check'; inMs: number } | { kind: 'paused' } | { kind: 'deleted' };

/** What operators search for and see in the Temporal UI. */
export interface RecordAttributes {
  status: 'active' | 'paused' | 'failing';
  accountId: string;
  slug: string;
  originHost: string;
  consecutiveFailures: number;
  /** Of the last check, if it failed or is held; missing in histories of earlier versions. */
  errorCode?: string | null;
}

export interface CheckInput {
  recordId: string;
  checkId: string;
  trigger: CheckTrigger;
}

/** A body that lies in the blob store, ready to be read and compared. */
export interface FetchedBody {
  /** Names the URL that was fetched (core/crypto/url-hash.ts). */
  urlHash: string;
  sha256: string;
  sizeBytes: number;
  httpStatus: number;
  contentType: string | null;
  etag: string | null;
  lastModified: string | null;
  /** For how long the origin expects no change, in milliseconds; missing: it said nothing. */
  freshForMs?: number;
}

export interface RecordDeltaInput extends CheckInput {
  /** When the check began, in milliseconds since the epoch. */
  startedAtMs: number;
  body: FetchedBody;
}

/** A check that is committed, and what comes next. */
export interface CommittedCheck {
  kind: 'committed';
  plan: CheckPlan;
  attributes: RecordAttributes | null;
  /** One line for the operator: outcome, counts, error. */
  words: string;
  /** The check whose deliveries wait for their first attempt, and how many these are. */
  deliver: PendingDeliveries | null;
  /** Ask for the plan before acting on it. */
  isPlanStale?: boolean;
}

export interface PendingDeliveries {
  checkId: string;
  count: number;
}

export interface FetchInput extends CheckInput {
  /** Stayed away from the origin as long as the last answer, `later`, told. */
  hasWaited?: boolean;
}

export type FetchResult =
  | CommittedCheck
  | { kind: 'fetched'; startedAtMs: number; body: FetchedBody }
  /** Others are at the origin; ask again after so many milliseconds. */
  | { kind: 'later'; waitMs: number };

export interface FailedCheckInput extends CheckInput {
  startedAtMs: number;
  /** For the log; the record's owner is told that the fault is ours. */
  reason: string;
}

export interface PlanResult {
  plan: CheckPlan;
  attributes: RecordAttributes | null;
  /** Until the record's session is over; null or missing: it has none. */
  endsInMs?: number | null;
  /** A stored body is to be committed first: under other settings, or because a person accepted it. */
  settle?: 'settings' | 'accepted';
}

/** A delivery that did not succeed yet. */
export interface RetryDeliveryInput {
  deliveryId: string;
  /** How long to wait before the next attempt. */
  waitMs: number;
  /** Why it waits, for the operator. */
  words: string;
  /** Continue as new once the history has so many events. */
  maxHistoryEvents?: number;
}

/** Deliveries of a webhook that were opened anew together, or found its endpoint busy, in batches. */
export interface SendBacklogInput {
  webhookId: string;
  /** Set by continue-as-new only: batches in a row in which nothing was delivered. */
  failedBatches?: number;
  /** Continue as new once the history has so many events. */
  maxHistoryEvents?: number;
}

export type BacklogResult =
  | { kind: 'empty'; words: string }
  /** The batch is done. `waitMs` is 0 when the next one may follow at once. */
  | { kind: 'more'; waitMs: number; failedBatches: number; words: string };

export type AttemptResult =
  | { kind: 'final'; words: string }
  /** The attempt failed, or the endpoint is busy: come back later. */
  | { kind: 'wait'; waitMs: number; words: string };

export interface FirstAttemptsResult {
  delivered: number;
  /** Of histories from before the activity started these workflows itself. */
  retries?: RetryDeliveryInput[];
}

export interface SweepResult {
  records: number;
  deliveries: number;
  backlogs?: number;
  /** Deleted accounts of which nothing is left. */
  accounts?: number;
  /** Workflows that could not go on, and were started again. */
  restarted?: number;
  /** Runs of erased records' workflows that Temporal was told to remove. */
  forgottenRuns: number;
}

/** Question and answer stand in Postgres: they name columns and keys. */
export interface PreviewRuleInput {
  previewId: string;
}
