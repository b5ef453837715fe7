// What the origin of a failing record sent last.
import type { OriginAnswer } from '../../core/checks.ts';
import { type Database, rawRows } from '../driver/knex.ts';

export interface LastAnswer {
  httpStatus: number | null;
  /** Null without a response. */
  answer: OriginAnswer | null;
}

/** Of the record's last failed check that asked the origin; undefined if none is stored. */
export async function findLastAnswer(db: Database, recordId: string): Promise<LastAnswer | undefined> {
  const [check] = await rawRows<LastAnswer>(
    db,
    `select http_status as "httpStatus", answer from checks
     where record_id = :recordId and outcome = 'failed' and trigger not in ('settings', 'accepted')
     order by number desc limit 1`,
    { recordId },
  );
  return check;
}
