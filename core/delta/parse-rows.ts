// Decoded text to rows, in whichever dialect it is written.
import { CheckError } from '../errors.ts';
import type { Batch, Dialect, RowLimits } from './model.ts';
import { parseDelimited } from './delimited/parse-delimited.ts';
import { parseDocument } from './json/parse-document.ts';
import { parseJsonl } from './json/parse-jsonl.ts';
import type { Warnings } from './warnings.ts';

/**
 * Batches as the chunks of the text make them; some may have no rows. A table of delimited text names its columns
 * in the first batch, even if it has no rows.
 * @param texts chunks that never end inside a surrogate pair
 * @throws CheckError, possibly after many batches: nothing counts before the end
 */
export async function* parseRows(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  let rowCount = 0;
  for await (const batch of parserOf(texts, dialect, limits, warnings)) {
    rowCount += batch.rows.length;
    if (rowCount > limits.maxRows) throw new CheckError('too_many_rows', `The limit is ${limits.maxRows}.`);
    yield batch;
  }
}

function parserOf(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const { format, delimiter, rowsPath, headerRow } = dialect;
  if (format === 'json') return parseDocument(texts, rowsPath, limits, warnings);
  if (format === 'jsonl') return parseJsonl(texts, limits, warnings);
  const layout = {
    delimiter: delimiter ?? (format === 'tsv' ? '\t' : ','),
    headerRow: headerRow ?? undefined,
  };
  return parseDelimited(texts, layout, limits, warnings);
}
