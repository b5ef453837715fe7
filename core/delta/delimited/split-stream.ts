// Cuts a stream of text into rows, whatever the boundaries of its chunks: what is not complete waits for more.
import { CheckError } from '../../errors.ts';

/** Takes all complete rows from the start of a text; what it leaves at the end of the body is a cut-off row. */
export type SplitText<T> = (text: string, isEnd: boolean) => { rows: T[]; consumedLength: number };

/**
 * Yields the rows that each chunk completes, together; a list may be empty.
 * @param place names what is not complete, after so many rows
 * @throws CheckError row_too_large, invalid_character, body_truncated, each with its place
 */
export async function* splitStream<T>(
  texts: AsyncIterable<string>,
  split: SplitText<T>,
  maxRowLength: number,
  place = (rowCount: number): string => `row ${rowCount + 1}`,
): AsyncGenerator<T[], void, undefined> {
  let rest = '';
  let wantedLength = 0;
  let rowCount = 0;
  const take = (isEnd: boolean): T[] => {
    const { rows, consumedLength } = split(rest, isEnd);
    rest = rest.slice(consumedLength);
    // Waiting until an incomplete row has doubled keeps tiny chunks of a long row from costing its square.
    wantedLength = 2 * rest.length;
    rowCount += rows.length;
    return rows;
  };
  for await (const text of texts) {
    const nulAt = text.indexOf('\0');
    rest += nulAt === -1 ? text : text.slice(0, nulAt);
    const isDue = rest.length >= Math.min(wantedLength, maxRowLength);
    if (isDue || nulAt !== -1) yield take(false);
    if (rest.length > maxRowLength) throw new CheckError('row_too_large', `It is ${place(rowCount)}.`);
    if (nulAt !== -1) throw new CheckError('invalid_character', `It is NUL, in ${place(rowCount)}.`);
  }
  yield take(true);
  if (rest !== '') throw new CheckError('body_truncated', `A quote in ${place(rowCount)} is not closed.`);
}
