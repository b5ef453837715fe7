// Counts calls. Calls that arrive while a statement runs share the next one, so that a busy process writes a few times for
// many calls. Exact over any number of processes: a statement takes for each subject at most what is left.
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../driver/knex.ts';
import { preparedWrite } from '../driver/prepared.ts';
import { BEGIN, END, type Period, type Taken } from './usage-counters.ts';

const GATHERING_MS = 2;

interface Asked {
  subject: string;
  limit: number;
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
}

interface Line {
  waiting: Asked[];
  isBusy: boolean;
}

/**
 * Takes one of `limit`, if any is left. Does not wait for the disk: if the database server loses power, the calls of the
 * last half second are not counted.
 */
export type CountCall = (subject: string, period: Period, limit: number) => Promise<Taken>;

export function createCallCounter(db: Database): CountCall {
  const lines = new Map<Period, Line>();
  return (subject, period, limit) => {
    const line = lines.get(period) ?? { waiting: [], isBusy: false };
    lines.set(period, line);
    return new Promise((resolve, reject) => {
      line.waiting.push({ subject, limit, resolve, reject });
      if (line.isBusy) return;
      line.isBusy = true;
      // After all calls of this turn of the event loop.
      setImmediate(() => void drain(db, period, line));
    });
  };
}

async function drain(db: Database, period: Period, line: Line): Promise<void> {
  while (line.waiting.length > 0) {
    const asked = line.waiting.splice(0);
    try {
      answer(asked, await take(db, period, asked));
      // More calls are likely, so a short pause gathers them. A single call never waits.
      if (asked.length > 1) await wait(GATHERING_MS);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
  line.isBusy = false;
}

interface Share {
  subject: string;
  /** Counts before and after these calls; null when none was left. */
  before: number | null;
  after: number | null;
  resetInSeconds: number | null;
}

/** Gives each subject's share to its first callers. */
function answer(asked: readonly Asked[], shares: readonly Share[]): void {
  const left = new Map(
    shares.map(({ subject, before, after, resetInSeconds }) => [
      subject,
      { used: before ?? 0, last: after ?? 0, resetInSeconds },
    ]),
  );
  for (const { subject, limit, resolve } of asked) {
    const share = left.get(subject);
    const isTaken = share !== undefined && share.used < share.last;
    if (isTaken) share.used += 1;
    resolve({ isTaken, used: isTaken ? share.used : limit, resetInSeconds: share?.resetInSeconds ?? null });
  }
}

function take(db: Database, period: Period, asked: readonly Asked[]): Promise<Share[]> {
  const bySubject = new Map<string, { limit: number; wanted: number }>();
  for (const { subject, limit } of asked) {
    bySubject.set(subject, { limit, wanted: (bySubject.get(subject)?.wanted ?? 0) + 1 });
  }
  // In a fixed order, so that statements of two processes cannot deadlock.
  const subjects = [...bySubject.keys()].toSorted();
  return preparedWrite<Share>(db, STATEMENTS[period], [
    subjects,
    subjects.map((subject) => bySubject.get(subject)?.limit),
    subjects.map((subject) => bySubject.get(subject)?.wanted),
  ]);
}

/** Does not touch a subject at its limit. A subject with too few left gives all that it has. */
const statementOf = (period: Period): string => `
  with unsynced as materialized (
    select set_config('synchronous_commit', 'off', true) is not null as is_set
  ), asked as (
    select subject, max_used, wanted from unsynced,
      unnest($1::text[], $2::integer[], $3::integer[]) with ordinality as given (subject, max_used, wanted, ordinal)
    where is_set order by ordinal
  ), taken as (
    insert into usage_counters as counters (subject, period, used)
    select subject, ${BEGIN[period]}, least(wanted, max_used) from asked where max_used > 0
    on conflict (subject, period) do update set used = least(
      counters.used + (select wanted from asked where asked.subject = excluded.subject),
      (select max_used from asked where asked.subject = excluded.subject))
    where counters.used < (select max_used from asked where asked.subject = excluded.subject)
    returning counters.subject, coalesce(old.used, 0) as before, new.used as after
  )
  select asked.subject, before, after,
    extract(epoch from ${END[period]} - now())::double precision as "resetInSeconds"
  from asked left join taken on taken.subject = asked.subject`;

const STATEMENTS = { hour: statementOf('hour'), day: statementOf('day'), ever: statementOf('ever') };
