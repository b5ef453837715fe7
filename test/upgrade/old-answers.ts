// Writes test/fixtures/first-contract.json: what an earlier version answers to a client of the first contract.
// `npm run old-answers -- <commit>`; test/contract compares the present version with it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { obtainVersion, ROOT } from './version.ts';

const FILES = ['first-contract.temporal.test.ts', 'first-contract.ts', 'comparable.ts'];

const [ref, ...more] = process.argv.slice(2);
if (ref === undefined || more.length > 0) {
  console.error('Name the commit of the earlier version: npm run old-answers -- <commit>');
  process.exit(2);
}
const { folder, node } = await obtainVersion(ref);
// Versions before 0.2 have the support of tests in one folder.
const hasServers = existsSync(join(folder, 'test/support/servers'));
for (const file of FILES) {
  const path = join(folder, 'test/contract', file);
  cpSync(join(ROOT, 'test/contract', file), path);
  if (!hasServers)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/support/servers/', '/support/'));
}
const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', 'test/contract'], {
  cwd: folder,
  stdio: 'inherit',
  env: { ...process.env, RECORD_ANSWERS_TO: join(ROOT, 'test/fixtures/first-contract.json') },
});
process.exit(status ?? 1);
