// The peer: DuckDB comparing two files, in a process of its own. `node bench/compare/duckdb.ts FOLDER FORMAT` prints a
// PeerResult. One fixed query: every value a text, a hash of each row, a full join on the key, the three counts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { COLUMNS } from './make-feed.ts';

export interface PeerResult {
  rounds: { ms: number; cpuMs: number }[];
  counts: { new: number; changed: number; deleted: number };
  peakBytes: number;
}

const ROUNDS = 5;
const [folder = '', format = 'csv'] = process.argv.slice(2);

const types = `{${COLUMNS.map((column) => `'${column}': 'VARCHAR'`).join(', ')}}`;
const rows = (version: number): string => {
  const file = join(folder, `${version}.${format}`);
  const reader =
    format === 'csv'
      ? `read_csv('${file}', header = true, delim = ',', quote = '"', escape = '"', all_varchar = true, auto_detect = false, columns = ${types})`
      : `read_json('${file}', format = 'newline_delimited', columns = ${types})`;
  return `(select id, hash(${COLUMNS.join(', ')}) as hash from ${reader})`;
};
const query = `select count(*) filter (where old.id is null) as "new",
    count(*) filter (where old.hash <> now.hash) as changed, count(*) filter (where now.id is null) as deleted
  from ${rows(1)} old full join ${rows(2)} now using (id)`;

const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
const result: PeerResult = { rounds: [], counts: { new: 0, changed: 0, deleted: 0 }, peakBytes: 0 };
for (let round = 0; round < ROUNDS; round++) {
  const [beganMs, began] = [performance.now(), process.cpuUsage()];
  const [counts = []] = await (await connection.run(query)).getRows();
  const { user, system } = process.cpuUsage(began);
  result.rounds.push({ ms: performance.now() - beganMs, cpuMs: (user + system) / 1_000 });
  const [fresh, changed, deleted] = counts.map(Number);
  result.counts = { new: fresh ?? NaN, changed: changed ?? NaN, deleted: deleted ?? NaN };
}
result.peakBytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
console.log(JSON.stringify(result));
