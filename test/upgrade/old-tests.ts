// Runs an earlier version's own tests of the API on the schema of this version: `npm run old-tests -- <commit> [files]`. What
// fails there would fail in the old APIs that still run after `migrate` of this version.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileAt, obtainVersion, ROOT } from './version.ts';

/** Makes the database that each test gets a copy of. The second path is that of versions before 0.2. */
const SETUPS = ['test/support/runner/global-setup.ts', 'test/support/global-setup.ts'];
const THEIR_MIGRATE = /(?<=^import \{ migrate \} from ')[^']+(?=';$)/m;

/** @throws Error when that version makes its template in another way */
function migrateByUs(ref: string, path: string): string {
  const setup = fileAt(ref, path);
  if (!THEIR_MIGRATE.test(setup)) throw new Error(`${path} does not import migrate as expected.`);
  return setup.replace(THEIR_MIGRATE, join(ROOT, 'db/migrate.ts'));
}

const [ref, ...given] = process.argv.slice(2);
if (ref === undefined) {
  console.error('Name the commit of the earlier version: npm run old-tests -- <commit> [files]');
  process.exit(2);
}
const { folder, node } = await obtainVersion(ref);
const setup = SETUPS.find((path) => existsSync(join(folder, path)));
if (setup === undefined) throw new Error(`${ref} has no ${SETUPS.join(' or ')}.`);
writeFileSync(join(folder, setup), migrateByUs(ref, setup));
const files = given.length === 0 ? ['test/api'] : given;
const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
  cwd: folder,
  stdio: 'inherit',
});
process.exit(status ?? 1);
