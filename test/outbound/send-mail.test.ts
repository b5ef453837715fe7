// What a mail server gets to see of the password, and how long it is waited for.
import { createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { MailRefused, MailTooSlow, sendMail } from '../../outbound/send-mail.ts';
import { until } from '../support/until.ts';
import { freePort } from '../support/servers/free-port.ts';

const port = await freePort();
const passwords: unknown[] = [];
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

it('regression: gives up a server that sends parts of a reply without end, and closes the connection', async () => {
  let connection: Socket | undefined;
  const slow = createServer((socket) => {
    connection = socket;
    socket.on('error', () => undefined);
    socket.write('220 watch.example\r\n');
    const more = setInterval(() => socket.write('250-more\r\n'), 20);
    socket.on('close', () => clearInterval(more));
  });
  const slowPort = await freePort();
  await new Promise<void>((resolve) => slow.listen(slowPort, '127.0.0.1', resolve));
  const settings = {
    smtpUrl: `smtp://127.0.0.1:${slowPort}`,
    mailFrom: '',
    baseUrl: 'https://watch.example',
  };
  const sending = sendMail(settings, { to: 'ada@example.com', subject: 'One', text: 'first' }, 500);
  await expect(sending).rejects.toThrow(MailTooSlow);
  await until('the connection is closed', () => connection?.closed === true);
  await new Promise((resolve) => slow.close(resolve));
});
