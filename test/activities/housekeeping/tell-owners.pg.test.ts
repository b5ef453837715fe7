// Mails to owners about webhooks that the service has disabled, as a real mail server receives them.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import { endMails } from '../../../db/webhooks/end-mails.ts';
import { MAILS_PER_HOUR, takeMail } from '../../../db/webhooks/mail-allowance.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { newEmail } from '../../support/api/browser.ts';
import { type MailServer, startMailServer } from '../../support/api/mail-server.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { createAccount } from '../../support/rows/factories.ts';

let bench: ActivityBench;
let server: MailServer;
beforeAll(async () => {
  bench = await openActivityBench();
  server = await startMailServer();
});
afterAll(async () => {
  await server.close();
  await bench.close();
});
beforeEach(async () => {
  server.received.length = 0;
  server.refuseWith(null);
  await bench.database.db('webhooks').delete();
  await bench.database.db('usage_counters').delete();
});

/** A record of an account with a user, and a webhook. */
async function makeOwned(name = 'Jams') {
  const { db } = bench.database;
  const accountId = await createAccount(db);
  const email = newEmail();
  await addUser(db, { accountId, email, name: 'Ada' });
  const recordId = await bench.makeRecord({ url: 'https://example.com/a.csv', name });
  await db('records').where({ id: recordId }).update({ accountId });
  const webhookId = await bench.makeWebhook(recordId, 'https://example.com/secret-path');
  return { accountId, email, recordId, webhookId };
}

/** As an attempt that is answered with 410 does. */
const disable = (id: string) =>
  bench.database.db('webhooks').where({ id }).update({
    enabled: false,
    disabledReason: 'The endpoint answered 410.',
    disabledAt: bench.database.db.fn.now(),
  });

/** All of reconciling, with a mail server. */
const run = (smtpUrl = server.url) =>
  bench.run(() =>
    createActivities({
      ...bench.deps,
      config: { ...bench.deps.config, smtpUrl, baseUrl: 'https://watch.example' },
    }).reconcile(),
  );

it('regression: the owner of the only webhook gets one mail each time it is disabled', async () => {
  const { email, recordId, webhookId } = await makeOwned('Jams \u202e<b>');
  await run();
  await disable(webhookId);
  await run('');
  expect(server.received).toEqual([]);
  await run();
  await run();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.to).toEqual([email]);
  expect(mail?.headers.get('message-id')).toMatch(new RegExp(`^<${webhookId}\\.\\d{13}@watch\\.example>$`));
  expect(mail?.headers.get('subject')).toBe(String.raw`A webhook of Jams \u202e<b> was disabled`);
  const text = mail?.parts.get('text/plain') ?? '';
  expect(text).toContain('- The endpoint answered 410.\n');
  expect(text).toContain(`https://watch.example/dashboard/records/${recordId}/webhooks/${webhookId}\n`);
  expect(mail?.parts.get('text/html')).toContain('&#60;b&#62; was disabled');
  expect(JSON.stringify([...(mail?.parts ?? [])])).not.toContain('secret-path');
  await updateWebhook(bench.database.db, { recordId }, webhookId, { enabled: true });
  await run();
  await disable(webhookId);
  await run();
  expect(server.received).toHaveLength(2);
});

it('nobody gets one when another webhook tells of it, or its owner or reader ended it', async () => {
  const { db } = bench.database;
  const told = await makeOwned();
  const other = await bench.makeWebhook(told.recordId, 'https://example.com/b');
  await updateWebhook(db, { recordId: told.recordId }, other, { eventTypes: ['webhook.disabled'] });
  await disable(told.webhookId);
  const own = await makeOwned();
  await updateWebhook(db, { recordId: own.recordId }, own.webhookId, { enabled: false });
  const read = await makeOwned();
  const url = `mailto:${read.email}`;
  await updateWebhook(db, { recordId: read.recordId }, read.webhookId, { url, format: 'mail' });
  await endMails(db, { webhookId: read.webhookId, url }, async () => undefined);
  const gone = await makeOwned();
  await disable(gone.webhookId);
  await db('records').where({ id: gone.recordId }).update({ deletedAt: db.fn.now() });
  await run();
  expect(server.received).toEqual([]);
  await updateWebhook(db, { recordId: told.recordId }, other, { enabled: false });
  await run();
  expect(server.received.map(({ to }) => to)).toEqual([[told.email]]);
});

it('a mail waits while the server refuses it for now, or the hour has none left, and ends when it is refused for good', async () => {
  const { accountId, email, webhookId } = await makeOwned();
  await disable(webhookId);
  server.refuseWith(450);
  await run();
  await run('smtp://127.0.0.1:1');
  server.refuseWith(null);
  for (let taken = 2; taken < MAILS_PER_HOUR; taken += 1)
    await takeMail(bench.database.db, { accountId, address: email });
  await run();
  expect(server.received).toEqual([]);
  await bench.database.db('usage_counters').delete();
  await run();
  expect(server.received).toHaveLength(1);
  await disable(webhookId);
  server.refuseWith(550);
  await run();
  server.refuseWith(null);
  await run();
  expect(server.received).toHaveLength(1);
});
