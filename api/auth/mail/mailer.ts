// Where mails lie that no server takes: `npm start` shows them.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import type { Config } from '../../../core/config.ts';
import type { Mail } from './mails.ts';

/** @param home RECORDWATCH_HOME */
export const mailFolder = (home: string): string => join(home, 'mail');

/** @throws Error when it could not be handed over */
export type SendMail = (mail: Mail) => Promise<void>;

const TIMEOUT_MS = 20_000;

type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'home' | 'baseUrl'>;

export function createMailer(settings: MailSettings): SendMail {
  return settings.smtpUrl === '' ? fileMailer(mailFolder(settings.home)) : smtpMailer(settings);
}

function smtpMailer({ smtpUrl, mailFrom, baseUrl }: MailSettings): SendMail {
  const from = mailFrom === '' ? `Recordwatch <no-reply@${new URL(baseUrl).hostname}>` : mailFrom;
  return async (mail) => {
    // Most processes send none.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({ from, ...mail });
    } catch (error) {
      throw withoutWords(error);
    } finally {
      transport.close();
    }
  };
}

/** What a server answers often names the address, or what stands in the mail, and logs are to hold neither. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error) || !('response' in error)) return error;
  const { code = '', responseCode = '', command = '' } = error as Error & Record<string, unknown>;
  return new Error(`The mail server said no: ${String(code)} ${String(responseCode)} ${String(command)}`);
}

function fileMailer(folder: string): SendMail {
  return async ({ to, subject, text }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${Date.now()}-${randomUUID()}`);
    await writeFile(path, `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600, flag: 'wx' });
    // Whoever looks for it finds it whole.
    await rename(path, `${path}.txt`);
  };
}
