// deploy/postgres/own-role.sql on a volume of earlier versions, where the role of API and workers was the superuser. The server
// trusts its own machine's socket and asks for passwords elsewhere, as the image's does. Needs psql.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../cli/postgres/start-postgres.ts';
import { programsOnPath } from '../../cli/programs/on-path.ts';
import { connectOnce } from '../../db/driver/connect-once.ts';
import { type Database, openDatabase, rawRows } from '../../db/driver/knex.ts';
import { migrate, rollBackAll } from '../../db/migrate.ts';
import { temporaryFolder } from '../cli/process/temporary-folder.ts';
import { commitTable, makeRecord, table } from '../db/factories.ts';
import { runProgram } from '../support/servers/run-program.ts';

const SCRIPT = readFileSync(new URL('../../deploy/postgres/own-role.sql', import.meta.url), 'utf8');
const SUPERUSER_PASSWORD = "it's-new";
const [psql] = programsOnPath('psql');

interface Volume {
  db: Database;
  /** As API, workers and `migrate` connect. */
  url: string;
  /** Runs the script as docs/operations.md says. */
  runScript: () => ReturnType<typeof runProgram>;
}

async function startOldVolume(): Promise<Volume> {
  const folder = temporaryFolder();
  const hbaFile = join(folder, 'pg_hba.conf');
  writeFileSync(hbaFile, 'local all all trust\nhost all all all scram-sha-256\n');
  const settings = { fsync: 'off', hba_file: hbaFile, unix_socket_directories: folder };
  const { url, port, stop } = await startPostgres({ dataDir: join(folder, 'postgres'), settings });
  onTestFinished(stop);
  await migrate(url);
  const db = openDatabase(url, { poolSize: 2, statementTimeoutMs: 60_000 });
  onTestFinished(() => db.destroy());
  const args = [
    '--host',
    folder,
    '--port',
    String(port),
    '--username',
    'recordwatch',
    '--dbname',
    'recordwatch',
  ];
  const env = { POSTGRES_PASSWORD: SUPERUSER_PASSWORD };
  return { db, url, runScript: () => runProgram(args, { input: SCRIPT, env }, [psql ?? '']) };
}

const superusers = (db: Database): Promise<unknown> =>
  db('pg_roles').where({ rolsuper: true }).pluck('rolname');

/** Who owns the database, and relations, routines, types and statistics of the product. */
const owners = (db: Database): Promise<unknown> =>
  rawRows(
    db,
    `select distinct pg_get_userbyid(owner) as owner from (
       select datdba as owner from pg_database where datname = current_database()
       union select relowner from pg_class where relnamespace = 'public'::regnamespace
       union select proowner from pg_proc where pronamespace = 'public'::regnamespace
       union select typowner from pg_type where typnamespace = 'public'::regnamespace
       union select stxowner from pg_statistic_ext where stxnamespace = 'public'::regnamespace) as owned`,
  );

describe.skipIf(psql === undefined)('own-role.sql', () => {
  it('takes the rights of a superuser from the role, which keeps its password, its data and its work', async () => {
    const { db, url, runScript } = await startOldVolume();
    const record = await makeRecord(db);
    await commitTable(db, record, table({ a: '1' }));
    expect(await superusers(db)).toEqual(['recordwatch']);
    expect(await runScript()).toMatchObject({ code: 0 });
    await db.destroy();
    const after = openDatabase(url, { poolSize: 2, statementTimeoutMs: 60_000 });
    onTestFinished(() => after.destroy());
    expect(await superusers(after)).toEqual(['postgres']);
    expect(await owners(after)).toEqual([{ owner: 'recordwatch' }]);
    const version = table({ a: '2', b: '1' });
    expect(await commitTable(after, record, version)).toMatchObject({ counts: { new: 1, changed: 1 } });
    await rollBackAll(url);
    await migrate(url);
    await makeRecord(after);
  });

  it('changes nothing when it runs again, and removes what a run left that broke off at its end', async () => {
    const { url, runScript } = await startOldVolume();
    expect(await runScript()).toMatchObject({ code: 0 });
    const superuser = Object.assign(new URL(url), { username: 'postgres', password: SUPERUSER_PASSWORD });
    await connectOnce(superuser.href, (client) => client.query('create role handover superuser login'));
    expect(await runScript()).toMatchObject({ code: 0 });
    await connectOnce(superuser.href, async (client) => {
      const { rows } = await client.query(
        "select rolname, rolsuper from pg_roles where rolname !~ '^pg_' order by 1",
      );
      expect(rows).toEqual([
        { rolname: 'postgres', rolsuper: true },
        { rolname: 'recordwatch', rolsuper: false },
      ]);
    });
    await connectOnce(url, (client) => client.query('select 1'));
  });
});
