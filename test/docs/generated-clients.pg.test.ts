// Generates clients in four languages from the OpenAPI document. Each client calls the running API: it creates a record,
// reads it, finds it in the list, and reads an error.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeApi } from '../../api/openapi/document.ts';
import { OPERATIONS } from '../../api/operations.ts';
import type { paths } from '../../clients/typescript/src/schema.ts';
import { findRecord } from '../../db/records/records.ts';
import { useListeningApi } from '../support/api/listening-api.ts';
import { installPackages } from '../support/servers/python-packages.ts';

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime@v1.8.0';
const REQUIREMENTS = fileURLToPath(new URL('generated-clients/requirements.txt', import.meta.url));
const OPENAPI_GENERATOR = { group: 'org.openapitools', name: 'openapi-generator-cli', version: '7.25.0' };

/** For liveness only: with empty caches each tool is downloaded, and Go's is compiled. */
const DEADLINE_MS = 600_000;

/** Imports every module of the generated package and prints their number. */
const IMPORT_ALL = `
import importlib, pkgutil, recordwatch_client
names = [each.name for each in pkgutil.walk_packages(recordwatch_client.__path__, 'recordwatch_client.')]
for name in names: importlib.import_module(name)
print(len(names))`;

const { api, baseUrl } = await useListeningApi();

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordwatch-clients-'));
  const document = describeApi(OPERATIONS, baseUrl);
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns the program's output @throws Error with its output, or with the name of a missing program */
async function run(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = {
    ...process.env,
    GOFLAGS: '-mod=mod',
    // These programs end before an optimizing compiler pays off.
    JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
    ...more,
    BASE_URL: baseUrl,
    API_KEY: api.fullKey,
  };
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

/** Copies one of our programs into a client's folder. */
async function copyProgram(program: string, ...to: string[]): Promise<void> {
  const from = fileURLToPath(new URL(`generated-clients/${program}`, import.meta.url));
  await mkdir(join(folder, ...to.slice(0, -1)), { recursive: true });
  await copyFile(from, join(folder, ...to));
}

/** @param told the output of a program: the id of the record that it created, and the code of an error */
async function expectCalls(told: string, name: string): Promise<void> {
  const [id = '', code] = told.trim().split(' ');
  expect(await findRecord(api.db, id)).toMatchObject({ name, accountId: api.accountId });
  expect(code).toBe('not_found');
}

/** A client whose types test/clients/typescript/src/schema.test.ts generates. */
it('a client in TypeScript', async () => {
  const headers = { authorization: `Bearer ${api.fullKey}` };
  const client = createClient<paths>({ baseUrl, headers });
  const body = { url: 'https://example.com/typescript.csv', name: 'TypeScript' };
  const { data: created } = await client.POST('/v1/sources', { body });
  const read = (id: string) => client.GET('/v1/sources/{id}', { params: { path: { id } } });
  const id = created?.id ?? '';
  expect((await read(id)).data?.name).toBe('TypeScript');
  const query = { search: 'TypeScript' };
  const { data: listed } = await client.GET('/v1/sources', { params: { query } });
  expect(listed?.sources.map((record) => record.id)).toEqual([id]);
  const { error } = await read(`src_${'0'.repeat(32)}`);
  await expectCalls(`${id} ${error?.code}`, 'TypeScript');
});

it(
  'a client in Go',
  async () => {
    // Without skip-prune it omits the bodies of webhooks, although generated types refer to them.
    const config = ['package: recordwatch', 'generate: {models: true, client: true}'];
    const output = ['output-options: {skip-prune: true}', 'output: client.gen.go', ''];
    await writeFile(join(folder, 'config.yaml'), [...config, ...output].join('\n'));
    await run('go', ['run', OAPI_CODEGEN, '-config', 'config.yaml', 'openapi.json']);
    await run('go', ['mod', 'init', 'recordwatch.example/client']);
    await run('go', ['get', OAPI_RUNTIME]);
    await run('go', ['vet', '.']);
    await copyProgram('main.go.txt', 'call-api', 'main.go');
    await expectCalls(await run('go', ['run', './call-api']), 'Go');
  },
  DEADLINE_MS,
);

it(
  'a client in Python',
  async () => {
    const packages = await installPackages(REQUIREMENTS);
    const python = {
      PYTHONPATH: packages,
      PYTHONDONTWRITEBYTECODE: '1',
      PATH: `${join(packages, 'bin')}:${process.env['PATH'] ?? ''}`,
    };
    const args = [
      '-m',
      'openapi_python_client',
      'generate',
      '--path',
      'openapi.json',
      '--meta',
      'none',
      '--output-path',
      'recordwatch_client',
    ];
    const told = await run('python3', args, python);
    // It warns about parts that it cannot read, and omits them.
    expect(told).not.toMatch(/warning/i);
    expect(Number(await run('python3', ['-c', IMPORT_ALL], python))).toBeGreaterThan(OPERATIONS.length);
    await copyProgram('client.py', 'client.py');
    await expectCalls(await run('python3', ['client.py'], python), 'Python');
  },
  DEADLINE_MS,
);

it(
  'a client in Java',
  async () => {
    const { group, name, version } = OPENAPI_GENERATOR;
    const copy = ['dependency:copy', `-Dartifact=${group}:${name}:${version}`, '-DoutputDirectory=.'];
    await run('mvn', ['-q', '-B', ...copy]);
    // Without this option it refuses unknown members, and later versions of the API may add some.
    const options = ['--additional-properties', 'disallowAdditionalPropertiesIfNotPresent=false'];
    const generate = ['generate', '-g', 'java', '-i', 'openapi.json', '-o', 'java-client', ...options];
    await run('java', ['-jar', `${name}-${version}.jar`, ...generate]);
    await copyProgram('CallApi.java', 'java-client', 'src', 'main', 'java', 'CallApi.java');
    const libraries = ['dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
    await run('mvn', ['-q', '-B', '-f', 'java-client', 'compile', ...libraries]);
    const classpath = await readFile(join(folder, 'java-client', 'classpath.txt'), 'utf8');
    const classes = join('java-client', 'target', 'classes');
    await expectCalls(await run('java', ['-cp', `${classes}:${classpath.trim()}`, 'CallApi']), 'Java');
  },
  DEADLINE_MS,
);
