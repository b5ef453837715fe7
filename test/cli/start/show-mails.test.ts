// Mails that were written to files are shown once, in order, and then removed.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { createMailer, mailFolder } from '../../../api/auth/mail/mailer.ts';
import { showMails } from '../../../cli/start/show-mails.ts';
import { until } from '../../support/until.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

const stop = new DisposableStack();
afterAll(() => stop.dispose());

it('shows each mail once', async () => {
  const home = temporaryFolder();
  const send = createMailer({ smtpUrl: '', mailFrom: '', home, baseUrl: 'http://127.0.0.1:8080' });
  await send({ to: 'ada@example.com', subject: 'One', text: 'first\n' });
  const [name = ''] = readdirSync(mailFolder(home));
  expect(statSync(`${mailFolder(home)}/${name}`).mode & 0o777).toBe(0o600);
  expect(statSync(mailFolder(home)).mode & 0o777).toBe(0o700);
  const shown: string[] = [];
  stop.use(showMails(mailFolder(home), (text) => shown.push(text), 5));
  await until('the first is shown', () => shown.length === 1);
  await send({ to: 'ada@example.com', subject: 'Two', text: 'second\n' });
  await until('the second is shown', () => shown.length === 2);
  expect(shown[0]).toContain('To: ada@example.com\nSubject: One\n\nfirst\n');
  expect(shown[1]).toContain('Subject: Two\n\nsecond\n');
  expect(readdirSync(mailFolder(home))).toEqual([]);
});

it('reports an unreadable mail once, and continues', async () => {
  const home = temporaryFolder();
  mkdirSync(`${mailFolder(home)}/0.txt`, { recursive: true });
  const shown: string[] = [];
  stop.use(showMails(mailFolder(home), (text) => shown.push(text), 5));
  await until('it is named', () => shown.length === 1);
  await createMailer({ smtpUrl: '', mailFrom: '', home, baseUrl: 'http://127.0.0.1:8080' })({
    to: 'ada@example.com',
    subject: 'One',
    text: 'first\n',
  });
  await until('the mail is shown', () => shown.length === 2);
  expect(shown[0]).toContain('0.txt');
  expect(shown[1]).toContain('Subject: One');
});
