// Finds out whether a table has a field at all.
import { decodeText } from '../../core/delta/decode-text.ts';
import { ignoreTest } from '../../core/delta/model.ts';
import { parseRows } from '../../core/delta/read-rows.ts';
import { createWarnings } from '../../core/delta/warnings.ts';
import { bodyOpener, type BodyFile } from './body-file.ts';
import { type Known, LIMITS } from './version.ts';

/**
 * Those of the fields that no row of the bodies has. Reads each body only until all are found.
 * @param bodies valid ones, with how they were read
 */
export async function absentFields(
  fields: readonly string[],
  bodies: readonly (readonly [body: BodyFile, known: Known])[],
): Promise<string[]> {
  let absent = [...fields];
  if (absent.length === 0) return [];
  for (const [body, { dialect }] of bodies) {
    const texts = decodeText(bodyOpener(body)(), dialect.charset);
    for await (const { columns } of parseRows(texts, dialect, LIMITS, createWarnings())) {
      absent = absent.filter((field) => !columns.some(ignoreTest([field], dialect.format)));
      if (absent.length === 0) return [];
    }
  }
  return absent;
}
