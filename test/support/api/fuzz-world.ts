// The objects in the database that fuzzed requests use. They are created again when requests have deleted them.
import { randomUUID } from 'node:crypto';
import { findLatestDeltaEvent } from '../../../db/rows/delta-events.ts';
import { findRecord } from '../../../db/records/records.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import type { TestApi } from './api.ts';
import { commitRows, createAccount, createKey, createTestRecord, newTestId } from '../rows/factories.ts';
import type { FuzzedRequest, Placeholder } from './fuzz-requests.ts';
import { makeConnectedClient } from '../rows/new-connected-client.ts';
import { makeDelivery } from '../rows/new-delivery.ts';
import { makeHeldCheck } from '../rows/new-held-check.ts';
import { makeSession } from '../rows/new-session.ts';

export interface World {
  /** The values of the placeholders. */
  names: Record<Placeholder, string>;
  credentials: Readonly<Record<FuzzedRequest['credential'], string | null>>;
  /** The one record that the session reaches. */
  sessionRecord: string;
}

const COLUMNS = ['id', 'price', '__proto__', 'a][b'];
const ROWS = {
  a: '{"id":"a","price":"1.20"}',
  ü: '{"id":"ü","price":10000000000000000999}',
  ['__proto__']: '{"id":"__proto__","price":null,"__proto__":"x","a][b":"1"}',
};

/** @param foreign a record of another account */
export async function makeWorld(api: TestApi, foreign: string): Promise<World> {
  const { db } = api;
  const accountId = await createAccount(db);
  const slug = `fuzzed-${randomUUID().slice(0, 8)}`;
  const record = await createTestRecord(db, accountId, { slug });
  await commitRows(db, record, { a: '{"id":"a","price":"1.10"}', b: '{"id":"b","price":2}' });
  const oldSnapshot = (await findRecord(db, record))?.snapshotId ?? '';
  await commitRows(db, record, ROWS, COLUMNS);
  const event = await findLatestDeltaEvent(db, record);
  const webhook = newTestId('webhook');
  await insertWebhook(
    db,
    { id: webhook, recordId: record, url: 'https://example.com/hook', sealedSecret: Buffer.alloc(60) },
    20,
  );
  const delivery = await makeDelivery(db, webhook, record, event?.id ?? '');
  const [full, read, download, ofRecord] = await Promise.all([
    createKey(db, accountId, 'full'),
    createKey(db, accountId, 'read'),
    createKey(db, accountId, 'download'),
    createKey(db, accountId, 'read', record),
  ]);
  const session = await makeSession(db);
  return {
    names: {
      record,
      slug,
      foreign,
      event: event?.id ?? '',
      snapshot: event?.snapshotId ?? '',
      oldSnapshot,
      webhook,
      delivery,
      check: await makeHeldCheck(db, record),
      key: read.id,
      recordKey: ofRecord.id,
      connectedClient: await makeConnectedClient(db, accountId),
      token: session.token,
      link: 'none',
      cursor: 'none',
      canary: `canary-${randomUUID()}`,
    },
    credentials: {
      full: full.value,
      read: read.value,
      download: download.value,
      record: ofRecord.value,
      session: session.token,
      none: null,
      broken: `${full.value.slice(0, -1)}-`,
    },
    sessionRecord: session.recordId,
  };
}

/** Creates a record of another account. */
export async function makeForeignRecord({ db }: TestApi): Promise<string> {
  const id = await createTestRecord(db, await createAccount(db));
  await commitRows(db, id, { a: '{"id":"a","price":"1"}' });
  return id;
}

/** Fills in the placeholders of a text. A session names its own record. */
export function fill(
  text: string,
  { names, sessionRecord }: World,
  credential: FuzzedRequest['credential'],
): string {
  const known = credential === 'session' ? { ...names, record: sessionRecord } : names;
  // Every placeholder has a name of this type.
  return text.replaceAll(/@@(\w+)@@/g, (whole, name: Placeholder) => known[name] ?? whole);
}
