// The client package for Python, built as for a release and installed in an empty folder: it loads without its extras, and its types hold
// in strict programs.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALL_MS } from '../../support/servers/python-packages.ts';
import { CLIENT, FOLDER, pythonEnvironment } from './python.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-wheel-'));
const empty = join(folder, 'empty');
const built = join(folder, 'built');
let env: NodeJS.ProcessEnv;
afterAll(() => rmSync(folder, { recursive: true }));

const PYRIGHT = fileURLToPath(new URL('../../../node_modules/.bin/pyright', import.meta.url));

const python = (args: readonly string[], cwd = folder): Promise<string> => output('python3', args, cwd);

/** @returns what it printed, also when it failed */
const output = (program: string, args: readonly string[], cwd = folder): Promise<string> =>
  promisify(execFile)(program, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );

beforeAll(async () => {
  env = await pythonEnvironment(empty);
  mkdirSync(empty);
  cpSync(CLIENT, built, {
    recursive: true,
    filter: (path) => !/\/(dist|__pycache__|\.\w+_cache)$/.test(path),
  });
  await python(['-m', 'build', '--no-isolation', '--outdir', folder, built]);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? 'no wheel';
  const install = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', empty];
  await python([...install, join(folder, wheel)]);
}, INSTALL_MS);

it('has the version of the product, and its types', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(
    readdirSync(folder)
      .filter((name) => name.startsWith('recordwatch-'))
      .sort(),
  ).toEqual([`recordwatch-${version}-py3-none-any.whl`, `recordwatch-${version}.tar.gz`]);
  expect(existsSync(join(empty, 'recordwatch/py.typed'))).toBe(true);
});

it('loads without its extras, and says which one is missing', async () => {
  const program = `
import sys
sys.modules.update(dict.fromkeys(['pandas', 'polars', 'pyarrow', 'fastapi', 'django']))
import recordwatch, recordwatch.webhooks
from recordwatch import tables
print(recordwatch.Recordwatch('http://127.0.0.1:9').records is not None, recordwatch.__file__)
try:
    tables.to_pandas([])
except ImportError as error:
    print('missing', error.name)
`;
  expect(await python(['-c', program])).toBe(
    `True ${join(empty, 'recordwatch/__init__.py')}\nmissing pandas\n`,
  );
});

it('regression: waits although the API asks for no wait again and again', async () => {
  const program = `
from recordwatch._requests import wait_before
from recordwatch.errors import ApiError
hurried = ApiError(503, {}, 0.0)
print([wait_before(repetition, hurried) for repetition in (0, 1)], wait_before(2, hurried) >= 1, wait_before(9, hurried) >= 7.5)
print(wait_before(9, ApiError(429, {}, 40.0)))
`;
  expect(await python(['-c', program])).toBe('[0.0, 0.0] True True\n40.0\n');
});

it('regression: shows no key and no body of a request in a traceback', async () => {
  const program = `
from recordwatch._sync.transport import Settings
from recordwatch._requests import Request
print(Settings('https://recordwatch.example', 'hunter2'), Request('POST', '/', 1, {'authorization': 'hunter2'}, {'secret': 'hunter2'}))
`;
  const shown = await python(['-c', program]);
  expect(shown).toMatch(/^Settings\(.*Request\(/);
  expect(shown).not.toContain('hunter2');
});

it('keeps each digit of integers in tables, or makes texts of them', async () => {
  // JavaScript cannot hold these numbers.
  const text =
    '[{"gap":9007199254740993,"mixed":9007199254740993,"small":1},{"mixed":0.5,"small":0.5},' +
    '{"gap":9007199254740995,"large":1180591620717411303424}]';
  const program = `
import json
from recordwatch import tables
rows = json.loads('${text}')
made = tables.to_pandas(rows).to_dict('list'), tables.to_polars(rows).to_dict(as_series=False), tables.to_arrow(rows).to_pydict()
for columns in made:
    print(json.dumps([[None if type(value).__name__ == 'NAType' or value != value else value for value in column] for column in columns.values()]))
`;
  const column =
    '["9007199254740993", "0.5", null], [1.0, 0.5, null], [null, null, "1180591620717411303424"]';
  const line = `[[9007199254740993, null, 9007199254740995], ${column}]\n`;
  expect(await python(['-c', program])).toBe(line.repeat(3));
});

describe('has types for strict programs', () => {
  beforeAll(() => copyFileSync(join(FOLDER, 'types.py.txt'), join(folder, 'program.py')));

  it('under mypy', async () => {
    const told = await python(['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'cache'), 'program.py']);
    expect(told).toBe('Success: no issues found in 1 source file\n');
  });

  it('under pyright', async () => {
    const settings = { include: ['program.py'], typeCheckingMode: 'strict', pythonVersion: '3.11' };
    const paths = env['PYTHONPATH']?.split(':') ?? [];
    const project = join(folder, 'pyrightconfig.json');
    writeFileSync(project, JSON.stringify({ ...settings, extraPaths: paths }));
    expect(await output(PYRIGHT, ['--project', project])).toMatch(/^0 errors, 0 warnings/);
  });
});

it('is used as its README shows', async () => {
  const blocks = readFileSync(join(CLIENT, 'README.md'), 'utf8').matchAll(/^```python\n(.*?)^```$/gms);
  const files = [...blocks].map(([, code = ''], index) => {
    writeFileSync(join(folder, `readme_${index}.py`), code);
    return `readme_${index}.py`;
  });
  expect(files.length).toBeGreaterThan(5);
  const check = ['-m', 'mypy', '--strict', '--ignore-missing-imports', '--cache-dir', join(folder, 'cache')];
  expect(await python([...check, ...files])).toMatch(/^Success/);
});

it('is checked itself', async () => {
  expect(await python(['-m', 'mypy', '--cache-dir', join(folder, 'own')], built)).toMatch(/^Success/);
  expect(await python(['-m', 'ruff', 'check', '--no-cache'], built)).toMatch(/^All checks passed/);
  expect(await python(['-m', 'ruff', 'format', '--check', '--no-cache'], built)).toMatch(
    /^\d+ files already formatted/,
  );
});
