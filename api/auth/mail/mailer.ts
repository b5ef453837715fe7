// Sends mails by SMTP, or writes them to a folder, where `npm start` shows them.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import type { Config } from '../../../core/config.ts';
import type { Mail } from './mails.ts';

/** @param home RECORDWATCH_HOME */
export const mailFolder = (home: string): string => join(home, 'mail');

/** @throws Error when the mail server did not accept it */
export type SendMail = (mail: Mail) => Promise<void>;

const TIMEOUT_MS = 20_000;

type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'home' | 'baseUrl'>;

export function createMailer(settings: MailSettings): SendMail {
  return settings.smtpUrl === '' ? fileMailer(mailFolder(settings.home)) : smtpMailer(settings);
}

function smtpMailer({ smtpUrl, mailFrom, baseUrl }: MailSettings): SendMail {
  const from = mailFrom === '' ? `Recordwatch <no-reply@${new URL(baseUrl).hostname}>` : mailFrom;
  return async (mail) => {
    // Loaded late, because most processes send no mail.
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

/** A mail server's reply often contains the address or parts of the mail, and neither may be logged. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error) || !('response' in error)) return error;
  const { code = '', responseCode = '', command = '' } = error as Error & Record<string, unknown>;
  return new Error(`The mail server refused: ${String(code)} ${String(responseCode)} ${String(command)}`);
}

function fileMailer(folder: string): SendMail {
  return async ({ to, subject, text }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${Date.now()}-${randomUUID()}`);
    await writeFile(path, `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600, flag: 'wx' });
    // Renamed when complete, so that readers never see half of it.
    await rename(path, `${path}.txt`);
  };
}
