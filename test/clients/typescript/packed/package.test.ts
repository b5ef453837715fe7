// The client package for TypeScript, built and packed as for a release, installed in an empty folder: it loads under each version of
// Node that it supports, in a bundle for browsers, and its types hold in strict programs.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installNode } from '../../../support/servers/node-versions.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const CLIENT = join(ROOT, 'clients/typescript');
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-client-'));
const home = join(folder, 'empty');
let server: Server;
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** What the package depends on, packed from this checkout, so that nothing is fetched. */
const DEPENDENCIES = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];

beforeAll(async () => {
  mkdirSync(home);
  const built = join(folder, 'built');
  cpSync(CLIENT, built, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) });
  await run(process.execPath, [TSC, '-p', CLIENT, '--noEmit', 'false', '--outDir', join(built, 'dist')]);
  const packages = [built, ...DEPENDENCIES.map((name) => join(ROOT, 'node_modules', name))];
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', ...packages], { cwd: folder });
  const files = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => join(folder, filename));
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
  const offline = ['--offline', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...offline, ...files], { cwd: home });
  for (const program of ['call.ts', 'types.ts']) {
    copyFileSync(fileURLToPath(new URL(`${program}.txt`, import.meta.url)), join(home, program));
  }
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"count":1,"hasMore":false,"nextCursor":null,"sources":[{"slug":"prices"}]}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});

it('brings types, and no sources', () => {
  const manifest = JSON.parse(
    readFileSync(join(home, 'node_modules/@recordwatch/client/package.json'), 'utf8'),
  );
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(manifest.version).toBe(root.version);
  expect(Object.keys(manifest.dependencies)).toEqual(['standardwebhooks']);
  expect(manifest.dependencies.standardwebhooks).toBe(root.dependencies.standardwebhooks);
});

/** @returns what the compiler finds */
function compile(files: readonly string[], more: readonly string[]): Promise<string> {
  const options = ['--strict', '--noEmit', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable'];
  const exact = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--module', 'nodenext'];
  return run(process.execPath, [TSC, ...options, ...exact, ...more, ...files], { cwd: home }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it('has types for strict programs', async () => {
  expect(await compile(['types.ts'], ['--types', ''])).toBe('');
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
  expect(await compile(['types.ts'], ['--types', '', ...bundler])).toBe('');
});

it.each(['22', '24'])('works under Node %s', async (version) => {
  const node = version === '24' ? process.execPath : await installNode(version);
  // A server that listens on TCP has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env['PATH'], BASE_URL: url };
  const { stdout } = await run(node, ['--experimental-strip-types', '--no-warnings', 'call.ts'], {
    cwd: home,
    env,
  });
  expect(stdout).toBe(`v${version} prices SignatureError undefined function\n`);
});

it('is used as its README shows', async () => {
  const blocks = readFileSync(join(CLIENT, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  const files = [...blocks].map(([, code = ''], index) => {
    writeFileSync(join(home, `readme-${index}.ts`), `${code}export {};\n`);
    return `readme-${index}.ts`;
  });
  expect(files.length).toBeGreaterThan(5);
  for (const name of ['express', 'fastify', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(home, 'node_modules', name));
  }
  expect(await compile(files, ['--types', 'node'])).toBe('');
});

it('needs nothing of Node in a browser', async () => {
  writeFileSync(join(home, 'page.js'), "export * from '@recordwatch/client';\n");
  const bundle = await rolldown({ cwd: home, input: 'page.js', platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const [{ code, imports }] = output;
  expect(imports).toEqual([]);
  expect(code).toContain('Recordwatch = class');
  expect(code).not.toMatch(/node:|\bprocess\b|\bBuffer\b|standardwebhooks/);
});
