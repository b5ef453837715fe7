// What a mail server gets to see of the password.
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { MailRefused, sendMail } from '../../outbound/send-mail.ts';
import { freePort } from '../support/servers/free-port.ts';

const port = await freePort();
const passwords: (string | undefined)[] = [];
/** As it looks when somebody on the way removes STARTTLS. */
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, done) => {
    passwords.push(password);
    done(null, { user: username });
  },
});

beforeAll(() => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)));
afterEach(() => passwords.splice(0));
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

const send = (host: string, query = ''): Promise<number> =>
  sendMail(
    {
      smtpUrl: `smtp://mailer:p%40ss@${host}:${port}${query}`,
      mailFrom: '',
      baseUrl: 'https://watch.example',
    },
    { to: 'ada@example.com', subject: 'One', text: 'first' },
    60_000,
  );

// Linux and macOS connect it to 127.0.0.1, and it is no loopback address.
const ELSEWHERE = '0.0.0.0';

it('regression: sends no password to a server without TLS', async () => {
  await expect(send(ELSEWHERE)).rejects.toThrow(MailRefused);
  expect(passwords).toEqual([]);
});

it('sends it if the URL says so', async () => {
  expect(await send(ELSEWHERE, '?requireTLS=false')).toBe(250);
  expect(passwords).toEqual(['p@ss']);
});

it('sends it to this machine', async () => {
  expect(await send('127.0.0.1')).toBe(250);
  expect(passwords).toEqual(['p@ss']);
});
