// The webhooks that a command is about: those of one record, or those of the account, which get the events of many records.
import type {
  AccountWebhook,
  BodyOf,
  CreatedAccountWebhook,
  CreatedWebhook,
  Delivery,
  Webhook,
} from '../../../clients/typescript/src/models.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { EXIT } from '../../operator/fail.ts';
import { connect } from '../access/connect.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import type { AnswerOptions } from '../output/answers.ts';

export type AnyWebhook = Webhook | AccountWebhook;

export interface WebhookOptions extends AnswerOptions {
  /** Those of the account. */
  account?: true;
}

interface OwnedWebhooks {
  list: () => Promise<AnyWebhook[]>;
  create: (body: BodyOf<'createWebhook'>) => Promise<CreatedWebhook | CreatedAccountWebhook>;
  get: (id: string) => Promise<AnyWebhook>;
  switch: (id: string, enabled: boolean) => Promise<AnyWebhook>;
  test: (id: string, body: BodyOf<'testWebhook'>, waitSeconds: number) => Promise<Delivery>;
  delete: (id: string) => Promise<void>;
}

/** @param record undefined: the account */
export function webhooksOf(record: string | undefined): OwnedWebhooks {
  const client = connect();
  return record === undefined ? ofAccount(client) : ofRecord(client, record);
}

const ofRecord = ({ webhooks }: Recordwatch, record: string): OwnedWebhooks => ({
  list: () => webhooks.list(record).toArray(),
  create: (body) => webhooks.create(record, body),
  get: (id) => webhooks.get(record, id),
  switch: (id, enabled) => webhooks.update(record, id, { enabled }),
  test: (id, body, waitSeconds) => webhooks.test(record, id, body, { waitSeconds }),
  delete: (id) => webhooks.delete(record, id),
});

const ofAccount = ({ accountWebhooks: webhooks }: Recordwatch): OwnedWebhooks => ({
  list: () => webhooks.list().toArray(),
  create: (body) => webhooks.create(body),
  get: (id) => webhooks.get(id),
  switch: (id, enabled) => webhooks.update(id, { enabled }),
  test: (id, body, waitSeconds) => webhooks.test(id, body, { waitSeconds }),
  delete: (id) => webhooks.delete(id),
});

/** An argument of a command; undefined if it is missing. */
export type Given = string | undefined;

/**
 * Reads `<record> <what>`, or `<what>` alone with --account. A forgotten record never means the account: its webhooks send
 * the changes of all records.
 * @param what the second argument, as the help names it
 * @throws ServiceFault there is an argument too few or too many
 */
export function readOwner(
  given: readonly Given[],
  { account }: WebhookOptions,
  what: string,
): { record: string | undefined; value: string } {
  const [first, second] = given;
  if (account === true && first !== undefined && second === undefined)
    return { record: undefined, value: first };
  if (account !== true && first !== undefined && second !== undefined)
    return { record: first, value: second };
  throw new ServiceFault(
    account === true ? `With --account, give ${what} alone.` : `Give a record and ${what}.`,
    { advice: `For webhooks of the account, give --account and ${what}.`, exitCode: EXIT.misuse },
  );
}
