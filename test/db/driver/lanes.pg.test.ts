// Statements that share connections: each gets its own answer, whatever becomes of the others.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLanes, type Lanes, type LanesOptions } from '../../../db/driver/lanes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const LOCK = 4_711;
const ECHO = { name: 'echo', text: 'select $1::text as said' };
const WAIT = { name: 'wait', text: `select pg_advisory_xact_lock_shared(${LOCK})` };

let database: TestDatabase;
let admin: pg.Client;
const opened: Lanes[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client(database.url);
  await admin.connect();
});

afterEach(async () => {
  await admin.query('select pg_advisory_unlock_all()');
  await Promise.all(opened.splice(0).map((lanes) => lanes.end()));
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

interface Opened {
  lanes: Lanes;
  say: (text: string) => Promise<string | undefined>;
  connections: () => Promise<number[]>;
}

function open(options: LanesOptions = { max: 4 }): Opened {
  const name = randomBytes(8).toString('hex');
  const lanes = createLanes({ connectionString: database.url, application_name: name }, options);
  opened.push(lanes);
  return {
    lanes,
    say: async (text) => {
      const [row] = await lanes.rows<{ said: string }>({ ...ECHO, values: [text] });
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
  it('answers each with its own rows, over two connections', async () => {
    const { say, connections } = open();
    await Promise.all(['a', 'b'].map(say));
    expect(await Promise.all(numbers.map(say))).toEqual(numbers);
    expect((await connections()).length).toBeLessThanOrEqual(4);
  });

  it('tells a fault to the one statement that has it', async () => {
    const { lanes, say } = open();
    const wrong = { name: 'wrong', text: 'select 1 / $1::int as result', values: [0] };
    const all = await Promise.allSettled([say('before'), lanes.rows(wrong), say('after')]);
    expect(all).toMatchObject([
      { value: 'before' },
      { reason: { code: '22012' } },
      { status: 'fulfilled', value: 'after' },
    ]);
    // The statement stays prepared.
    await expect(lanes.rows({ ...wrong, values: [1] })).resolves.toEqual([{ result: 1 }]);
  });

  it('leaves alone a connection that is held up', async () => {
    const { lanes, say } = open();
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const held = [lanes.rows(WAIT), lanes.rows(WAIT)];
    let answered = 0;
    // Those that come at once queue up behind the two; the others do not.
    const told: Promise<unknown>[] = [];
    await until('three are answered', () => {
      told.push(say('late').then(() => (answered += 1)));
      return answered >= 3;
    });
    await admin.query('select pg_advisory_unlock_all()');
    await expect(Promise.all([...held, ...told])).resolves.toBeDefined();
  });

  it('opens another connection when one breaks, and says to whom it mattered that it did', async () => {
    const { lanes, say, connections } = open();
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const held = Promise.allSettled([lanes.rows(WAIT), lanes.rows(WAIT), say('behind')]);
    await until('both are connected', async () => (await connections()).length === 2);
    await admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [await connections()]);
    const codes = (await held).map((one) => one.status === 'rejected' && one.reason.code);
    expect(codes.every((code) => ['57P01', 'ECONNRESET'].includes(code))).toBe(true);
    await expect(say('again')).resolves.toBe('again');
  });

  it('gives up a connection that has said nothing for too long', async () => {
    const { lanes, say } = open({ max: 1, patienceMs: 50 });
    await say('first');
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const held = Promise.allSettled([lanes.rows(WAIT)]);
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

  it('says why it cannot connect', async () => {
    const lanes = createLanes({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }, { max: 2 });
    const statement = { ...ECHO, values: ['x'] };
    const both = await Promise.allSettled([lanes.rows(statement), lanes.rows(statement)]);
    expect(both).toMatchObject([{ reason: { code: 'ECONNREFUSED' } }, { reason: { code: 'ECONNREFUSED' } }]);
  });

  it('answers what is under way before it ends', async () => {
    const { lanes, say } = open();
    const told = Promise.all(numbers.map(say));
    await lanes.end();
    await expect(told).resolves.toEqual(numbers);
  });
});

describe('columns of a prepared statement', () => {
  it('are described once to a connection, and read alike ever after', async () => {
    const { lanes } = open({ max: 1 });
    const describing = vi.spyOn(pg.Connection.prototype, 'describe');
    const statement = {
      name: 'kinds',
      text: `select 1 as "whole", 2::bigint as "long", null::text as "none", $1::text as "text", true as "isTrue",
        '{a,NULL}'::text[] as "list", '{"b":[1]}'::jsonb as "json", 'epoch'::timestamptz as "time"`,
    };
    const first = await lanes.rows({ ...statement, values: ['a'] });
    const others = await Promise.all(['b', 'c'].map((text) => lanes.rows({ ...statement, values: [text] })));
    const row = { whole: 1, long: 2, none: null, isTrue: true, list: ['a', null], json: { b: [1] } };
    const time = new Date(0);
    expect(first).toEqual([{ ...row, text: 'a', time }]);
    expect(others).toEqual([[{ ...row, text: 'b', time }], [{ ...row, text: 'c', time }]]);
    expect(describing).toHaveBeenCalledTimes(1);
    describing.mockRestore();
  });

  it('are not mistaken for those that they become', async () => {
    const { lanes } = open({ max: 1 });
    await admin.query('create table growing as select 1 as first');
    const statement = { name: 'growing', text: 'select * from growing', values: [] };
    expect(await lanes.rows(statement)).toEqual([{ first: 1 }]);
    await admin.query(`alter table growing add column second text default 'x'`);
    await expect(lanes.rows(statement)).rejects.toMatchObject({ code: '0A000' });
  });

  it('need not be there', async () => {
    const { lanes } = open({ max: 1 });
    const statement = { name: 'nothing', text: 'set local search_path to public', values: [] };
    for (const time of [1, 2]) expect([time, await lanes.rows(statement)]).toEqual([time, []]);
  });
});
