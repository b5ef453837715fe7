// Mails through a mail server, and the log when the server refuses one.
import { readdirSync, readFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMailer, mailFolder } from '../../../../api/auth/mail/mailer.ts';
import { useApi } from '../../../support/api/api.ts';
import { browserAt, newUser } from '../../../support/api/browser.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import { until } from '../../../support/until.ts';
import { temporaryFolder } from '../../../cli/process/temporary-folder.ts';

const port = await freePort();
const received: { from: string; to: string[]; text: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, done) =>
    username === 'mailer' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('refused') ? new Error(`<${address}>: there is no such mailbox`) : null),
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = envelope;
      const from = mailFrom === false ? '' : mailFrom.address;
      received.push({
        from,
        to: rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
      });
      done();
    });
  },
});

const smtpUrl = `smtp://mailer:p%40ss@127.0.0.1:${port}`;
const mailFrom = 'Recordwatch <watch@example.com>';
const api = useApi({ baseUrl: 'https://watch.example', smtpUrl, mailFrom });

beforeAll(() => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

it('sends mails to the server of SMTP_URL, from MAIL_FROM', async () => {
  const { user } = await newUser(api);
  await browserAt(api).post('/auth/request-password-reset', { email: user.email });
  const mail = await until('the mail', () => received[0]);
  expect(mail).toMatchObject({ from: 'watch@example.com', to: [user.email] });
  expect(mail.text).toContain('From: Recordwatch <watch@example.com>');
  const text = mail.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(text).toMatch(/https:\/\/watch\.example\/dashboard\/reset-password#[\w-]{24}\s/);
});

it('responds the same when the server refuses a mail, and logs it without the address', async () => {
  const email = 'refused@example.com';
  const answer = await browserAt(api).post('/auth/sign-up/email', { email });
  expect(answer).toMatchObject({ status: 200, body: {} });
  const line = await until('the log line', () => api.logLines.find((text) => text.includes('was not sent')));
  expect(line).toContain('"level":50');
  expect(line).toContain('EENVELOPE 550 RCPT TO');
  expect(api.logLines.join('\n')).not.toContain(email);
});

it('writes them to files if there is no server', async () => {
  const home = temporaryFolder();
  const send = createMailer({ smtpUrl: '', mailFrom: '', home, baseUrl: 'https://watch.example' });
  await send({ to: 'ada@example.com', subject: 'One', text: 'first\n' });
  const [name = ''] = readdirSync(mailFolder(home));
  expect(readFileSync(`${mailFolder(home)}/${name}`, 'utf8')).toBe(
    'To: ada@example.com\nSubject: One\n\nfirst\n',
  );
});
