// `record list`
import { listAilingRecords, SYMPTOMS, type Symptom } from '../../db/upkeep/symptoms.ts';
import { misuse } from '../operator/fail.ts';
import { columns, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

export type ListRecordsOptions = Printing & { limit: number } & Partial<Record<Symptom, true>>;

/** @throws CommanderError without a symptom */
export async function list({ limit, ...options }: ListRecordsOptions): Promise<void> {
  const symptom = SYMPTOMS.find((each) => options[each] === true);
  if (symptom === undefined) throw misuse('Say which records: --failing, --held or --overdue.');
  const found = await withDatabase((db) => listAilingRecords(db, symptom, limit));
  const records = found
    .slice(0, limit)
    .map(({ since, ...record }) => ({ ...record, since: since.toISOString() }));
  const hasMore = found.length > limit;
  print(options, { count: records.length, hasMore, records }, () =>
    columns(
      ['RECORD', 'ACCOUNT', 'SLUG', 'SINCE', 'FAILURES', 'ERROR', 'WORDS'],
      records.map((record) => [
        record.id,
        record.accountId,
        record.slug,
        record.since,
        record.consecutiveFailures,
        record.errorCode,
        record.errorDetail,
      ]),
      'No such records.',
    ),
  );
}
