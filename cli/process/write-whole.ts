// Writes files atomically: after a full disk or a kill the old file is intact.
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export interface WriteOptions {
  mode?: number;
  /** Fails where there is a file already. */
  isNew?: boolean;
}

/** @throws Error of the system; the file is then as it was */
export function writeWhole(
  path: string,
  text: string,
  { mode = 0o644, isNew = false }: WriteOptions = {},
): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { mode });
    if (isNew) linkSync(part, path);
    else renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}
