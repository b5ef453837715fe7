// Generators of other languages make clients of the OpenAPI document that compile. For TypeScript the dashboard is the
// test: test/dashboard/src/client/schema.test.ts makes its client, and `npm run types` compiles it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeApi } from '../../api/openapi/document.ts';
import { OPERATIONS } from '../../api/operations.ts';

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime@v1.8.0';
const OPENAPI_PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const OPENAPI_GENERATOR = { group: 'org.openapitools', name: 'openapi-generator-cli', version: '7.14.0' };

/** Liveness: with empty caches each tool is downloaded, and Go's is compiled. */
const DEADLINE_MS = 600_000;

/** Imports every module of the generated package, and says how many there are. */
const IMPORT_ALL = `
import importlib, pkgutil, recordwatch_client
names = [each.name for each in pkgutil.walk_packages(recordwatch_client.__path__, 'recordwatch_client.')]
for name in names: importlib.import_module(name)
print(len(names))`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordwatch-clients-'));
  const document = describeApi(OPERATIONS, 'http://localhost:8080');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns what the program wrote @throws Error with all that it wrote, or with what has to be installed */
async function run(program: string, args: readonly string[], path = ''): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', PATH: `${path}:${process.env['PATH'] ?? ''}` };
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') throw new Error(`Install ${program}: this test runs it.`, { cause: error });
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(0, 4_000), {
      cause: error,
    });
  }
}

it(
  'a client in Go',
  async () => {
    // Without skip-prune it leaves out the bodies of webhooks, to which types that it keeps refer.
    const config = ['package: recordwatch', 'generate: {models: true, client: true}'];
    const output = ['output-options: {skip-prune: true}', 'output: client.gen.go', ''];
    await writeFile(join(folder, 'config.yaml'), [...config, ...output].join('\n'));
    await run('go', ['run', OAPI_CODEGEN, '-config', 'config.yaml', 'openapi.json']);
    await run('go', ['mod', 'init', 'recordwatch.example/client']);
    await run('go', ['get', OAPI_RUNTIME]);
    await run('go', ['vet', '.']);
    expect(await run('go', ['doc', 'Client.GetRecord'])).toContain('func (c *Client) GetRecord');
  },
  DEADLINE_MS,
);

it(
  'a client in Python',
  async () => {
    await run('python3', ['-m', 'venv', 'venv']);
    const bin = join(folder, 'venv', 'bin');
    await run(join(bin, 'pip'), ['install', '--quiet', OPENAPI_PYTHON_CLIENT]);
    const args = [
      'generate',
      '--path',
      'openapi.json',
      '--meta',
      'none',
      '--output-path',
      'recordwatch_client',
    ];
    const told = await run(join(bin, 'openapi-python-client'), args, bin);
    // It goes on without what it cannot read.
    expect(told).not.toMatch(/warning/i);
    expect(Number(await run(join(bin, 'python'), ['-c', IMPORT_ALL]))).toBeGreaterThan(OPERATIONS.length);
  },
  DEADLINE_MS,
);

it(
  'a client in Java',
  async () => {
    const { group, name, version } = OPENAPI_GENERATOR;
    const copy = ['dependency:copy', `-Dartifact=${group}:${name}:${version}`, '-DoutputDirectory=.'];
    await run('mvn', ['-q', '-B', ...copy]);
    const generate = ['generate', '-g', 'java', '-i', 'openapi.json', '-o', 'java-client'];
    await run('java', ['-jar', `${name}-${version}.jar`, ...generate]);
    await run('mvn', ['-q', '-B', '-f', 'java-client', 'compile']);
    const classes = join('java-client', 'target', 'classes');
    const shown = await run('javap', ['-cp', classes, 'org.openapitools.client.api.RecordsApi']);
    expect(shown).toContain(' getRecord(java.lang.String');
  },
  DEADLINE_MS,
);
