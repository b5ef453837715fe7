// The commands `delivery …`.
import type { Command } from 'commander';
import { withJson } from '../operator/print.ts';
import { idReader } from '../operator/read-arguments.ts';

const readDeliveryId = idReader('delivery', 'dlv_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f');
const DELIVERY = 'its id, as in the header webhook-id and in the workflow delivery/<id>';

export function addDeliveryCommands(delivery: Command): void {
  withJson(delivery.command('show'))
    .description('show a delivery, its attempts, and what the endpoint answered')
    .argument('<delivery>', DELIVERY, readDeliveryId)
    .action(async (id, options) => (await import('./show.ts')).show(id, options));

  withJson(delivery.command('redeliver'))
    .description('send a delivery again, whatever its status, under the same id; its webhook must be enabled')
    .argument('<delivery>', DELIVERY, readDeliveryId)
    .action(async (id, options) => (await import('./redeliver.ts')).redeliver(id, options));
}
