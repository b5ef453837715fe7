// Statements that share connections get their own answers, whatever happens to the others.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPipelines, type Pipelines, type PipelinesOptions } from '../../../db/driver/pipelines.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { lookUp } from '../../../db/driver/prepared.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';

const LOCK = 4_711;
const ECHO = { name: 'echo', text: 'select $1::text as said' };
const WAIT = { name: 'wait', text: `select pg_advisory_xact_lock_shared(${LOCK})` };

let database: TestDatabase;
let admin: pg.Client;
const opened: Pipelines[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client(database.url);
  await admin.connect();
});

afterEach(async () => {
  await admin.query('select pg_advisory_unlock_all()');
  await Promise.all(opened.splice(0).map((pipelines) => pipelines.end()));
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

interface Opened {
  pipelines: Pipelines;
  say: (text: string) => Promise<string | undefined>;
  connections: () => Promise<number[]>;
}

function open(options: PipelinesOptions = { max: 4 }): Opened {
  const name = randomBytes(8).toString('hex');
  const pipelines = createPipelines({ connectionString: database.url, application_name: name }, options);
  opened.push(pipelines);
  return {
    pipelines,
    say: async (text) => {
      const [row] = await pipelines.rows<{ said: string }>({ ...ECHO, values: [text] });
      return row?.said;
    },
    connections: async () => {
      const sql = 'select pid from pg_stat_activity where application_name = $1';
      const { rows } = await admin.query<{ pid: number }>(sql, [name]);
      return rows.map(({ pid }) => pid);
    },
  };
}

const numbers = Array.from({ length: 200 }, (_, index) => String(index));

describe('statements that share connections', () => {
  it('get their own rows, over two connections', async () => {
    const { say, connections } = open();
    await Promise.all(['a', 'b'].map(say));
    expect(await Promise.all(numbers.map(say))).toEqual(numbers);
    expect((await connections()).length).toBeLessThanOrEqual(4);
  });

  it('fail alone: an error reaches only the statement that caused it', async () => {
    const { pipelines, say } = open();
    const wrong = { name: 'wrong', text: 'select 1 / $1::int as result', values: [0] };
    const all = await Promise.allSettled([say('before'), pipelines.rows(wrong), say('after')]);
    expect(all).toMatchObject([
      { value: 'before' },
      { reason: { code: '22012' } },
      { status: 'fulfilled', value: 'after' },
    ]);
    // The statement stays prepared.
    await expect(pipelines.rows({ ...wrong, values: [1] })).resolves.toEqual([{ result: 1 }]);
  });

  it('avoid a connection that is stalled', async () => {
    const { pipelines, say } = open();
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const held = [pipelines.rows(WAIT), pipelines.rows(WAIT)];
    let answered = 0;
    // Statements sent at once queue behind the two stalled ones; later ones do not.
    const told: Promise<unknown>[] = [];
    await until('three are answered', () => {
      told.push(say('late').then(() => (answered += 1)));
      return answered >= 3;
    });
    await admin.query('select pg_advisory_unlock_all()');
    await expect(Promise.all([...held, ...told])).resolves.toBeDefined();
  });

  it('fail when their connection breaks, and later ones get a new connection', async () => {
    const { pipelines, say, connections } = open();
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const held = Promise.allSettled([pipelines.rows(WAIT), pipelines.rows(WAIT), say('behind')]);
    await until('both are connected', async () => (await connections()).length === 2);
    await admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [await connections()]);
    const codes = (await held).map((one) => one.status === 'rejected' && one.reason.code);
    expect(codes.every((code) => ['57P01', 'ECONNRESET'].includes(code))).toBe(true);
    await expect(say('again')).resolves.toBe('again');
  });

  it('fail when their connection has been silent for too long', async () => {
    const { pipelines, say } = open({ max: 1, patienceMs: 50 });
    await say('first');
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const held = Promise.allSettled([pipelines.rows(WAIT)]);
    const told: Promise<unknown>[] = [];
    let answered = 0;
    await until('one is answered', () => {
      told.push(
        say('late').then(
          () => (answered += 1),
          () => undefined,
        ),
      );
      return answered > 0;
    });
    expect(await held).toMatchObject([{ reason: { code: 'ECONNRESET' } }]);
    await Promise.all(told);
  });

  it('say why there is no connection', async () => {
    const pipelines = createPipelines({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }, { max: 2 });
    const statement = { ...ECHO, values: ['x'] };
    const both = await Promise.allSettled([pipelines.rows(statement), pipelines.rows(statement)]);
    expect(both).toMatchObject([{ reason: { code: 'ECONNREFUSED' } }, { reason: { code: 'ECONNREFUSED' } }]);
  });

  it('are answered before the connections end', async () => {
    const { pipelines, say } = open();
    const told = Promise.all(numbers.map(say));
    await pipelines.end();
    await expect(told).resolves.toEqual(numbers);
  });
});

describe('the columns of a prepared statement', () => {
  it('are described once per connection, and later rows are read the same way', async () => {
    const { pipelines } = open({ max: 1 });
    const describing = vi.spyOn(pg.Connection.prototype, 'describe');
    const statement = {
      name: 'kinds',
      text: `select 1 as "whole", null::text as "none", $1::text as "text", true as "isTrue",
        '{a,NULL}'::text[] as "list", '{"b":[1]}'::jsonb as "json", 'epoch'::timestamptz as "time"`,
    };
    const first = await pipelines.rows({ ...statement, values: ['a'] });
    const others = await Promise.all(
      ['b', 'c'].map((text) => pipelines.rows({ ...statement, values: [text] })),
    );
    const row = { whole: 1, none: null, isTrue: true, list: ['a', null], json: { b: [1] } };
    const time = new Date(0);
    expect(first).toEqual([{ ...row, text: 'a', time }]);
    expect(others).toEqual([[{ ...row, text: 'b', time }], [{ ...row, text: 'c', time }]]);
    expect(describing).toHaveBeenCalledTimes(1);
    describing.mockRestore();
  });

  it('are not reused after they changed', async () => {
    const { pipelines } = open({ max: 1 });
    await admin.query('create table growing as select 1 as first');
    const statement = { name: 'growing', text: 'select * from growing', values: [] };
    expect(await pipelines.rows(statement)).toEqual([{ first: 1 }]);
    await admin.query(`alter table growing add column second text default 'x'`);
    await expect(pipelines.rows(statement)).rejects.toMatchObject({ code: '0A000' });
  });

  it('of type bigint are read as numbers, as in statements of the pool', async () => {
    const long = 'select 2::bigint as "long"';
    expect(await lookUp(database.db, long, [])).toEqual([{ long: 2 }]);
    expect(await rawRows(database.db, long)).toEqual([{ long: 2 }]);
    await expect(database.db.transaction((trx) => lookUp(trx, long, []))).rejects.toThrow('Pipelines');
  });

  it('may be missing', async () => {
    const { pipelines } = open({ max: 1 });
    const statement = { name: 'nothing', text: 'set local search_path to public', values: [] };
    for (const time of [1, 2]) expect([time, await pipelines.rows(statement)]).toEqual([time, []]);
  });
});
