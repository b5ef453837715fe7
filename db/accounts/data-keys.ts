// The sealed data keys of accounts, and which key-encryption key sealed each.
import { type KeyEncryptionKeys, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { type Database, rawRows } from '../driver/knex.ts';

/** The form of core/crypto/envelope.ts: version, length of the id, id. */
const KEY_ID = `convert_from(substring(wrapped_data_key from 3 for get_byte(wrapped_data_key, 1)), 'LATIN1')`;
/** The key of a deleted account is gone. */
const SEALED = 'deleted_at is null and length(wrapped_data_key) > 2';
/** Keys that are read at once, to open each. */
const PAGE = 1_000;

export interface SealedDataKey {
  accountId: string;
  wrapped: Buffer;
}

/** The data keys that one key-encryption key has sealed: how many, and those of its oldest and its newest account. */
export interface CountedDataKeys {
  keyId: string;
  count: number;
  samples: SealedDataKey[];
}

/** Two keys may have the same id by mistake: the samples of old and new accounts show it at little cost. */
export async function countDataKeys(db: Database): Promise<CountedDataKeys[]> {
  const rows = await rawRows<SealedDataKey & { keyId: string; count: number }>(
    db,
    `select counted."keyId", counted.count, accounts.id as "accountId", wrapped_data_key as wrapped
     from (select ${KEY_ID} as "keyId", count(*), min(id) as oldest, max(id) as newest
       from accounts where ${SEALED} group by 1) counted
     join accounts on accounts.id in (counted.oldest, counted.newest) order by counted."keyId", accounts.id`,
  );
  const counted = new Map<string, CountedDataKeys>();
  for (const { keyId, count, ...sample } of rows) {
    const samples = [...(counted.get(keyId)?.samples ?? []), sample];
    counted.set(keyId, { keyId, count, samples });
  }
  return [...counted.values()];
}

/** In words, the samples that `keks` do not open; undefined if they open all. Webhooks and protected origins need them. */
export function closedDataKeys(
  keks: KeyEncryptionKeys,
  counted: readonly CountedDataKeys[],
): string | undefined {
  return inWords(
    counted.flatMap(({ keyId, samples }) => {
      const closed = samples.filter((sample) => !opens(keks, sample)).length;
      return closed === 0 ? [] : [`at least ${closed} under ${keyId}`];
    }),
  );
}

/** As `closedDataKeys`, but opens every data key. */
export async function findClosedDataKeys(db: Database, keks: KeyEncryptionKeys): Promise<string | undefined> {
  const closed = new Map<string, number>();
  for (let after = ''; ;) {
    const page = await rawRows<SealedDataKey & { keyId: string }>(
      db,
      `select ${KEY_ID} as "keyId", id as "accountId", wrapped_data_key as wrapped from accounts
       where ${SEALED} and id > :after order by id limit ${PAGE}`,
      { after },
    );
    for (const { keyId, ...key } of page)
      if (!opens(keks, key)) closed.set(keyId, (closed.get(keyId) ?? 0) + 1);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.accountId;
  }
  return inWords([...closed].map(([keyId, count]) => `${count} under ${keyId}`));
}

function inWords(closed: readonly string[]): string | undefined {
  if (closed.length === 0) return undefined;
  return `KEY_ENCRYPTION_KEYS does not open some data keys: ${closed.join(', ')}. Their webhooks and protected origins fail.`;
}

function opens(keks: KeyEncryptionKeys, { accountId, wrapped }: SealedDataKey): boolean {
  try {
    unwrapDataKey(keks, accountId, wrapped);
    return true;
  } catch {
    return false;
  }
}

/** Data keys that another key-encryption key than this one has sealed: at most `limit`, by account after the given one. */
export function listDataKeysOfOthers(
  db: Database,
  keyId: string,
  afterAccountId: string,
  limit: number,
): Promise<SealedDataKey[]> {
  return rawRows(
    db,
    `select id as "accountId", wrapped_data_key as wrapped from accounts
     where ${SEALED} and id > :afterAccountId and ${KEY_ID} <> :keyId order by id limit :limit`,
    { keyId, afterAccountId, limit },
  );
}

/** Leaves out accounts that were deleted, or whose key was replaced, meanwhile. @returns the accounts whose keys were replaced */
export async function replaceDataKeys(
  db: Database,
  keys: readonly (SealedDataKey & { rewrapped: Buffer })[],
): Promise<string[]> {
  const replaced = await rawRows<{ id: string }>(
    db,
    `update accounts set wrapped_data_key = given.after
     from unnest(:ids::text[], :before::bytea[], :after::bytea[]) given (id, before, after)
     where accounts.id = given.id and accounts.wrapped_data_key = given.before returning accounts.id`,
    {
      ids: keys.map(({ accountId }) => accountId),
      before: keys.map(({ wrapped }) => wrapped),
      after: keys.map(({ rewrapped }) => rewrapped),
    },
  );
  return replaced.map(({ id }) => id);
}
