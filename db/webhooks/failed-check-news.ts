// Selects the webhooks that get `check.failed` and `check.recovered`: those whose `failingAfter` the failed checks in a row
// have reached. The table `failure_notices` has those that were told.
import { type Database, rawRows } from '../driver/knex.ts';
import { RECORDS_OF_WEBHOOK, webhooksOf } from './selected-records.ts';

/**
 * SQL that notes which webhooks this failed check is news for, once for each series of failures. `head` is the updated row of
 * `record_heads`. The statement that sends the news notes it, so that no change of `failingAfter` comes between them.
 */
export const NOTE_FAILURES = `
  insert into failure_notices (webhook_id, record_id, since)
  select webhooks.id, head.record_id, head.failing_since
  from head cross join lateral ${webhooksOf('head.record_id')} webhooks
  where webhooks.enabled and webhooks.event_types && array['check.failed', 'check.recovered'] and :isOfOrigin::boolean
    and case when webhooks.failing_after = 1 then head.failed_since is null
      else head.consecutive_failures >= webhooks.failing_after end
  on conflict (webhook_id, record_id) do update set since = excluded.since
  where failure_notices.since <> excluded.since
  returning webhook_id`;

/**
 * Notes the running series of failures for a webhook that is notified of first failures: those that began before the webhook, and
 * those of which an earlier version has noted nothing.
 */
export async function noteToldFailures(trx: Database, webhookId: string): Promise<void> {
  await rawRows(
    trx,
    `insert into failure_notices (webhook_id, record_id, since)
     select webhooks.id, heads.record_id, heads.failing_since
     from webhooks cross join lateral (
       select record_id as id where record_id is not null
       union all select id from ${RECORDS_OF_WEBHOOK} selected
     ) records join record_heads heads on heads.record_id = records.id
     where webhooks.id = ? and heads.failing_since is not null
     on conflict (webhook_id, record_id) do update set since = excluded.since`,
    [webhookId],
  );
}

/** SQL of whether a webhook is notified of this failed check. Refers to `webhooks` and the result of NOTE_FAILURES, `noted`. */
export const IS_TOLD_NOW = `webhooks.id in (select webhook_id from noted)`;

/** SQL of whether a webhook is notified that a series of failures is over. Refers to `webhooks`. */
export const wasTold = (
  recordId: string,
  failingSince: string,
): string => `(webhooks.failing_after = 1 or exists (
  select from failure_notices told
  where told.webhook_id = webhooks.id and told.record_id = ${recordId} and told.since = ${failingSince}))`;
