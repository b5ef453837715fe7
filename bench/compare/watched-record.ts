// A record of the running system whose origin sends a file; checked on demand.
import { waitFor } from '../../cli/process/wait-for.ts';
import type { Pairing } from '../../core/delta/pair-similar.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import { rawRows } from '../../db/driver/knex.ts';
import { shortChecksSql, shortRowsSql } from '../../db/unchanged-checks.ts';
import type { System } from '../system.ts';
import type { FileOrigin } from './file-origin.ts';

export interface WatchedRecord {
  id: string;
  /** Has the file checked. @returns from the check's beginning to its commit, in ms @throws Error when it failed */
  check: (file: string) => Promise<number>;
  remove: () => Promise<void>;
}

export interface WatchSettings {
  format: 'csv' | 'jsonl';
  ignoreFields?: string[];
  rules?: ColumnRules;
  /** A row's content is its key. */
  isKeyless?: boolean;
  pairing?: Pairing;
}

const SHORT_CHECKS = shortChecksSql(shortRowsSql(':recordId'), ':recordId');
const DEADLINE_MS = 900_000;

export async function watchRecord(
  system: System,
  origin: FileOrigin,
  { format, ignoreFields = [], rules = {}, isKeyless = false, pairing }: WatchSettings,
): Promise<WatchedRecord> {
  const { api, db } = system;
  origin.serve(null);
  const record = await api.call('POST', '/v1/sources', {
    url: origin.url, format, ignoreFields, rules, keyFields: ['id'], pairing, checkIntervalMinutes: 60,
  }); // prettier-ignore
  const id = String(record['id']);
  // Records begin on a tier that is too small; the check that creation asks for fails before that is changed.
  await awaitCheck(system, id, 1);
  // The API takes no empty key: it would detect the one that the feed has.
  await db('records')
    .where({ id })
    .update({ tier: 'max', ...(isKeyless && { keyFields: [] }) });
  let number = 1;
  return {
    id,
    async check(file) {
      origin.serve(file);
      await api.call('POST', `/v1/sources/${id}/check`);
      const { ms, outcome, error } = await awaitCheck(system, id, ++number);
      if (outcome === 'changed' || outcome === 'unchanged') return ms;
      throw new Error(`Check ${number} is ${outcome}: ${error}`);
    },
    async remove() {
      await api.call('DELETE', `/v1/sources/${id}`);
    },
  };
}

interface MeasuredCheck {
  ms: number;
  outcome: string;
  error: string | null;
}

function awaitCheck({ db }: System, recordId: string, number: number): Promise<MeasuredCheck> {
  return waitFor(
    async () => {
      const [row] = await rawRows<MeasuredCheck>(
        db,
        `select extract(epoch from finished_at - started_at)::float8 * 1000 as ms, outcome, error from (
           select number, started_at, finished_at, outcome, error_code || ' ' || error_detail as error from checks
           where record_id = :recordId
           union all
           select number, started_at, finished_at, outcome, null from (${SHORT_CHECKS}) short
         ) each where number = :number`,
        { recordId, number },
      );
      return row;
    },
    { what: `check ${number} is there`, timeoutMs: DEADLINE_MS },
  );
}
