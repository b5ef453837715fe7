// The permissions that the matrix expects, written down apart from the code.

/** What an operation requires of its caller (interface 5 and 4.2, design 6). */
export type Rule =
  | 'anybody'
  | 'download'
  | 'feed'
  | 'read'
  | 'full'
  // The same, and only credentials of a whole account.
  | 'full, account'
  | 'read, account'
  // Keys and webhooks: not in a session, and new ones only after a record is on a paid tier.
  | 'locked full'
  | 'locked full, account'
  | 'creates locked'
  | 'creates locked, account'
  | 'session';

export const RULES: Readonly<Record<string, Rule>> = {
  createRecord: 'full, account',
  listRecords: 'read',
  getRecord: 'read',
  updateRecord: 'full',
  deleteRecord: 'full',
  pauseRecord: 'full',
  resumeRecord: 'full',
  checkRecord: 'full',
  listChecks: 'read',
  getCheck: 'read',
  acceptCheck: 'full',
  rejectCheck: 'full',
  previewRecord: 'full, account',
  previewRule: 'full',
  previewEvents: 'read',
  listEvents: 'read',
  readAtomFeed: 'feed',
  getLatestDeltaEvent: 'read',
  listDeltaEvents: 'read',
  getDeltaEvent: 'read',
  listDeltaRows: 'read',
  downloadDelta: 'read',
  getRecordActivity: 'read',
  listActivity: 'read',
  listSnapshots: 'read',
  getSnapshot: 'read',
  downloadSnapshot: 'download',
  createDownloadLink: 'download',
  followDownloadLink: 'anybody',
  listRowsOfSnapshot: 'read',
  listSnapshotRows: 'read',
  getRow: 'read',
  getRowHistory: 'read',
  sampleSnapshotRows: 'read',
  getSnapshotProfile: 'read',
  querySnapshot: 'read',
  compareSnapshots: 'read',
  compareSnapshotRows: 'read',
  createWebhook: 'creates locked',
  // An endpoint's URL is often a secret, and interface 5 does not count webhooks among what `read` reads.
  listWebhooks: 'locked full',
  getWebhook: 'locked full',
  updateWebhook: 'locked full',
  deleteWebhook: 'locked full',
  rotateWebhookSecret: 'locked full',
  testWebhook: 'locked full',
  listDeliveries: 'locked full',
  getDelivery: 'locked full',
  redeliver: 'locked full',
  recoverWebhook: 'locked full',
  previewCondition: 'read',
  createAccountWebhook: 'creates locked, account',
  listAccountWebhooks: 'locked full, account',
  getAccountWebhook: 'locked full, account',
  updateAccountWebhook: 'locked full, account',
  deleteAccountWebhook: 'locked full, account',
  rotateAccountWebhookSecret: 'locked full, account',
  testAccountWebhook: 'locked full, account',
  listAccountDeliveries: 'locked full, account',
  getAccountDelivery: 'locked full, account',
  redeliverOfAccount: 'locked full, account',
  recoverAccountWebhook: 'locked full, account',
  previewAccountCondition: 'locked full, account',
  createApiKey: 'creates locked, account',
  listApiKeys: 'locked full, account',
  revokeApiKey: 'locked full, account',
  createRecordApiKey: 'creates locked',
  listRecordApiKeys: 'locked full',
  revokeRecordApiKey: 'locked full',
  startKeyRequest: 'anybody',
  collectKey: 'anybody',
  getKeyRequest: 'locked full, account',
  answerKeyRequest: 'creates locked, account',
  listConnectedClients: 'full, account',
  disconnectClient: 'full, account',
  getUsage: 'read, account',
  listAuditLog: 'full, account',
  createSession: 'anybody',
  getSession: 'session',
  keepRecord: 'full, account',
};
