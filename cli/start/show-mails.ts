// Prints the mails that the API writes to files when no mail server is set, and deletes them, because they hold sign-in
// links. Reports a file that it cannot read or delete once, and leaves it.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const INTERVAL_MS = 500;

/** Until it is disposed. @param print gets one mail at a time */
export function showMails(
  folder: string,
  print: (text: string) => void,
  intervalMs = INTERVAL_MS,
): Disposable {
  const left = new Set<string>();
  const show = (): void => {
    for (const path of mailsIn(folder).filter((each) => !left.has(each))) {
      try {
        const text = readFileSync(path, 'utf8');
        rmSync(path);
        print(`\n── A mail, which was not sent: SMTP_URL is not set ──\n${text}──\n`);
      } catch (error) {
        left.add(path);
        print(`\nA mail cannot be shown: ${path}: ${String(error)}\n`);
      }
    }
  };
  const timer = setInterval(show, intervalMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** In the order in which they were written; those that are being written have no such ending yet. */
function mailsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    // There has been none so far.
    return [];
  }
}
