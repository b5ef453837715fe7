// The notebook of the Python client, run cell by cell against the running API, as Jupyter runs it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { INSTALL_MS } from '../../support/servers/python-packages.ts';
import { CLIENT, pythonEnvironment } from './python.ts';

const { api, baseUrl } = await useListeningApi();
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  env = await pythonEnvironment();
}, INSTALL_MS);

interface Notebook {
  cells: { cell_type: string; source: string[]; outputs?: unknown[] }[];
}

/** Runs the cells on standard input in one namespace, and prints the value of each one's last line. */
const RUN_CELLS = `
import ast, json, sys
import pandas
pandas.set_option("display.width", 500, "display.max_columns", None)
space = {}
for cell in json.load(sys.stdin):
    *statements, last = ast.parse(cell).body
    exec(compile(ast.Module(statements, []), "cell", "exec"), space)
    print(eval(compile(ast.Expression(last.value), "cell", "eval"), space), end="\\n---\\n")
`;

it('shows records, a version, changes and the feed', async () => {
  const record = await createTestRecord(api.db, api.accountId, { keyFields: ['id'], slug: 'prices' });
  for (const [jam, tea] of [
    ['3.20', '1'],
    ['3.50', '1'],
    ['3.50', '2'],
    ['3.80', '2'],
  ]) {
    // prettier-ignore
    const row = (id: string, price = '') => JSON.stringify({ id, price });
    await commitRows(api.db, record, { jam: row('jam', jam), tea: row('tea', tea) }, ['id', 'price']);
  }
  const notebook = JSON.parse(readFileSync(join(CLIENT, 'examples/changes.ipynb'), 'utf8')) as Notebook;
  const cells = notebook.cells.filter(({ cell_type: type }) => type === 'code');
  expect(cells.flatMap(({ outputs }) => outputs)).toEqual([]);
  const settings = {
    RECORDWATCH_URL: baseUrl,
    RECORDWATCH_API_KEY: api.fullKey,
    RECORDWATCH_RECORD: 'prices',
  };
  const running = promisify(execFile)('python3', ['-c', RUN_CELLS], { env: { ...env, ...settings } });
  running.child.stdin?.end(JSON.stringify(cells.map(({ source }) => source.join(''))));
  const shown = (await running).stdout.split('\n---\n');
  expect(shown).toEqual([
    expect.stringMatching(/slug +name +url +totalRows\n0 +prices +Prices .* 2$/),
    expect.stringMatching(/id +price\n0 +jam +3\.80\n1 +tea +2$/),
    expect.stringMatching(/newCount +changedCount +deletedCount\n.*(?:\n.* 0 +1 +0){3}$/),
    expect.stringMatching(/changed +jam +\[price\] .*3\.50.*3\.80/),
    expect.stringMatching(/price +3\n/),
    expect.stringMatching(/^(?:.*'prices', 'delta'.*){3}$/),
    '',
  ]);
});
