// Profiles the columns of a body by a survey of its rows, with the same result as core/delta/keys/field-profile.ts.
import type { Budget } from '../keys/body-scan.ts';
import { type FieldProfile, isWrittenAsAmount, type OpenProfile } from '../keys/field-profile.ts';
import { tableSize } from '../keys/fingerprint-table.ts';
import { NeedsExactPath } from './row-bytes.ts';
import type { RowEntries } from './row-matcher.ts';
import {
  distinctOf,
  equalPairsOf,
  hasRepeats,
  hasText,
  KIND,
  setGrowsAt,
  setKind,
  setKindOnceClosed,
  setState,
  STATE,
  stateOf,
  type Survey,
  surveyRows,
  takeDoubts,
} from './survey-memory.ts';

interface ColumnProfiles {
  /** @throws NeedsExactPath */
  look: (rows: RowEntries) => void;
  /** Call it after the last row. @throws NeedsExactPath */
  end: (rowCount: number) => FieldProfile[];
}

interface Profiling {
  survey: Survey;
  fields: FieldProfile[];
  budget: Budget;
}

/** A column whose values repeat late is given up after so many rows, or 16 times as many and so on. */
const FIRST_REPEATS_ROWS = 128 * 1024;
/** The parser waits for more text than a piece when a row is longer. */
const LONG_ROW_BYTES = 5_000;

/** @param started profiles of the first rows, which are not changed */
export function profileColumns(
  survey: Survey,
  started: readonly OpenProfile[],
  budget: Budget,
): ColumnProfiles {
  const profiling = { survey, fields: started.map((field) => begin(survey, field)), budget };
  let rowCount = 0;
  let repeatsRows = FIRST_REPEATS_ROWS;
  return {
    look(rows) {
      surveyRows(survey, rows, () => {
        dropAmounts(profiling);
        countMemory(profiling);
      });
      dropAmounts(profiling);
      rowCount += rows.count;
      if (rowCount < repeatsRows) return;
      repeatsRows *= 16;
      dropRepeating(profiling);
    },
    end(rows) {
      countMemory(profiling);
      dropRepeating(profiling);
      for (const field of profiling.fields) finish(survey, field, rows);
      return profiling.fields;
    },
  };
}

function begin(survey: Survey, { seen, ...field }: OpenProfile): FieldProfile {
  const { index, isFilled, steps } = field;
  // Times are counted to the end.
  const kind = steps === undefined ? KIND.skipped : KIND.filled;
  setKindOnceClosed(survey, index, kind);
  if (seen === undefined) {
    setState(survey, index, isFilled ? STATE.closed : STATE.unfilled);
    setKind(survey, index, isFilled ? kind : KIND.skipped);
    return { ...field, seen };
  }
  setKind(survey, index, KIND.profiled);
  setGrowsAt(survey, index, tableSize(0).growsAt);
  return {
    ...field,
    seen: {
      has: (text) => hasText(survey, index, text),
      sizeBytes: () => tableSize(distinctOf(survey, index)).sizeBytes,
    },
  };
}

const isListed = (survey: Survey, { index, seen }: FieldProfile): boolean =>
  seen !== undefined && stateOf(survey, index) === STATE.listed;

/** @param distinct how many different values parsing has counted by then */
function close(survey: Survey, field: FieldProfile, distinct = distinctOf(survey, field.index)): void {
  field.seen = undefined;
  const state = stateOf(survey, field.index);
  if (state !== STATE.counted && state !== STATE.listed) return;
  field.distinct = distinct;
  setState(survey, field.index, STATE.closed);
  setKind(survey, field.index, field.steps === undefined ? KIND.skipped : KIND.filled);
}

/** The kernel has closed the column. */
function closeAsKernel(survey: Survey, field: FieldProfile): void {
  field.seen = undefined;
  field.distinct = distinctOf(survey, field.index);
}

/** Amounts never identify a row. */
function dropAmounts({ survey, fields }: Profiling): void {
  for (const { column, text } of takeDoubts(survey)) {
    const field = fields.find(({ index }) => index === column);
    if (field?.seen === undefined || !isWrittenAsAmount(text)) continue;
    field.amounts++;
    close(survey, field);
  }
}

/** Drops the tables of the least likely candidates, as if they had been made. */
function countMemory(profiling: Profiling): void {
  const { survey, fields, budget } = profiling;
  for (const field of fields) {
    const state = stateOf(survey, field.index);
    const isClosed = state === STATE.closed || state === STATE.unfilled;
    if (!isClosed) setGrowsAt(survey, field.index, tableSize(distinctOf(survey, field.index)).growsAt);
    else if (field.seen !== undefined) closeAsKernel(survey, field);
  }
  if (!budget.isExceeded(fields)) return;
  if (survey.kernel.longestRow() > LONG_ROW_BYTES) throw new NeedsExactPath('A row is long');
  // A table whose values repeat would not be there any more.
  dropRepeating(profiling);
  budget.drop(fields);
  for (const field of fields) if (field.seen === undefined) close(survey, field);
}

/** Closes the columns in whose lists a value repeats. */
function dropRepeating({ survey, fields }: Profiling): void {
  for (const field of fields) {
    if (!isListed(survey, field) || !hasRepeats(survey, field.index, 2 ** 32 - 1)) continue;
    close(survey, field, field.steps === undefined ? 0 : firstRepeat(survey, field.index));
  }
}

/** How many values come before the first one that repeats. */
function firstRepeat(survey: Survey, column: number): number {
  let [without, within] = [0, distinctOf(survey, column)];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (hasRepeats(survey, column, middle)) within = middle;
    else without = middle;
  }
  return without;
}

function finish(survey: Survey, field: FieldProfile, rowCount: number): void {
  const { index } = field;
  field.isFilled &&= stateOf(survey, index) !== STATE.unfilled;
  // Parsing counts no rows after one without a value.
  if (field.isFilled) field.rows = rowCount;
  if (field.seen !== undefined) {
    field.distinct = distinctOf(survey, index);
    field.equalPairs = equalPairsOf(survey, index);
  } else field.equalPairs = Infinity;
}
