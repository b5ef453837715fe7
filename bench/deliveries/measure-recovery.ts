// A recovery of ten thousand deliveries, from the answer of the API until the last one is recorded.
import { SLOT_LIMITS } from '../../activities/deliveries/endpoint-slots.ts';
import { sendBacklogId } from '../../workflows/contract.ts';
import { assertDelivered, type DeliveryBench, type RateBesideBare, timed } from './delivery-bench.ts';
import { seedEvents, seedRecord } from './seed.ts';

const COUNT = 10_000;

/** @param runBare the bare loop, at the concurrency that one endpoint is given */
export async function measureRecovery(
  { system, temporal, receiver }: DeliveryBench,
  runBare: (size: {
    count: number;
    concurrency: number;
  }) => Promise<Pick<RateBesideBare, 'barePerSecond' | 'bareCpuMs'>>,
): Promise<RateBesideBare> {
  const bare = await runBare({ count: COUNT, concurrency: SLOT_LIMITS.perEndpointBacklog });
  const { recordId, webhooks } = await seedRecord(system, receiver.url, 1);
  const since = new Date(Date.now() - 60_000).toISOString();
  await seedEvents(system, recordId, COUNT);
  const missed = { status: 'cancelled', nextAttemptAt: null, finishedAt: new Date() };
  await system.db('deliveries').where({ recordId }).update(missed);
  const webhookId = webhooks[0]?.id ?? '';
  const path = `/v1/sources/${recordId}/webhooks/${webhookId}/recover`;
  const real = await timed(system, COUNT, async () => {
    await system.api.call('POST', path, { since });
    await temporal.workflow.getHandle(sendBacklogId(webhookId)).result();
  });
  await assertDelivered(system, recordId);
  return { ...real, ...bare };
}
