// `record show`
import { presentRecord } from '../../api/resources/record.ts';
import { watchRecordId } from '../../workflows/contract.ts';
import { fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';
import { findNamedRecord } from './find-record.ts';
import { inWords } from './interval.ts';

const outcomeOf = ({ lastOutcome, isBaseline }: ReturnType<typeof presentRecord>): string | null =>
  isBaseline ? 'first good check' : lastOutcome;

export interface ShowOptions extends Printing {
  account?: string;
}

/** @throws CommanderError when there is no such record */
export async function show(reference: string, { account, ...printing }: ShowOptions): Promise<void> {
  const record = await withDatabase((db) => findNamedRecord(db, reference, account));
  const shown = {
    ...presentRecord(record),
    accountId: record.accountId,
    workflowId: watchRecordId(record.id),
  };
  const { lastError } = shown;
  print(printing, shown, () =>
    fields({
      Record: shown.id,
      Slug: shown.slug,
      Name: shown.name,
      Account: shown.accountId,
      URL: shown.url,
      Tier: shown.tier,
      Status: shown.status,
      'Asked for': `a check every ${inWords(record.checkIntervalSeconds)}`,
      'Last check': shown.lastCheckedAt,
      Outcome: lastError === null ? outcomeOf(shown) : `${shown.lastOutcome}: ${lastError.code}`,
      'Failures in a row': shown.consecutiveFailures,
      'Next check': shown.nextCheckAt,
      Rows: shown.totalRows,
      Workflow: shown.workflowId,
    }),
  );
}
