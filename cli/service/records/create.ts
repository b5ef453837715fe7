// Begins to watch a URL.
import type { BodyOf, WatchedRecord } from '../../../clients/typescript/src/models.ts';
import type { ReadingOptions } from '../../diff/reading-options.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { connect } from '../access/connect.ts';
import { given } from '../calls/given.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { readSettings } from './read-settings.ts';
import { recordWords } from './words.ts';

type CheckFailure = NonNullable<WatchedRecord['lastError']>;

export interface CreateOptions extends AnswerOptions, ReadingOptions {
  name?: string;
  slug?: string;
  every?: number;
  label: string[];
  settings?: string;
  wait: number;
}

export async function createRecord(url: string, options: CreateOptions): Promise<void> {
  const { name, slug, every, label, settings } = options;
  const { key, ignore, input, delimiter, rowsPath, headerRow, quoting, pair } = options;
  const settingsGiven = settings === undefined ? {} : await readSettings(settings);
  const chosen = {
    name,
    slug,
    checkIntervalMinutes: every === undefined ? undefined : every / 60,
    keyFields: key,
    ignoreFields: ignore,
    format: input,
    delimiter,
    rowsPath,
    headerRow,
    quoting,
    pairing: pair && 'similarity',
    labels: label.length === 0 ? undefined : Object.fromEntries(label.map(splitLabel)),
  };
  // The service says what is wrong with settings from a file.
  const body = { ...settingsGiven, ...given(chosen), url } as BodyOf<'createRecord'>;
  const record = await connect().records.create(body, { waitSeconds: options.wait });
  await answer(options, record, () => recordWords(record));
  if (record.lastError !== null) tellFailedCheck(record, record.lastError);
}

/** The record is there and checked again, so the command has not failed. */
function tellFailedCheck({ slug }: WatchedRecord, { code, detail }: CheckFailure): void {
  const words = `The record ${slug} is created, but its first check failed: ${detail} (${code})`;
  const advice = `It is checked again as planned. “recordwatch records check ${slug}” checks it now.`;
  console.error(`recordwatch: ${safeText(words)}\n  ${safeText(advice)}`);
}

function splitLabel(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}
