// No log line contains a credential of a user, whatever they do and whatever fails.
import { expect, it } from 'vitest';
import type { Mail } from '../../../api/auth/mail/mails.ts';
import { useApi } from '../../support/api/api.ts';
import { browserAt, newEmail } from '../../support/api/browser.ts';
import { findSecrets } from '../../support/api/secret-forms.ts';
import { until } from '../../support/until.ts';

const mails: Mail[] = [];
const api = useApi({}, { sendMail: async (mail) => void mails.push(mail) });

const PASSWORDS = ['canary password one', 'canary password two', 'canary password three'] as const;

const tokenTo = async (email: string): Promise<string> => {
  const { text } = await until('the mail', () => mails.shift());
  expect(text).not.toContain(PASSWORDS[0]);
  expect(email).not.toBe('');
  return /#([\w-]+)$/m.exec(text)?.[1] ?? '';
};

it('a log contains no password, token, cookie or email', async () => {
  const [first, second, third] = PASSWORDS;
  const email = newEmail();
  const browser = browserAt(api);
  const secrets: string[] = [...PASSWORDS, email];
  const keep = (secret: string): string => {
    expect(secret.length).toBeGreaterThan(20);
    secrets.push(secret);
    return secret;
  };
  await browser.post('/auth/sign-up/email', { email });
  const token = keep(await tokenTo(email));
  const finish = { token, name: 'Ada', password: first };
  await browser.post('/auth/link/look', { token });
  await browser.post('/auth/link', { token });
  await browser.post('/auth/sign-up/finish', finish);
  await browser.post('/auth/sign-up/finish', finish);
  keep(decodeURIComponent(browser.cookie()).split(/[=.]/)[1] ?? '');
  const bearer = keep((await browser.post('/auth/token')).body.token);
  await api.call('GET', '/v1/sources', { key: bearer });
  await api.call('GET', `/v1/sources/${bearer}`, { key: bearer });
  await browser.post('/auth/change-password', { currentPassword: third, newPassword: second });
  await browser.post('/auth/change-password', { currentPassword: first, newPassword: second });
  keep(decodeURIComponent(browser.cookie()).split(/[=.]/)[1] ?? '');
  await browser.post('/auth/request-password-reset', { email });
  const reset = keep(await tokenTo(email));
  await browser.post('/auth/reset-password', { token: reset, newPassword: third });
  await browser.post('/auth/reset-password', { token: reset, newPassword: third });
  await browser.post('/auth/sign-in/email', { email, password: first });
  await browser.post('/auth/sign-in/email', { email, password: third });
  await browser.post('/auth/sign-in/email', { email, password: third, other: second });
  await browser.get(`/auth/verify-email?token=${token}`);
  await browser.post(`/auth/link?token=${token}`, { token: `${token}${token}` });
  await browser.post('/auth/sign-out');
  const before = api.logLines.length;
  // Failing statements, whose errors could carry their values into the log.
  await api.db.schema.renameTable('login_methods', 'login_methods_away');
  await api.db.schema.renameTable('verifications', 'verifications_away');
  const failed = [
    await browser.post('/auth/sign-in/email', { email, password: third }),
    await browser.post('/auth/link', { token }),
    await browser.post('/auth/link/look', { token }),
    await browser.post('/auth/sign-up/finish', finish),
    await browser.post('/auth/reset-password', { token: reset, newPassword: third }),
    await browser.post('/auth/sign-up/email', { email: newEmail() }),
  ];
  await until('the mail fails', () => api.logLines.some((line) => line.includes('was not sent')));
  await api.db.schema.renameTable('login_methods_away', 'login_methods');
  await api.db.schema.renameTable('verifications_away', 'verifications');
  expect(failed.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500, 200]);
  expect(api.logLines.length).toBeGreaterThan(before + 4);
  for (const answer of failed) expect(findSecrets(answer.text, secrets)).toEqual([]);
  expect(findSecrets(api.logLines.join('\n'), secrets)).toEqual([]);
});
