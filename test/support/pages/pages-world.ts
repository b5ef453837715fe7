// An account with content for each page of the dashboard, and a session: real lists, a held check, a failed record, warnings,
// webhooks (one of which fails) and keys.
import { createLink } from '../../../api/auth/links.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import { demoVersions } from '../../../demo/versions.ts';
import type { Database } from '../../../db/driver/knex.ts';
import type { Dashboard } from './dashboard.ts';
import { createAccount, createKey } from '../rows/factories.ts';
import { makeKeyRequest } from '../rows/new-key-request.ts';
import { checkAndWait, createRecord, readAll, type System } from '../servers/system.ts';
import { startSink, type WebhookSink } from '../servers/webhook-sink.ts';

export interface PagesWorld {
  /** What the browser stores of the anonymous session. */
  session: { id: string; token: string; expiresAt: string };
  eventId: string;
  /** Of the record `rates`. */
  schemaEventId: string;
  heldCheckId: string;
  oddCheckId: string;
  failingWebhookId: string;
  failedDeliveryId: string;
  /** Of a webhook for all records. */
  accountWebhookId: string;
  /** Tokens of links that are opened and not used. */
  signInToken: string;
  signUpToken: string;
  /** Of a command line that waits for its login. */
  userCode: string;
  close: () => Promise<void>;
}

/** Settings for `useDashboard`: a held drop stays held until a user decides. */
export const PAGES_SETTINGS = { HELD_RECHECK_SECONDS: '86400' };

export async function makePagesWorld({ system, origin, url }: Dashboard): Promise<PagesWorld> {
  const sinks = [await startSink(), await startSink()] as const;
  const serve = (path: string, body: string): void => origin.set(path, { body });
  const licences = await watchLicences(system, `${origin.url}/licences.csv`, serve, sinks);
  const heldId = await watchStations(system, `${origin.url}/stations.csv`, serve);
  await watchPrices(system, `${origin.url}/prices.csv`, origin);
  const ratesId = await watchRates(system, `${origin.url}/rates.json`, origin);
  await createKey(system.database.db, system.accountId, 'read', licences.id);
  serve('/spdx.csv', demoVersions()[0]?.csv ?? '');
  const begun = await fetch(new URL('/v1/sessions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=30' },
    body: JSON.stringify({ url: `${origin.url}/spdx.csv` }),
  });
  // The body is the API's answer.
  const { token, expiresAt, source } = (await begun.json()) as {
    token: string;
    expiresAt: string;
    source: { id: string };
  };
  await spreadOverDays(system.database.db, licences.id);
  return {
    session: { id: source.id, token, expiresAt },
    eventId: await idOf(
      system,
      `/v1/sources/${licences.id}/delta?changesOnly=true`,
      'events',
      ({ deletedCount }) => deletedCount !== 0,
    ),
    schemaEventId: await idOf(system, `/v1/sources/${ratesId}/delta?changesOnly=true`, 'events'),
    heldCheckId: await idOf(system, `/v1/sources/${heldId}/checks`, 'checks'),
    oddCheckId: await idOf(system, `/v1/sources/${licences.id}/checks`, 'checks'),
    ...licences,
    ...(await makeLinks(system)),
    userCode: (await makeKeyRequest(system.database.db)).userCode,
    close: async () => void (await Promise.all(sinks.map((sink) => sink.close()))),
  };
}

type Serve = (path: string, body: string) => void;

async function makeLinks({ database: { db } }: System) {
  const user = await addUser(db, {
    accountId: await createAccount(db),
    email: 'grace.hopper@example.test',
    name: 'Grace',
  });
  return {
    signInToken: await createLink(db, { kind: 'sign-in', userId: user.id }),
    signUpToken: await createLink(db, { kind: 'sign-up', email: 'somebody.new@example.test' }),
  };
}

/** Real versions, followed by one with faulty rows. */
async function watchLicences(
  system: System,
  url: string,
  serve: Serve,
  [sink, broken]: readonly [WebhookSink, WebhookSink],
) {
  const versions = demoVersions().map(({ csv }) => csv);
  serve('/licences.csv', versions[0] ?? '');
  const { id } = await createRecord(system, { url, name: 'SPDX licences', slug: 'licences' });
  const hook = (body: object) => system.call('POST', `/v1/sources/${id}/webhooks`, body);
  await hook({ url: sink.url, description: 'Tells the team of new licences' });
  const { body: ofAll } = await system.call('POST', '/v1/webhooks', {
    url: `${sink.url}/all`,
    description: 'The event router',
    ordered: true,
  });
  await system.call('POST', '/v1/webhooks', { url: sink.url, sources: { labels: { team: 'legal' } } });
  const { body: failing } = await hook({ url: broken.url, description: 'The billing system' });
  const failingWebhookId = String(failing['id']);
  broken.respondWith({ status: 500, body: 'The database of this endpoint is away.' });
  for (const csv of versions.slice(1)) {
    serve('/licences.csv', csv);
    // One version after the other.
    // oxlint-disable-next-line no-await-in-loop
    await checkAndWait(system, id);
  }
  serve('/licences.csv', `${versions.at(-1) ?? ''}short,row\nMIT,MIT once more,https://mit.example,true\n`);
  await checkAndWait(system, id);
  const deliveries = `/v1/sources/${id}/webhooks/${failingWebhookId}/deliveries`;
  return {
    id,
    failingWebhookId,
    failedDeliveryId: await idOf(system, deliveries, 'deliveries'),
    accountWebhookId: String(ofAll['id']),
  };
}

async function watchStations(system: System, url: string, serve: Serve): Promise<string> {
  const rows = Array.from({ length: 60 }, (_, at) => `S${100 + at},Station ${100 + at},${(at * 7) % 90}`);
  serve('/stations.csv', ['id,name,metres', ...rows].join('\n'));
  const { id } = await createRecord(system, { url, name: 'Weather stations', slug: 'stations' });
  serve('/stations.csv', ['id,name,metres', ...rows.slice(0, 4)].join('\n'));
  await checkAndWait(system, id);
  return id;
}

async function watchPrices(system: System, url: string, origin: Dashboard['origin']): Promise<void> {
  origin.set('/prices.csv', { body: 'sku,price\nA-1,9.90\nA-2,12.00\n' });
  const { id } = await createRecord(system, { url, name: 'Supplier prices', slug: 'prices' });
  origin.set('/prices.csv', { status: 503, body: 'Back soon.' });
  await checkAndWait(system, id);
}

/** Adds a column, which changes all rows. */
async function watchRates(system: System, url: string, origin: Dashboard['origin']): Promise<string> {
  const rates = ['AUD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD'].map((code, at) => ({ code, rate: 1 + at / 8 }));
  const serve = (body: object): void =>
    origin.set('/rates.json', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  serve(rates);
  const { id } = await createRecord(system, { url, name: 'Exchange rates', slug: 'rates' });
  serve(rates.map((rate) => ({ ...rate, bank: 'ECB' })));
  await checkAndWait(system, id);
  return id;
}

interface Listed {
  id: string;
  deletedCount?: number;
}

async function idOf(
  system: System,
  path: string,
  list: string,
  isIt: (each: Listed) => boolean = () => true,
): Promise<string> {
  const first = (await readAll<Listed>(system, path, list)).find(isIt);
  if (first === undefined) throw new Error(`${path} is empty`);
  return first.id;
}

/** Moves the checks back in time, two days apart. */
async function spreadOverDays(db: Database, recordId: string): Promise<void> {
  const ages = `with all_checks as (
      select id, number, snapshot_id, delta_event_id, null::uuid as digits from checks where record_id = :recordId
      union all
      select null, number, null, null, id from unchanged_checks
      where record_no = (select record_no from record_heads where record_id = :recordId)
    ), ages as (select *, (max(number) over () - number) * interval '47 hours' as age from all_checks)`;
  await db.raw(
    `${ages} update delta_events set detected_at = detected_at - age
    from ages where ages.delta_event_id = delta_events.id`,
    { recordId },
  );
  await db.raw(
    `${ages} update snapshots set created_at = created_at - age from ages where ages.snapshot_id = snapshots.id`,
    { recordId },
  );
  await db.raw(
    `${ages} update checks set started_at = checks.started_at - age, finished_at = checks.finished_at - age
    from ages where ages.id = checks.id`,
    { recordId },
  );
  await db.raw(
    `${ages} update unchanged_checks short set started_at = started_at - age, finished_at = finished_at - age
    from ages where ages.digits = short.id`,
    { recordId },
  );
  await db.raw(`update records set created_at = created_at - interval '20 days' where id = ?`, [recordId]);
}
