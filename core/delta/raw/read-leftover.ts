// Reads some rows of a body, given by their bytes, as the whole body would be read.
import { TextDecoder } from 'node:util';
import { createIdentifier } from '../identity.ts';
import { ignoreTest } from '../ignored-fields.ts';
import type { Dialect, KeyedRow, RowLimits } from '../model.ts';
import { parseRows } from '../parse-rows.ts';
import type { ReadSummary } from '../read-rows.ts';
import { createWarnings } from '../warnings.ts';
import { NeedsExactPath } from './needs-exact-path.ts';

export interface ReadRule {
  dialect: Dialect;
  keyFields: readonly string[];
  ignoreFields: readonly string[];
  limits: RowLimits;
}

export interface LeftoverReader {
  batches: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Of what has been read so far. */
  summary: () => ReadSummary;
}

/**
 * @param bytes UTF-8: the header, if there is one, then rows, each with a line end
 * @throws CheckError, NeedsExactPath: the rows are not what the record needs
 */
export function readLeftover(bytes: AsyncIterable<Uint8Array>, rule: ReadRule): LeftoverReader {
  const { dialect, keyFields, ignoreFields, limits } = rule;
  const warnings = createWarnings();
  const isIgnored = ignoreTest(ignoreFields, dialect.format);
  const identifier = createIdentifier({ keyFields, isIgnored }, warnings);
  return {
    async *batches() {
      for await (const batch of parseRows(decode(bytes), dialect, limits, warnings)) {
        yield identifier.identify(batch);
      }
    },
    summary: () => ({
      columns: identifier.storedColumns(),
      rowCount: identifier.rowCount(),
      warnings: warnings.list(),
    }),
  };
}

/** The body's own mark is not among the rows, so a mark is a character here. */
async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const isUndecodable =
      error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw isUndecodable ? new NeedsExactPath('A row is not UTF-8', { cause: error }) : error;
  }
}
