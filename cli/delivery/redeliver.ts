// `delivery redeliver`
import { findRecord } from '../../db/records/records.ts';
import { findDeliveryLog } from '../../db/webhooks/delivery-log.ts';
import { reopenDelivery } from '../../db/webhooks/reopen-deliveries.ts';
import { auditOperator } from '../operator/audit.ts';
import { noSuchThing } from '../operator/fail.ts';
import { print, type Printing } from '../operator/print.ts';
import { tellWorkflows } from '../operator/tell-workflows.ts';
import { withDatabase } from '../operator/with-database.ts';

/** @throws CommanderError when there is no such delivery, Error when its webhook is disabled */
export async function redeliver(id: string, printing: Printing): Promise<void> {
  const { settings, delivery } = await withDatabase(async (db, found) => {
    const before = await findDeliveryLog(db, id);
    if (before === undefined) throw noSuchThing(`delivery ${id}`);
    const record = await findRecord(db, before.recordId);
    if (record === undefined) throw noSuchThing(`delivery ${id}`);
    const { accountId } = record;
    await db.transaction(async (trx) => {
      if (!(await reopenDelivery(trx, id))) {
        throw new Error(`The webhook ${before.webhookId} is disabled: its owner must enable it first.`);
      }
      await auditOperator(trx, { action: 'delivery.redeliver', accountId, target: { id } });
    });
    return { settings: found, delivery: before };
  });
  const reason = await tellWorkflows(settings, (workflows) => workflows.attemptNow(id));
  const notes =
    reason === undefined
      ? []
      : [`The workflow could not be notified (${reason}): reconciling finds it in a minute or two.`];
  const { webhookId, status: previousStatus } = delivery;
  const result = {
    id,
    webhookId,
    status: 'pending',
    previousStatus,
    isWorkflowTold: reason === undefined,
    notes,
  };
  print(printing, result, () => [`${id} is sent again; it was ${previousStatus}.`, ...notes].join('\n'));
}
