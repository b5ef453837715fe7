// Entry point of the workflow bundle: every workflow type.
export { retryDelivery } from './retry-delivery.ts';
export { sendBacklog } from './send-backlog.ts';
export { previewRecord, previewRule } from './previews.ts';
export { pruneHistory, reconcile } from './sweeps.ts';
export { watchRecord } from './watch-record.ts';
