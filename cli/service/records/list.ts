// Lists records.
import type { ListQuery, WatchedRecord } from '../../../clients/typescript/src/models.ts';
import { connect } from '../access/connect.ts';
import { firstItems, pageSize } from '../calls/first-items.ts';
import { given } from '../calls/given.ts';
import { answer, type AnswerOptions, shownTime, table } from '../output/answers.ts';
import { labelsText, stateOf } from './state.ts';

type Query = ListQuery<'listRecords'>;

export interface ListOptions extends AnswerOptions {
  label: string[];
  search?: string;
  status?: Query['status'];
  failing?: true;
  sort?: Query['sort'];
  limit: number;
}

export async function listRecords({ limit, failing, json, ...filters }: ListOptions): Promise<void> {
  const { label, search, status, sort } = filters;
  const query = given({ label, search, status, sort, health: failing && ('failing' as const) });
  const list = connect().records.list({ ...query, limit: pageSize(limit) });
  const { items: sources, hasMore } = await firstItems(list, limit);
  await answer({ json }, { count: sources.length, hasMore, sources }, () => wordsFor(sources, hasMore));
}

const HEADINGS = ['RECORD', 'STATE', 'ROWS', 'LAST CHANGE', 'LABELS', 'URL'];

function wordsFor(records: readonly WatchedRecord[], hasMore: boolean): string {
  const rows = records.map((record) => [
    record.slug,
    stateOf(record),
    record.totalRows,
    shownTime(record.lastChangeAt),
    labelsText(record.labels),
    record.url,
  ]);
  const text = table(HEADINGS, rows, 'There are no records.');
  return hasMore && process.stdout.isTTY ? `${text}\nThere are more: --limit 0 lists all.` : text;
}
