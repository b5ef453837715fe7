// A text conversion for git (gitattributes(5)): the rows of one file in the order of their keys, a line for each value.
import { bodyOpener } from '../compare/body-file.ts';
import { BodyFault, ofBody, openFirst } from '../compare/version.ts';
import { type LocalReadingOptions, ruleOf } from '../diff/reading-options.ts';
import { safeText } from '../../core/text/safe-text.ts';
import { writeOut } from '../diff/write-out.ts';
import { openInput } from '../input/open-input.ts';
import { createScratch } from '../input/scratch.ts';
import { misuse } from '../operator/fail.ts';
import { compareKeys } from '../../core/delta/compare-keys.ts';
import { splitRowJson } from '../../core/delta/keys/keyed-row.ts';

export async function textconv(given: readonly string[], options: LocalReadingOptions): Promise<void> {
  const [path, ...others] = given;
  if (path === undefined || others.length > 0) throw misuse('Name one file.');
  const scratch = createScratch();
  const { signal } = new AbortController();
  try {
    const body = await openInput(path, scratch, signal);
    try {
      await writeOut(await ofBody(body, rowTexts(body, options)), 'patch');
    } catch (error) {
      // A file that is no table is compared as it is.
      if (!(error instanceof BodyFault)) throw error;
      for await (const chunk of bodyOpener(body)()) process.stdout.write(Buffer.from(chunk));
    }
  } finally {
    scratch.remove();
  }
}

async function rowTexts(
  body: Parameters<typeof openFirst>[0],
  options: LocalReadingOptions,
): Promise<Iterable<string>> {
  const { reader } = await openFirst(body, ruleOf(options));
  // Also rows that share a key: git compares them by lines.
  const rows: { key: string; data: string }[] = [];
  for await (const batch of reader.batches()) rows.push(...batch);
  const sorted = rows.toSorted((left, right) => compareKeys(left.key, right.key));
  return sorted.map(({ key, data }) => textOf(key, data));
}

function textOf(key: string, data: string): string {
  const values = splitRowJson(data).map(
    ([column, token]) => `  ${column}: ${token.replaceAll(/[\r\n]/g, ' ')}`,
  );
  return [key, ...values].map((line) => `${safeText(line)}\n`).join('');
}
