// Sends mails by SMTP, or writes them to a folder, where `npm start` shows them.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { sendMail, type SmtpSettings } from '../../../outbound/send-mail.ts';
import type { Mail } from './mails.ts';

/** @param home RECORDWATCH_HOME */
export const mailFolder = (home: string): string => join(home, 'mail');

/** @throws Error when the mail server did not accept it */
export type SendMail = (mail: Mail) => Promise<void>;

const TIMEOUT_MS = 20_000;

export function createMailer(settings: SmtpSettings & { home: string }): SendMail {
  if (settings.smtpUrl === '') return fileMailer(mailFolder(settings.home));
  return async (mail) => {
    await sendMail(settings, mail, TIMEOUT_MS);
  };
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
