// The table of all operations. Routes are derived from it.
import type { Operation } from './contract/operation.ts';
import { getRecordActivity, listRecordActivity } from './operations/records/activity.ts';
import {
  createApiKey,
  createRecordApiKey,
  listAccountApiKeys,
  listRecordApiKeys,
  removeApiKey,
  removeRecordApiKey,
} from './operations/accounts/api-keys.ts';
import { listAuditLog } from './operations/accounts/audit-log.ts';
import {
  answerKeyRequest,
  collectKey,
  getKeyRequest,
  startKeyRequest,
} from './operations/accounts/key-requests.ts';
import { checkRecord, getCheck, listRecordChecks } from './operations/records/checks.ts';
import { acceptCheck, rejectCheck } from './operations/records/held-checks.ts';
import { previewEvents } from './operations/records/preview-events.ts';
import { previewRecord } from './operations/records/preview-record.ts';
import { previewRule } from './operations/records/preview-rule.ts';
import { compareTwoSnapshots, listCompareRows } from './operations/changes/compare.ts';
import { disconnectClient, listAccountConnectedClients } from './operations/accounts/connected-clients.ts';
import { createRecord } from './operations/records/create-record.ts';
import {
  createWebhook,
  getOneWebhook,
  listRecordWebhooks,
  patchWebhook,
  removeWebhook,
  rotateWebhookSecret,
} from './operations/webhooks/webhooks.ts';
import { listEvents, readAtomFeed } from './operations/changes/events.ts';
import { listEventRows } from './operations/changes/delta-rows.ts';
import { getDeltaEvent, getLatestDeltaEvent, listRecordEvents } from './operations/changes/deltas.ts';
import { keepRecord } from './operations/records/keep-record.ts';
import { createDownloadLink, followDownloadLink } from './operations/snapshots/download-links.ts';
import { downloadDelta, downloadSnapshot } from './operations/snapshots/downloads.ts';
import { listRecords } from './operations/records/list-records.ts';
import { deleteRecord, getOneRecord, pauseRecord, resumeRecord } from './operations/records/records.ts';
import { getSnapshotProfile } from './operations/snapshots/profile.ts';
import { querySnapshot } from './operations/snapshots/query-rows.ts';
import { sampleRows } from './operations/snapshots/sample-rows.ts';
import { getRowHistory } from './operations/snapshots/row-history.ts';
import { getRow, listLatestRows, listRowsOfSnapshot } from './operations/snapshots/snapshot-rows.ts';
import { getSnapshot, listRecordSnapshots } from './operations/snapshots/snapshots.ts';
import { patchRecord } from './operations/records/patch-record.ts';
import { createSession, getSession } from './operations/records/sessions.ts';
import {
  getOneDelivery,
  listWebhookDeliveries,
  recoverWebhook,
  redeliver,
} from './operations/webhooks/deliveries.ts';
import {
  getAccountDelivery,
  listAccountDeliveries,
  recoverAccountWebhook,
  redeliverOfAccount,
} from './operations/webhooks/account-deliveries.ts';
import {
  createAccountWebhook,
  getAccountWebhook,
  listAccountWebhooks,
  patchAccountWebhook,
  removeAccountWebhook,
  rotateAccountWebhookSecret,
} from './operations/webhooks/account-webhooks.ts';
import { previewAccountCondition, previewCondition } from './operations/webhooks/preview-condition.ts';
import { testAccountWebhook, testWebhook } from './operations/webhooks/test-webhook.ts';
import { getUsage } from './operations/accounts/usage.ts';

export const OPERATIONS: readonly Operation[] = [
  createRecord,
  listRecords,
  getOneRecord,
  patchRecord,
  deleteRecord,
  pauseRecord,
  resumeRecord,
  checkRecord,
  listRecordChecks,
  getCheck,
  acceptCheck,
  rejectCheck,
  previewRecord,
  previewRule,
  previewEvents,
  listEvents,
  readAtomFeed,
  getLatestDeltaEvent,
  listRecordEvents,
  getDeltaEvent,
  listEventRows,
  downloadDelta,
  getRecordActivity,
  listRecordActivity,
  listRecordSnapshots,
  getSnapshot,
  downloadSnapshot,
  createDownloadLink,
  followDownloadLink,
  listRowsOfSnapshot,
  listLatestRows,
  sampleRows,
  getSnapshotProfile,
  querySnapshot,
  getRow,
  getRowHistory,
  compareTwoSnapshots,
  listCompareRows,
  createWebhook,
  listRecordWebhooks,
  getOneWebhook,
  patchWebhook,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getOneDelivery,
  redeliver,
  recoverWebhook,
  previewCondition,
  createAccountWebhook,
  listAccountWebhooks,
  getAccountWebhook,
  patchAccountWebhook,
  removeAccountWebhook,
  rotateAccountWebhookSecret,
  testAccountWebhook,
  listAccountDeliveries,
  getAccountDelivery,
  redeliverOfAccount,
  recoverAccountWebhook,
  previewAccountCondition,
  createApiKey,
  listAccountApiKeys,
  removeApiKey,
  createRecordApiKey,
  listRecordApiKeys,
  removeRecordApiKey,
  startKeyRequest,
  collectKey,
  getKeyRequest,
  answerKeyRequest,
  listAccountConnectedClients,
  disconnectClient,
  getUsage,
  listAuditLog,
  createSession,
  getSession,
  keepRecord,
];
