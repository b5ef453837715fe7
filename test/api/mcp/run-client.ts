// Runs a program of a third-party package without a terminal.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { LIVENESS_MS } from '../../support/until.ts';

const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** The exit status of a program that ended by itself. */
interface Ended {
  code?: number | string;
  stdout: string;
  stderr: string;
}

export interface Run {
  status: number;
  stdout: string;
  stderr: string;
}

/** @param file of a package: `mcp-remote/dist/client.js` */
export async function runClient(file: string, args: readonly string[]): Promise<Run> {
  const path = require.resolve(`../../../node_modules/${file}`);
  try {
    const { stdout, stderr } = await run(process.execPath, [path, ...args], {
      timeout: LIVENESS_MS,
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
    });
    return { status: 0, stdout, stderr };
  } catch (error) {
    // The error of execFile.
    const { code, stdout, stderr } = error as Ended;
    if (typeof code !== 'number') throw error;
    return { status: code, stdout, stderr };
  }
}
