// Reads the mails of a system without a mail server, which writes each into a file.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mailFolder } from '../../../api/auth/mail/mailer.ts';
import type { System } from './system.ts';
import { until } from '../until.ts';

export interface FoundMail {
  subject: string;
  text: string;
  /** The first link in it; empty when there is none. */
  link: string;
}

/** Waits for a mail to this address and removes it. */
export function takeMail({ home }: Pick<System, 'home'>, to: string): Promise<FoundMail> {
  const folder = mailFolder(home);
  return until(`a mail to ${to}`, async () => {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.txt')).toSorted()) {
      const path = join(folder, name);
      const text = await readFile(path, 'utf8');
      if (!text.startsWith(`To: ${to}\n`)) continue;
      await rm(path);
      return {
        text,
        subject: /^Subject: (.*)$/m.exec(text)?.[1] ?? '',
        link: /https?:\S+/.exec(text)?.[0] ?? '',
      };
    }
    return undefined;
  });
}
