// A record in memory as the workflow sees it. It answers in place of PostgreSQL and records the calls.
import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Activities } from '../../../activities/create-activities.ts';
import { makeId } from '../../../core/ids.ts';
import {
  type CheckInput,
  type CheckPlan,
  type CommittedCheck,
  type FetchResult,
  NOTHING_NEW,
  type PlanResult,
  type PollInput,
  type PollResult,
  type RecordAttributes,
} from '../../../workflows/contract.ts';

export class ScriptedRecord {
  readonly id = makeId('record', Date.now(), randomUUID());
  status: 'active' | 'paused' | 'deleted' = 'active';
  /** Time to the next check, as the database would give it. */
  intervalMs = 3_600_000;
  isFirstCheckDue = true;
  /** As the database has it: set by plans and checks. */
  dueAtMs = 0;
  /** The end of its session, in milliseconds since the epoch, after which it counts as deleted; null without a session. */
  sessionEndsAtMs: number | null = null;
  plans = 0;
  checks: (CheckInput & { statusAtStart: string })[] = [];
  erased = 0;
  failures: string[] = [];
  /** Undefined when its activities are of a version without this attribute. */
  errorCode: string | null | undefined;
  /** Undefined likewise. */
  share: string | undefined;
  /** Replaces the answer of a check. Runs during the check. */
  onCheck: (input: CheckInput) => Promise<Partial<CommittedCheck> | undefined> = () =>
    Promise.resolve(undefined);

  plan(): CheckPlan {
    if (this.status === 'deleted') return { kind: 'deleted' };
    if (this.status === 'paused') return { kind: 'paused' };
    return { kind: 'check', inMs: this.checks.length === 0 && this.isFirstCheckDue ? 0 : this.intervalMs };
  }

  planCheck(): PlanResult {
    this.plans += 1;
    const { sessionEndsAtMs } = this;
    const endsInMs = sessionEndsAtMs === null ? null : Math.max(0, sessionEndsAtMs - Date.now());
    if (endsInMs === 0) this.status = 'deleted';
    return { plan: this.keepTime(this.plan()), attributes: this.attributes(), endsInMs };
  }

  attributes(): RecordAttributes | null {
    if (this.status === 'deleted') return null;
    return {
      status: this.status,
      accountId: 'acc_1',
      slug: 'licences',
      originHost: 'example.com',
      consecutiveFailures: this.failures.length,
      ...(this.errorCode === undefined ? {} : { errorCode: this.errorCode }),
      ...(this.share === undefined ? {} : { share: this.share }),
    };
  }

  /** As `pollSource` does it: what is news is returned, all else ends the attempt. */
  async poll({ recordId, attributes }: PollInput): Promise<PollResult> {
    if (this.status !== 'active') return { kind: 'stale' };
    const waitMs = this.dueAtMs - Date.now();
    if (waitMs > 0) throw nothingNew(waitMs);
    const checkId = makeId('check', Date.now(), randomUUID());
    const result = await this.check({ recordId, checkId, trigger: 'schedule' });
    if (result.kind === 'fetched') return { ...result, checkId };
    if (result.kind === 'later') {
      this.dueAtMs = Date.now();
      throw nothingNew(result.waitMs);
    }
    const isNews =
      result.plan.kind !== 'check' ||
      result.isPlanStale === true ||
      result.deliver !== null ||
      !isDeepStrictEqual(result.attributes, attributes);
    if (isNews) return result;
    throw nothingNew(result.plan.kind === 'check' ? result.plan.inMs : 0);
  }

  keepTime(plan: CheckPlan): CheckPlan {
    if (plan.kind === 'check') this.dueAtMs = Date.now() + plan.inMs;
    return plan;
  }

  async check(input: CheckInput): Promise<FetchResult> {
    this.checks.push({ ...input, statusAtStart: this.status });
    const answer = await this.onCheck(input);
    return {
      kind: 'committed',
      plan: this.keepTime(answer?.plan ?? this.plan()),
      attributes: this.attributes(),
      words: `Unchanged: check ${this.checks.length}.`,
      deliver: null,
      ...answer,
    };
  }
}

const nothingNew = (nextRetryDelay: number): ApplicationFailure =>
  Object.assign(ApplicationFailure.create({ type: NOTHING_NEW, message: 'Unchanged.', nextRetryDelay }), {
    stack: '',
  });

/** The activities of watchRecord, each answered by its record. */
export function scriptedActivities(records: Map<string, ScriptedRecord>): Partial<Activities> {
  const get = (id: string): ScriptedRecord => {
    const record = records.get(id);
    if (record === undefined) throw new Error(`No scripted record ${id}`);
    return record;
  };
  return {
    planCheck: (id) => Promise.resolve(get(id).planCheck()),
    pollSource: (input) => get(input.recordId).poll(input),
    fetchSource: (input) => get(input.recordId).check(input),
    recordFailedCheck: (input) => {
      const record = get(input.recordId);
      record.failures.push(input.reason);
      return Promise.resolve({
        kind: 'committed',
        plan: record.keepTime(record.plan()),
        attributes: record.attributes(),
        words: 'Failed (internal).',
        deliver: null,
      });
    },
    eraseRecord: (id) => {
      get(id).erased += 1;
      return Promise.resolve();
    },
  };
}
