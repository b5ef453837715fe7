// Reads some rows of a body in the same way as the whole body would be read.
import { createIdentifier } from '../keys/keyed-row.ts';
import { ignoreTest, type KeyedRow, type RowLimits } from '../model.ts';
import { createBodyWarnings, parseRows, type ReadSummary } from '../read-rows.ts';
import { type RowRule, rowText } from './row-bytes.ts';

export interface ReadRule extends RowRule {
  limits: RowLimits;
  /** The record's setting; undefined: the path in the dialect was detected. */
  rowsPath?: string | undefined;
}

interface LeftoverReader {
  batches: () => AsyncGenerator<KeyedRow[], void, undefined>;
  /** Covers what has been read so far. */
  summary: () => ReadSummary;
}

/**
 * @param bytes a body with only these rows: what precedes them, complete rows, what follows them
 * @throws CheckError, NeedsExactPath: the rows are not valid for the record
 */
export function readLeftover(bytes: AsyncIterable<Uint8Array>, rule: ReadRule): LeftoverReader {
  const { dialect, keyFields, ignoreFields } = rule;
  const warnings = createBodyWarnings(rule);
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

/** Assumes that the JSON rows that are not read have all ignored columns, which count towards the limits. */
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
