// The version of this program, from its package.
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  // Ours, and npm has checked it.
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
