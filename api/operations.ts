// Every operation of the product. Routes are derived from this table.
import type { Operation } from './operation.ts';
import { getRecordActivity, listRecordActivity } from './operations/activity.ts';
import { createApiKey, listAccountApiKeys, removeApiKey } from './operations/api-keys.ts';
import { checkRecord, getCheck, listRecordChecks } from './operations/checks.ts';
import { acceptCheck, rejectCheck } from './operations/held-checks.ts';
import { previewRule } from './operations/preview-rule.ts';
import { compareTwoSnapshots, listCompareRows } from './operations/compare.ts';
import { disconnectClient, listAccountConnectedClients } from './operations/connected-clients.ts';
import { createRecord } from './operations/create-record.ts';
import { createWebhook } from './operations/create-webhook.ts';
import { listEventRows } from './operations/delta-rows.ts';
import { getDeltaEvent, getLatestDeltaEvent, listRecordEvents } from './operations/deltas.ts';
import { createRecordApiKey, listRecordApiKeys, removeRecordApiKey } from './operations/record-api-keys.ts';
import { keepRecord } from './operations/keep-record.ts';
import { createDownloadLink, followDownloadLink } from './operations/download-links.ts';
import { downloadDelta, downloadSnapshot } from './operations/downloads.ts';
import { listRecords } from './operations/list-records.ts';
import { deleteRecord, getOneRecord, pauseRecord, resumeRecord } from './operations/records.ts';
import { getSnapshotProfile } from './operations/profile.ts';
import { querySnapshot } from './operations/query-rows.ts';
import { sampleRows } from './operations/sample-rows.ts';
import { getRowHistory } from './operations/row-history.ts';
import { getRow, listLatestRows, listRowsOfSnapshot } from './operations/snapshot-rows.ts';
import { getSnapshot, listRecordSnapshots } from './operations/snapshots.ts';
import { patchRecord } from './operations/patch-record.ts';
import { createSession, getSession } from './operations/sessions.ts';
import { getOneDelivery, listWebhookDeliveries } from './operations/deliveries.ts';
import { recoverWebhook } from './operations/recover-deliveries.ts';
import { redeliver } from './operations/redeliver.ts';
import { rotateWebhookSecret } from './operations/rotate-webhook-secret.ts';
import { testWebhook } from './operations/test-webhook.ts';
import { getUsage } from './operations/usage.ts';
import { getOneWebhook, listRecordWebhooks, patchWebhook, removeWebhook } from './operations/webhooks.ts';

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
  previewRule,
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
  createApiKey,
  listAccountApiKeys,
  removeApiKey,
  createRecordApiKey,
  listRecordApiKeys,
  removeRecordApiKey,
  listAccountConnectedClients,
  disconnectClient,
  getUsage,
  createSession,
  getSession,
  keepRecord,
];
