// Storage adapter of the sign-in library: its models on our tables, with tokens stored as hashes.
import { hash, randomUUID } from 'node:crypto';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/types';
import type { Database } from '../../db/driver/knex.ts';
import {
  type LoginCondition,
  deleteLoginRows,
  findLoginRows,
  insertLoginRow,
  type LoginRow,
  type LoginTable,
  type LoginValue,
  updateLoginRows,
} from '../../db/access/login-rows.ts';
import { newId } from '../contract/new-id.ts';

interface Model {
  table: LoginTable;
  /** Columns by the library's field names. Its other fields are not stored. */
  columns: Readonly<Record<string, string>>;
  /** The field that is stored as its SHA-256. */
  secret?: string;
  /** Fields that the library reads and no column has. */
  constants?: (row: LoginRow) => object;
  newId: () => string;
}

const MODELS: Readonly<Record<string, Model>> = {
  user: {
    table: 'users',
    columns: same('id', 'accountId', 'email', 'name', 'createdAt', 'updatedAt'),
    // A user exists only once the address is confirmed.
    constants: () => ({ emailVerified: true, image: null }),
    newId: () => newId('user', Date.now()),
  },
  account: {
    table: 'loginMethods',
    columns: {
      ...same('id', 'userId', 'createdAt', 'updatedAt'),
      accountId: 'userId',
      providerId: 'kind',
      password: 'passwordHash',
    },
    newId: randomUUID,
  },
  session: {
    table: 'loginSessions',
    columns: {
      ...same('id', 'userId', 'createdAt', 'expiresAt', 'userAgent'),
      token: 'tokenHash',
      ipAddress: 'address',
      updatedAt: 'lastUsedAt',
    },
    secret: 'token',
    newId: () => newId('loginSession', Date.now()),
  },
  verification: {
    table: 'verifications',
    columns: { ...same('id', 'value', 'createdAt', 'expiresAt'), identifier: 'identifierHash' },
    secret: 'identifier',
    newId: randomUUID,
  },
};

function same(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** The stored form of a secret. */
export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export function authStorage(db: Database): DBAdapter {
  return {
    ...onConnection(db),
    transaction: (work) => db.transaction((trx) => work(onConnection(trx))),
  };
}

function onConnection(db: Database): DBTransactionAdapter {
  const find = async (
    name: string,
    where: readonly Where[],
    options: Parameters<typeof findLoginRows>[3] = {},
  ): Promise<object[]> => {
    const model = modelOf(name);
    const rows = await findLoginRows(db, model.table, where.map(conditionIn(model)), options);
    return rows.map((row) => fieldsOf(model, row, where));
  };
  const updateRows = async (name: string, where: readonly Where[], changes: object): Promise<LoginRow[]> => {
    const model = modelOf(name);
    return updateLoginRows(db, model.table, where.map(conditionIn(model)), rowOf(model, changes));
  };
  const deleteRows = async (name: string, where: readonly Where[]): Promise<LoginRow[]> => {
    const model = modelOf(name);
    return deleteLoginRows(db, model.table, where.map(conditionIn(model)));
  };
  return {
    id: 'recordwatch',
    create: async ({ model: name, data }) => {
      const model = modelOf(name);
      const row = await insertLoginRow(db, model.table, { id: model.newId(), ...rowOf(model, data) });
      // The library expects its input back, with the secret that it just generated.
      return { ...fieldsOf(model, row, []), ...secretOf(model, data) } as never;
    },
    // The casts: the caller chooses the result type.
    findOne: async ({ model, where, join }) => {
      const [found] = await find(model, where, { limit: 1 });
      return found === undefined ? null : ((await joined(found, join, find)) as never);
    },
    findMany: async ({ model, where = [], limit, sortBy }) =>
      (await find(model, where, {
        ...(limit === undefined ? {} : { limit }),
        order: sortBy && { column: columnOf(modelOf(model), sortBy.field), direction: sortBy.direction },
      })) as never,
    update: async ({ model, where, update }) => {
      const [row] = await updateRows(model, where, update);
      return row === undefined ? null : (fieldsOf(modelOf(model), row, where) as never);
    },
    updateMany: async ({ model, where, update }) => (await updateRows(model, where, update)).length,
    delete: async ({ model, where }) => void (await deleteRows(model, where)),
    deleteMany: async ({ model, where }) => (await deleteRows(model, where)).length,
    consumeOne: async ({ model: name, where }) => {
      const [row] = await deleteRows(name, where);
      return row === undefined ? null : (fieldsOf(modelOf(name), row, where) as never);
    },
    count: () => refuse('count'),
    incrementOne: () => refuse('incrementOne'),
  };
}

type Find = (name: string, where: readonly Where[]) => Promise<object[]>;

/** A session with its user, or a user with their passwords. */
async function joined(
  found: object & { id?: string; userId?: string },
  join: Readonly<Record<string, unknown>> | undefined,
  find: Find,
): Promise<object> {
  const parts: Record<string, unknown> = {};
  for (const [name, isWanted] of Object.entries(join ?? {})) {
    if (isWanted === false) continue;
    if (name === 'user') [parts['user']] = await find('user', [{ field: 'id', value: found.userId ?? '' }]);
    else parts[name] = await find(name, [{ field: 'userId', value: found.id ?? '' }]);
  }
  return { ...found, ...parts };
}

function modelOf(name: string): Model {
  const model = MODELS[name];
  if (model === undefined) throw new Error(`Sign-in has no model ${name}`);
  return model;
}

function columnOf({ columns, table }: Model, field: string): string {
  const column = columns[field];
  if (column === undefined) throw new Error(`${table} have no ${field}`);
  return column;
}

function conditionIn(model: Model) {
  return ({ field, operator = 'eq', value, connector = 'AND' }: Where): LoginCondition => {
    const isKnown = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].includes(operator);
    if (!isKnown || Array.isArray(value) || connector !== 'AND') return refuse(`${connector} ${operator}`);
    return {
      column: columnOf(model, field),
      operator: operator as LoginCondition['operator'],
      value: stored(model, field, value),
    };
  };
}

function rowOf(model: Model, fields: object): LoginRow {
  return Object.fromEntries(
    Object.entries(fields as Readonly<Record<string, LoginValue | undefined>>)
      .filter(([field, value]) => value !== undefined && model.columns[field] !== undefined)
      .map(([field, value = null]) => [columnOf(model, field), stored(model, field, value)]),
  );
}

const stored = ({ secret }: Model, field: string, value: LoginValue): LoginValue =>
  field === secret ? secretHash(String(value)) : value;

/** The secret in the result is the one in the query, because only its hash is stored. */
function fieldsOf(model: Model, row: LoginRow, where: readonly Where[]): object {
  const { columns, secret, constants } = model;
  const fields = Object.fromEntries(
    Object.entries(columns)
      .filter(([field]) => field !== secret)
      .map(([field, column]) => [field, row[column]]),
  );
  const asked = Object.fromEntries(where.map(({ field, value }) => [field, value]));
  return { ...fields, ...constants?.(row), ...secretOf(model, asked) };
}

function secretOf({ secret }: Model, fields: object): object {
  if (secret === undefined) return {};
  return { [secret]: (fields as Readonly<Record<string, unknown>>)[secret] ?? '' };
}

function refuse(what: string): never {
  throw new Error(`The sign-in library asked for ${what}, which its storage does not support`);
}
