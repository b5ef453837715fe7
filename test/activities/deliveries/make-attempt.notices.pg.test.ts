// Messages for people, as the chats and a real mail server receive them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { findDeliveryLog } from '../../../db/webhooks/delivery-log.ts';
import { insertTestDelivery, reopenDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { takeMail } from '../../../db/webhooks/mail-allowance.ts';
import { updateWebhook, WebhookModel, type WebhookSettings } from '../../../db/webhooks/webhooks.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import { createCursorCodec } from '../../../core/crypto/cursor.ts';
import { mailsOfLink } from '../../../core/notices/unsubscribe.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { newEmail } from '../../support/api/browser.ts';
import { testKeys } from '../../support/rows/factories.ts';
import { type MailServer, startMailServer } from '../../support/api/mail-server.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
let server: MailServer;
beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
  server = await startMailServer();
});
afterAll(async () => {
  await server.close();
  await sink.close();
  await origin.close();
  await bench.close();
});

const accountOf = async (recordId: string): Promise<string> => {
  const record = await bench.database.db('records').where({ id: recordId }).first('accountId');
  return record.accountId as string;
};

/** A record with a first check, whose webhooks the test adds. */
async function newRecord(path: string, name: string): Promise<string> {
  origin.set(path, { body: 'id,price\nJam,3.20\nKiwi,1\n' });
  const recordId = await bench.makeRecord({ url: `${origin.url}${path}`, name });
  await bench.check(recordId);
  return recordId;
}

async function newNotice(recordId: string, settings: Partial<WebhookSettings>): Promise<string> {
  const id = await bench.makeWebhook(recordId, settings.url ?? `${sink.url}/${settings.format}`);
  await updateWebhook(bench.database.db, { recordId }, id, settings);
  return id;
}

const mailing = () =>
  createActivities({
    ...bench.deps,
    config: { ...bench.deps.config, smtpUrl: server.url, baseUrl: 'https://watch.example' },
  });

/** Makes the first attempts of a change, with a mail server. */
async function change(recordId: string, path: string, body: string): Promise<void> {
  origin.set(path, { body });
  const { deliver } = await bench.check(recordId);
  await bench.run(() => mailing().attemptDeliveries(deliver?.checkId ?? ''));
}

async function deliveryOf(webhookId: string) {
  const row = await bench.database.db('deliveries').where({ webhookId }).orderBy('id', 'desc').first('id');
  const log = await findDeliveryLog(bench.database.db, row.id as string);
  if (log === undefined) throw new Error('There is a delivery');
  return log;
}

it('go to chats in their own form, signed as all deliveries are', async () => {
  const path = '/chats.csv';
  const recordId = await newRecord(path, 'Jams <!channel>');
  for (const format of ['slack', 'teams', 'discord'] as const) await newNotice(recordId, { format });
  await newNotice(recordId, { format: 'ntfy', url: new URL('/jams?auth=key', sink.url).href });
  await change(recordId, path, 'id,price\nJam,3.50\nKiwi,1\n@everyone,9\n');

  const bodies = new Map(sink.deliveries.map(({ path: at, body }) => [at, JSON.parse(body)]));
  expect([...bodies.keys()].toSorted()).toEqual([
    '/?auth=key',
    '/hook/discord',
    '/hook/slack',
    '/hook/teams',
  ]);
  const title = 'Jams <!channel>: 1 new and 1 changed rows';
  expect(bodies.get('/?auth=key')).toMatchObject({
    topic: 'jams',
    title,
    message: '@everyone is new\nJam: price 3.20 to 3.50',
    click: expect.stringContaining(`/dashboard/records/${recordId}/changes/evt_`),
  });
  expect(bodies.get('/hook/slack').text).toBe(
    'Jams &lt;!channel&gt;: 1 new and 1 changed rows. @everyone is new, and 1 more',
  );
  expect(bodies.get('/hook/discord').embeds[0].description).toBe(
    String.raw`\@everyone is new` + '\n' + String.raw`Jam\: price 3.20 to 3.50`,
  );
  expect(bodies.get('/hook/teams').attachments[0].content.body[0].inlines[0].text).toBe(title);
  for (const { headers } of sink.deliveries) {
    expect(headers['webhook-id']).toMatch(/^dlv_/);
    expect(headers['webhook-signature']).toMatch(/^v1,/);
  }
});

it('go by mail, with a way to end them, under one message id', async () => {
  const path = '/mail.csv';
  const recordId = await newRecord(path, 'Jams');
  const email = newEmail();
  await addUser(bench.database.db, { accountId: await accountOf(recordId), email, name: 'Ada' });
  const webhookId = await newNotice(recordId, { format: 'mail', url: `mailto:${email}` });
  await change(recordId, path, 'id,price\nJam,"<b>3.50</b>"\n');

  const { id, status, attempts } = await deliveryOf(webhookId);
  expect({ status, codes: attempts.map(({ statusCode }) => statusCode) }).toEqual({
    status: 'delivered',
    codes: [250],
  });
  const [mail, ...others] = server.received;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ from: 'no-reply@watch.example', to: [email] });
  const { headers, parts } = mail ?? { headers: new Map(), parts: new Map() };
  expect(headers.get('subject')).toBe('Jams: 1 changed and 1 deleted rows');
  expect(headers.get('message-id')).toBe(`<${id}@watch.example>`);
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const stopUrl = headers.get('list-unsubscribe')?.replaceAll(/[<>]/g, '') ?? '';
  const cursors = createCursorCodec(testKeys);
  expect(mailsOfLink(cursors, stopUrl.split('/').at(-1) ?? '')).toMatchObject({ webhookId });
  expect(parts.get('text/plain')).toBe(
    `Jams: 1 changed and 1 deleted rows

- Jam: price 3.20 to <b>3.50</b>
- Kiwi is gone

See the changes: ${linkOf(parts.get('text/plain'))}

-- 
You get this mail because a webhook sends its events to your address.
Stop these mails: ${stopUrl}
`,
  );
  expect(parts.get('text/html')).toContain('<li>Jam: price 3.20 to &#60;b&#62;3.50&#60;/b&#62;</li>');

  await reopenDelivery(bench.database.db, id);
  await bench.run(() => mailing().attemptDelivery(id));
  expect(server.received[1]?.headers.get('message-id')).toBe(headers.get('message-id'));
});

const linkOf = (text = ''): string => /https:\S+\/changes\/\S+/.exec(text)?.[0] ?? 'none';

it.each([
  [450, 'pending'],
  [550, 'failed'],
])('are tried again after 4xx of the mail server, and given up after 5xx: %i', async (code, status) => {
  const path = `/refused-${code}.csv`;
  const recordId = await newRecord(path, 'Jams');
  const email = newEmail();
  await addUser(bench.database.db, { accountId: await accountOf(recordId), email, name: 'Ada' });
  const webhookId = await newNotice(recordId, { format: 'mail', url: `mailto:${email}` });
  server.refuseWith(code);
  await change(recordId, path, 'id,price\nJam,4\nKiwi,1\n');
  server.refuseWith(null);
  const delivery = await deliveryOf(webhookId);
  expect(delivery.status).toBe(status);
  expect(delivery.attempts).toMatchObject([{ errorCode: 'mail_refused', statusCode: code }]);
  expect(JSON.stringify(delivery.attempts)).not.toContain('mailbox');
});

it('wait where the mail server cannot be reached', async () => {
  const recordId = await newRecord('/none.csv', 'Jams');
  const email = newEmail();
  await addUser(bench.database.db, { accountId: await accountOf(recordId), email, name: 'Ada' });
  const webhookId = await newNotice(recordId, {
    format: 'mail',
    url: `mailto:${email}`,
    eventTypes: ['check.failed'],
  });
  const example = { isTest: true as const };
  for (const smtpUrl of ['', 'smtp://127.0.0.1:1']) {
    const id = await insertTestDelivery(bench.database.db, { webhookId, recordId }, 'check.failed', example);
    const config = { ...bench.deps.config, smtpUrl };
    await bench.run(() => createActivities({ ...bench.deps, config }).attemptDelivery(id ?? ''));
    expect((await deliveryOf(webhookId)).attempts).toMatchObject([{ errorCode: 'endpoint_unreachable' }]);
  }
});

it('make digests, which reconciling sends: one message with one id, however often it is sent', async () => {
  const path = '/digest.csv';
  const recordId = await newRecord(path, 'Jams');
  const email = newEmail();
  await addUser(bench.database.db, { accountId: await accountOf(recordId), email, name: 'Ada' });
  const digest = { every: 'day', at: '08:00', timeZone: 'Europe/Berlin' } as const;
  const webhookId = await newNotice(recordId, { format: 'mail', url: `mailto:${email}`, digest });
  const before = server.received.length;
  await change(recordId, path, 'id,price\nJam,3.50\nKiwi,1\n');
  await change(recordId, path, 'id,price\nJam,3.50\nKiwi,2\nLime,7\n');
  await bench.run(({ reconcile }) => reconcile());
  const { db } = bench.database;
  expect(await db('deliveries').where({ webhookId }).pluck('status')).toEqual(['collecting', 'collecting']);
  await db('deliveries').where({ webhookId }).update('createdAt', db.raw(`created_at - interval '1 day'`));
  await bench.run(({ reconcile }) => reconcile());
  const { id, eventType } = await deliveryOf(webhookId);
  expect(eventType).toBe('digest');
  expect(bench.started.map(({ input }) => input)).toContainEqual(
    expect.objectContaining({ deliveryId: id, waitMs: 0 }),
  );
  expect(server.received).toHaveLength(before);

  server.refuseWith(450);
  await bench.run(() => mailing().attemptDelivery(id));
  server.refuseWith(null);
  await db('deliveries').where({ id }).update({ nextAttemptAt: new Date() });
  await bench.run(() => mailing().attemptDelivery(id));
  await reopenDelivery(db, id);
  await bench.run(() => mailing().attemptDelivery(id));
  const mails = server.received.slice(before);
  expect(mails).toHaveLength(2);
  for (const { headers, parts } of mails) {
    expect(headers.get('message-id')).toBe(`<${id}@watch.example>`);
    expect(headers.get('subject')).toBe('Jams: 1 new and 2 changed rows in 2 events');
    expect(parts).toEqual(mails[0]?.parts);
  }
  expect(mails[0]?.parts.get('text/plain')).toContain('- Kiwi: price 1 to 2');
  expect((await deliveryOf(webhookId)).attemptCount).toBe(3);
});

it('regression: wait when the mails of the hour are used up, and no attempt is lost by it', async () => {
  const { db } = bench.database;
  const path = '/many.csv';
  const recordId = await newRecord(path, 'Jams');
  const email = newEmail();
  const accountId = await accountOf(recordId);
  await addUser(db, { accountId, email, name: 'Ada' });
  const webhookId = await newNotice(recordId, { format: 'mail', url: `mailto:${email}` });
  origin.set(path, { body: 'id,price\nJam,8\nKiwi,1\n' });
  const { deliver } = await bench.check(recordId);
  // They are used up between the commit and the attempt.
  let waitMs: number | null = null;
  while (waitMs === null) waitMs = await takeMail(db, { accountId, address: newEmail() });
  const before = server.received.length;
  await bench.run(() => mailing().attemptDeliveries(deliver?.checkId ?? ''));
  expect(server.received).toHaveLength(before);
  const { id, status, attempts } = await deliveryOf(webhookId);
  expect({ status, attempts }).toMatchObject({
    status: 'pending',
    attempts: [{ errorCode: 'mail_limit_reached', statusCode: null }],
  });
  expect(await db('deliveries').where({ id }).first('attemptCount', 'attemptsBefore')).toEqual({
    attemptCount: 1,
    attemptsBefore: 1,
  });
  expect(await WebhookModel.query(db).findById(webhookId)).toMatchObject({ failingSince: null });

  await change(recordId, path, 'id,price\nJam,9\nKiwi,1\n');
  expect(await db('deliveries').where({ webhookId }).orderBy('id').pluck('status')).toEqual([
    'pending',
    'collecting',
  ]);

  // The next hour.
  await db('usageCounters')
    .where({ subject: `mails ${accountId}` })
    .delete();
  await db('deliveries').where({ id }).update({ nextAttemptAt: new Date() });
  await bench.run(() => mailing().attemptDelivery(id));
  expect(server.received).toHaveLength(before + 1);
});

it.each([8, 9])('regression: wait for the next hour alone, also after %i attempts', async (attemptCount) => {
  const { db } = bench.database;
  const path = `/late-${attemptCount}.csv`;
  const recordId = await newRecord(path, 'Jams');
  const email = newEmail();
  const accountId = await accountOf(recordId);
  await addUser(db, { accountId, email, name: 'Ada' });
  const webhookId = await newNotice(recordId, { format: 'mail', url: `mailto:${email}` });
  origin.set(path, { body: 'id,price\nJam,8\nKiwi,1\n' });
  await bench.check(recordId);
  const { id } = await deliveryOf(webhookId);
  await db('deliveries')
    .where({ id })
    .update({ attemptCount, nextAttemptAt: new Date(0) });
  let waitMs: number | null = null;
  while (waitMs === null) waitMs = await takeMail(db, { accountId, address: newEmail() });
  await bench.run(() => mailing().attemptDelivery(id));
  await db('usageCounters')
    .where({ subject: `mails ${accountId}` })
    .delete();
  const { nextAttemptAt, ...delivery } = await db('deliveries')
    .where({ id })
    .first('status', 'attemptCount', 'attemptsBefore', 'nextAttemptAt');
  expect(delivery).toEqual({ status: 'pending', attemptCount: attemptCount + 1, attemptsBefore: 1 });
  expect(Number(nextAttemptAt)).toBeLessThan(Date.now() + 66 * 60_000);
});

it('end when no user of the account has the address any more', async () => {
  const path = '/moved.csv';
  const recordId = await newRecord(path, 'Jams');
  const email = newEmail();
  const accountId = await accountOf(recordId);
  const user = await addUser(bench.database.db, { accountId, email, name: 'Ada' });
  const webhookId = await newNotice(recordId, { format: 'mail', url: `mailto:${email}` });
  await bench.database.db('users').where({ id: user.id }).update({ email: newEmail() });
  const before = server.received.length;
  await change(recordId, path, 'id,price\nJam,5\nKiwi,1\n');
  expect(server.received).toHaveLength(before);
  expect((await deliveryOf(webhookId)).attempts).toMatchObject([{ errorCode: 'url_not_allowed' }]);
  expect(await WebhookModel.query(bench.database.db).findById(webhookId)).toMatchObject({
    enabled: false,
    disabledReason: 'No user of the account has this address.',
  });
});
