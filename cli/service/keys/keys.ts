// The API keys of the account, or of one record: lists, creates and revokes them.
import type { ApiKey, BodyOf } from '../../../clients/typescript/src/models.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { connect } from '../access/connect.ts';
import { given } from '../calls/given.ts';
import { answer, type AnswerOptions, shownTime, table } from '../output/answers.ts';
import { confirm } from '../output/confirm.ts';

export interface KeysOptions extends AnswerOptions {
  /** Its keys, instead of those of the account. */
  record?: string;
}

const HEADINGS = ['ID', 'NAME', 'KEY', 'SCOPE', 'STATE', 'LAST USED'];

export async function listKeys(options: KeysOptions): Promise<void> {
  const { record } = options;
  const client = connect();
  const list = record === undefined ? client.keys.list() : client.recordKeys.list(record);
  const keys = await list.toArray();
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.prefix}…${key.last4}`,
    key.scope,
    stateOf(key),
    shownTime(key.lastUsedAt),
  ]);
  await answer(options, { count: keys.length, apiKeys: keys }, () =>
    table(HEADINGS, rows, 'There are no keys.'),
  );
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'valid';
  return Date.parse(expiresAt) < Date.now() ? 'expired' : `until ${shownTime(expiresAt)}`;
}

interface CreateOptions extends KeysOptions {
  scope: ApiKey['scope'];
  expires?: string;
}

export async function createKey(name: string, options: CreateOptions): Promise<void> {
  const { scope, expires, record } = options;
  const client = connect();
  const body = { name, scope, ...given({ expiresAt: expires }) };
  // The service refuses a scope that keys of a record cannot have.
  const key = await (record === undefined
    ? client.keys.create(body)
    : client.recordKeys.create(record, body as BodyOf<'createRecordApiKey'>));
  await answer(options, key, () =>
    [`${key.id}, scope ${key.scope}`, `Key, shown only now: ${key.key}`].map(safeText).join('\n'),
  );
}

export async function revokeKey(id: string, options: KeysOptions & { yes?: true }): Promise<void> {
  await confirm(`Revoke the key ${id}? It stops working at once, for good.`, options.yes);
  const { record } = options;
  const client = connect();
  await (record === undefined ? client.keys.revoke(id) : client.recordKeys.revoke(record, id));
  await answer(options, { id, revoked: true }, () => `Revoked ${id}.`);
}
