// Bundles the workflow code. Bundling loads webpack, which would keep about 150 MB for the life of the process, so it runs in
// a process of its own. The result is cached under a hash of the sources.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = ['workflows', 'core'];
const PLAIN = '.js';
const SEALING = '-sealing.js';

/** Of failures, for workers with a payload codec. Both the worker and the bundle need it. */
export const SEALING_FAILURES = join(ROOT, 'workflows', 'seal-failures.ts');

/**
 * The path of the bundle for the current sources. Builds it if it is missing.
 * @param cacheDir folder that may be deleted at any time
 * @param seals for workers with a payload codec, which leaves the words of failures to it
 */
export async function workflowBundle(cacheDir: string, seals = false): Promise<string> {
  const path = join(cacheDir, `workflows-${await fingerprint()}${seals ? SEALING : PLAIN}`);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(cacheDir, { recursive: true });
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), path]);
  }
  return path;
}

/** Depends on every source that can be part of the bundle, and on the version of the SDK, which must match. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(
    createRequire(import.meta.url)('@temporalio/worker/package.json').version,
  );
  for (const folder of SOURCES) {
    const files = await readdir(join(ROOT, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts')).toSorted()) {
      hash.update(`\0${folder}/${file}\0`).update(await readFile(join(ROOT, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Writes to a temporary file and renames it, so that another process never reads half a bundle. */
async function build(path: string): Promise<void> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(ROOT, 'workflows', 'pass-trace.ts')],
    ...(path.endsWith(SEALING) ? { failureConverterPath: SEALING_FAILURES } : {}),
    logger: new DefaultLogger('WARN'),
  });
  const part = `${path}.${process.pid}`;
  await writeFile(part, code);
  await rename(part, path);
}

const [, script, target] = process.argv;
if (script === fileURLToPath(import.meta.url) && target !== undefined) await build(target);
