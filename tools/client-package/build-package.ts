// Builds the package for users: `npm run package -- <folder>`, then `npm pack <folder>`. It has the commands for users, with the
// libraries that they use, as plain JavaScript.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [folder = join(ROOT, '.recordwatch/package')] = process.argv.slice(2);
const target = resolve(folder);

const bundle = await rolldown({
  cwd: ROOT,
  input: { recordwatch: 'cli/client-main.ts' },
  platform: 'node',
  transform: { target: 'node22' },
});
rmSync(target, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: join(target, 'dist'),
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();

const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
const { version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const manifest = {
  name: 'recordwatch',
  version,
  description,
  license,
  type: 'module',
  bin: { recordwatch: 'dist/recordwatch.js' },
  files: ['dist', 'LICENCES.txt'],
  // Also in cli/client-node.ts.
  engines: { node: '>=22.15' },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(target, 'README.md'), readFileSync(new URL('README.md', import.meta.url)));
writeFileSync(join(target, 'LICENCES.txt'), licencesOf(modules));
process.stdout.write(`${target}\n`);
