// Reads and writes the tables of the sign-in library, by conditions that the library chooses.
import type { Database } from '../driver/knex.ts';

export type LoginTable = 'users' | 'loginMethods' | 'loginSessions' | 'verifications';

export type LoginValue = string | number | boolean | Date | Buffer | null;
export type LoginRow = Readonly<Record<string, LoginValue>>;

const OPERATORS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

export interface LoginCondition {
  column: string;
  operator: keyof typeof OPERATORS;
  value: LoginValue;
}

export interface Order {
  column: string;
  direction: 'asc' | 'desc';
}

/** A session ends this long after it began, however often it is used. */
const SESSION_LIFE_DAYS = 30;

/** Far more than a user has sessions, links or login methods. */
const MAX_ROWS = 1_000;

export async function insertLoginRow(db: Database, table: LoginTable, row: LoginRow): Promise<LoginRow> {
  const [stored] = await db(table).insert(row).returning('*');
  return stored;
}

export async function findLoginRows(
  db: Database,
  table: LoginTable,
  conditions: readonly LoginCondition[],
  { limit = MAX_ROWS, order }: { limit?: number; order?: Order | undefined } = {},
): Promise<LoginRow[]> {
  const query = matching(db, table, conditions).select('*').limit(limit);
  return order === undefined ? query : query.orderBy(order.column, order.direction);
}

export async function updateLoginRows(
  db: Database,
  table: LoginTable,
  conditions: readonly LoginCondition[],
  changes: LoginRow,
): Promise<LoginRow[]> {
  return matching(db, table, conditions)
    .update(bounded(db, table, changes))
    .returning('*');
}

/** @returns the deleted rows: of two calls that delete a row at the same time, one gets it */
export async function deleteLoginRows(
  db: Database,
  table: LoginTable,
  conditions: readonly LoginCondition[],
): Promise<LoginRow[]> {
  return matching(db, table, conditions).delete().returning('*');
}

/** @throws Error without conditions: no call is meant for all rows */
function matching(db: Database, table: LoginTable, conditions: readonly LoginCondition[]) {
  if (conditions.length === 0) throw new Error(`A statement on ${table} has no conditions`);
  return conditions.reduce(
    (query, { column, operator, value }) =>
      value === null ? query.whereNull(column) : query.where(column, OPERATORS[operator], value),
    db(table),
  );
}

/** Limits the expiry of a session to its longest life. */
function bounded(db: Database, table: LoginTable, changes: LoginRow) {
  const { expiresAt } = changes;
  if (table !== 'loginSessions' || !(expiresAt instanceof Date)) return changes;
  const last = db.raw(`least(?::timestamptz, created_at + ? * interval '1 day')`, [
    expiresAt,
    SESSION_LIFE_DAYS,
  ]);
  return { ...changes, expiresAt: last };
}
