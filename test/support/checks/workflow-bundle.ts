// The bundle of the workflow code. All test files on a machine share it, because building it takes seconds.
import { copyFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { workflowBundle } from '../../../worker/bundle.ts';

/** @param seals for workers with a payload codec @returns its path. Do not change this file. */
export const sharedWorkflowBundle = (seals = false): Promise<string> =>
  workflowBundle(join(tmpdir(), 'recordwatch-bundles'), seals);

/** Copies it to the path where a worker with this home looks for it. A test may change the copy. */
export async function copyWorkflowBundle(home: string, seals = false): Promise<void> {
  const path = await sharedWorkflowBundle(seals);
  mkdirSync(join(home, 'cache'), { recursive: true });
  copyFileSync(path, join(home, 'cache', basename(path)));
}
