// Reads some rows of a body, given by their bytes, as the whole body would be read.
import { createIdentifier } from '../keys/identity.ts';
import { ignoreTest } from '../ignored-fields.ts';
import type { KeyedRow, RowLimits } from '../model.ts';
import { parseRows } from '../parse-rows.ts';
import type { ReadSummary } from '../read-rows.ts';
import { createWarnings } from '../warnings.ts';
import type { RowRule } from './row-bytes.ts';
import { rowText } from './row-text.ts';

export interface ReadRule extends RowRule {
  limits: RowLimits;
}

export interface LeftoverReader {
  batches: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Of what has been read so far. */
  summary: () => ReadSummary;
}

/**
 * @param bytes a body of these rows alone: what stands before them, whole rows, what stands behind them
 * @throws CheckError, NeedsExactPath: the rows are not what the record needs
 */
export function readLeftover(bytes: AsyncIterable<Uint8Array>, rule: ReadRule): LeftoverReader {
  const { dialect, keyFields, ignoreFields } = rule;
  const warnings = createWarnings();
  const isIgnored = ignoreTest(ignoreFields, dialect.format);
  const identifier = createIdentifier({ keyFields, isIgnored }, warnings);
  return {
    async *batches() {
      for await (const batch of parseRows(
        decode(bytes, dialect.charset),
        dialect,
        limitsOf(rule),
        warnings,
      )) {
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

/** Ignored columns of JSON rows that are not read count too; nobody knows whether they are there. */
function limitsOf({ dialect, ignoreFields, limits }: ReadRule): RowLimits {
  if (dialect.delimiter !== null) return limits;
  return {
    ...limits,
    maxColumns: limits.maxColumns - ignoreFields.length,
    maxNamesLength: limits.maxNamesLength - ignoreFields.join('').length,
  };
}

async function* decode(chunks: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  for await (const chunk of chunks) yield rowText(chunk, charset);
}
