// All activities, bound to their dependencies. Workflows use the type of this object.
import { attemptDeliveries, withFirstAttempts } from './deliveries/attempt-deliveries.ts';
import { attemptDelivery } from './deliveries/attempt-delivery.ts';
import { createCheckDeps } from './checks/check-deps.ts';
import { planCheck } from './checks/check-plan.ts';
import type { ActivityDeps } from './deps.ts';
import { eraseRecord } from './housekeeping/erase-record.ts';
import { recordFailedCheck } from './checks/internal-failure.ts';
import { fetchSource } from './checks/fetch-source.ts';
import { pollSource } from './checks/poll-source.ts';
import { previewRecord } from './checks/preview-record.ts';
import { previewRule } from './checks/preview-rule.ts';
import { pruneHistory } from './housekeeping/prune-history.ts';
import { reconcile } from './housekeeping/reconcile.ts';
import { recordDelta } from './checks/record-delta.ts';
import { sendBacklogBatch } from './deliveries/send-backlog-batch.ts';
import { settleRecord } from './checks/settle-record.ts';
import { createDeliveryDeps } from './deliveries/delivery-deps.ts';
import type {
  CheckInput,
  CommittedCheck,
  FailedCheckInput,
  PreviewRecordInput,
  PreviewRuleInput,
  FetchInput,
  PollInput,
  RecordDeltaInput,
  SendBacklogInput,
} from '../workflows/contract.ts';

export type Activities = ReturnType<typeof createActivities>;

export function createActivities(deps: ActivityDeps) {
  const checks = createCheckDeps(deps);
  const deliveries = createDeliveryDeps(deps);
  const sending = <Result extends { kind: string }>(checking: Promise<Result | CommittedCheck>) =>
    withFirstAttempts(deliveries, checking);
  return {
    planCheck: (recordId: string) => planCheck(deps, recordId),
    fetchSource: (input: FetchInput) => sending(fetchSource(checks, input)),
    pollSource: (input: PollInput) => sending(pollSource(checks, input)),
    recordDelta: (input: RecordDeltaInput) => sending(recordDelta(checks, input)),
    settleRecord: (input: CheckInput) => sending(settleRecord(checks, input)),
    previewRecord: (input: PreviewRecordInput) => previewRecord(checks, input),
    previewRule: (input: PreviewRuleInput) => previewRule(checks, input),
    recordFailedCheck: (input: FailedCheckInput) => sending(recordFailedCheck(deps, input)),
    attemptDeliveries: (checkId: string) => attemptDeliveries(deliveries, checkId),
    attemptDelivery: (deliveryId: string) => attemptDelivery(deliveries, deliveryId),
    sendBacklogBatch: (input: SendBacklogInput) => sendBacklogBatch(deliveries, input),
    eraseRecord: (recordId: string) => eraseRecord(checks, recordId),
    reconcile: () => reconcile(deps),
    pruneHistory: () => pruneHistory(deps),
  };
}
